package rounds

import (
	"math/big"
	"math/rand/v2"
)

// What it computes. The number of schedules of isolation, and a schedule drawn uniformly among
// them.
//
// Why it is right. ways[s][j] counts the ways to fill the slots from s on with exactly j
// isolations. A draw picks a number below the total and follows these counts slot by slot, so each
// schedule has exactly one number.
//
// What it costs. A table of slots times isolations, of big integers, once. A draw is linear in the
// slots.
//
// Example. 2 servers, 1 phase of 2 rounds, at most 1 isolation: 1 + 2·2 = 5 schedules.
//
//	none; server 0 from round 0 or 1; server 1 from round 0 or 1

// Space is the set of schedules from which walks draw: those of n servers and r rounds in phases
// of k rounds, with at most d isolations.
//
// A slot is one server in one phase. It holds no isolation, or one that begins in one of the
// phase's rounds. With N slots of k rounds each there are sum over j <= d of C(N, j) * k^j
// schedules. The last phase may be shorter, so the sum is computed slot by slot: ways[s][j] counts
// the ways to fill the slots from s on with exactly j isolations.
type Space struct {
	Servers, Rounds, Period int
	// Isolated is the largest number of isolations in a schedule: at most one for each server and
	// phase.
	Isolated int

	ways [][]*big.Int
	size *big.Int
}

// NewSpace returns the space of schedules. A bound below 0, or above the number of slots, bounds
// nothing.
func NewSpace(servers, rounds, period, isolated int) *Space {
	s := &Space{Servers: servers, Rounds: rounds, Period: period, Isolated: isolated}
	slots := servers * s.phases()
	if isolated < 0 || isolated > slots {
		s.Isolated = slots
	}
	s.ways = make([][]*big.Int, slots+1)
	for k := range s.ways {
		s.ways[k] = make([]*big.Int, s.Isolated+1)
		for j := range s.ways[k] {
			s.ways[k][j] = new(big.Int)
		}
	}
	s.ways[slots][0].SetInt64(1)
	for k := slots - 1; k >= 0; k-- {
		choices := big.NewInt(int64(s.length(k / servers)))
		for j := range s.ways[k] {
			s.ways[k][j].Set(s.ways[k+1][j])
			if j > 0 {
				s.ways[k][j].Add(s.ways[k][j], new(big.Int).Mul(choices, s.ways[k+1][j-1]))
			}
		}
	}
	s.size = new(big.Int)
	for _, w := range s.ways[0] {
		s.size.Add(s.size, w)
	}
	return s
}

func (s *Space) phases() int { return (s.Rounds + s.Period - 1) / s.Period }

// length returns the number of rounds of a phase.
func (s *Space) length(phase int) int { return min(s.Period, s.Rounds-phase*s.Period) }

// Size returns the number of schedules.
func (s *Space) Size() *big.Int { return new(big.Int).Set(s.size) }

// Bound returns (nr)^d, the paper's upper bound of the number of schedules with d isolations.
func (s *Space) Bound() *big.Int {
	return new(big.Int).Exp(big.NewInt(int64(s.Servers*s.Rounds)), big.NewInt(int64(s.Isolated)), nil)
}

// Schedule holds by round, from 0, the set of isolated servers: bit i for server i.
type Schedule []uint64

// Draw returns a schedule, each with the same probability.
func (s *Space) Draw(rng *rand.Rand) Schedule { return s.At(below(rng, s.size)) }

// At returns the schedule with a number, 0 to Size-1.
func (s *Space) At(number *big.Int) Schedule {
	x := new(big.Int).Set(number)
	left := 0
	for x.Cmp(s.ways[0][left]) >= 0 {
		x.Sub(x, s.ways[0][left])
		left++
	}
	out := make(Schedule, s.Rounds)
	for k := range len(s.ways) - 1 {
		// Schedules that leave slot k empty come first.
		if left == 0 || x.Cmp(s.ways[k+1][left]) < 0 {
			continue
		}
		x.Sub(x, s.ways[k+1][left])
		left--
		from, rest := new(big.Int).QuoRem(x, s.ways[k+1][left], new(big.Int))
		x = rest
		phase, server := k/s.Servers, k%s.Servers
		for round := int(from.Int64()); round < s.length(phase); round++ {
			out[phase*s.Period+round] |= 1 << server
		}
	}
	return out
}

// below returns a number from 0 to n-1, each with the same probability.
func below(rng *rand.Rand, n *big.Int) *big.Int {
	bits := new(big.Int).Sub(n, big.NewInt(1)).BitLen()
	for {
		x := new(big.Int)
		for have := 0; have < bits; have += 64 {
			x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(rng.Uint64()))
		}
		if extra := (bits+63)/64*64 - bits; extra > 0 {
			x.Rsh(x, uint(extra))
		}
		if x.Cmp(n) < 0 {
			return x
		}
	}
}
