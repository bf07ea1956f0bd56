package sampling

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
)

// What it computes. The number of schedules with exactly d faults for a harness, or with at most d,
// and a schedule drawn uniformly among them.
//
// Why it is right. A phase with f faults can be followed by every schedule of the later steps with
// d - f faults. So rest[step][d] is the sum of rest[step+1][d-f] over the phases of the step. What
// is left over after the last step must be 0, or is free if the schedules have at most d faults. A
// number below rest[0][d] names a schedule: at each step the numbers are divided among the phases
// in their order. This is a bijection. The number is drawn with 64 bits more than the size has, so
// the remainder is uniform up to a part of 2 to the -64.
//
// What it costs. For each step and each number of faults one pass over its phases, at most 8 to the
// power of the servers, with numbers of any size. Drawing costs one such pass for each step.
//
// Example. Three servers, one request and d = 1. A server can be away, or be isolated:
//
//	kernels 12, 02, 01     one server does not take part     3 schedules
//	012-0, 012-1, 012-2    one server is isolated            3 schedules, 6 in all

// Set is a set of servers, a bit for each.
type Set uint8

// MostServers is how many servers an ensemble may have: Set+1 must not overflow.
const MostServers = 7

// Has reports whether a server is in the set.
func (s Set) Has(i int) bool { return s>>i&1 != 0 }

// Size returns the number of servers.
func (s Set) Size() (n int) {
	for ; s != 0; s &= s - 1 {
		n++
	}
	return n
}

// Servers returns the servers of the set in order.
func (s Set) Servers() (out []int) {
	for i := range 8 {
		if s.Has(i) {
			out = append(out, i)
		}
	}
	return out
}

func (s Set) String() string {
	var b strings.Builder
	for _, i := range s.Servers() {
		fmt.Fprint(&b, i)
	}
	return b.String()
}

// Phase is the part of a schedule for one step.
type Phase struct {
	Kernel   Set // the servers that take part
	Isolated Set // those of the kernel that are isolated before the request
	After    Set // those of the kernel that are isolated after the request: Late only
}

// Schedule has a phase for each step of a harness. Its text is as in 01-0,02,12: kernels, and
// after a dash the servers that are isolated before the request. Those that are isolated after it
// come after a second dash, as in 012-12-0.
type Schedule []Phase

func (s Schedule) String() string {
	var out []string
	for _, p := range s {
		text := p.Kernel.String()
		if p.Isolated|p.After != 0 {
			text += "-" + p.Isolated.String()
		}
		if p.After != 0 {
			text += "-" + p.After.String()
		}
		out = append(out, text)
	}
	return strings.Join(out, ",")
}

// ParseSchedule reads the text of a schedule for a harness.
func ParseSchedule(text string, servers int, h Harness) (Schedule, error) {
	parts := strings.Split(text, ",")
	if len(parts) != len(h) {
		return nil, fmt.Errorf("the schedule %s has %d steps and the harness %d", text, len(parts), len(h))
	}
	set := func(digits string) (s Set, err error) {
		for _, c := range digits {
			if c < '0' || int(c-'0') >= servers {
				return 0, fmt.Errorf("the schedule %s: %q is no server, write 0 to %d", text, c, servers-1)
			}
			s |= 1 << (c - '0')
		}
		return s, nil
	}
	var out Schedule
	for k, part := range parts {
		kernel, isolated, _ := strings.Cut(strings.TrimSpace(part), "-")
		isolated, after, _ := strings.Cut(isolated, "-")
		var p Phase
		var err error
		if p.Kernel, err = set(kernel); err != nil {
			return nil, err
		}
		if p.Isolated, err = set(isolated); err != nil {
			return nil, err
		}
		if p.After, err = set(after); err != nil {
			return nil, err
		}
		if all := p.Isolated | p.After; all&^p.Kernel != 0 || p.Isolated&p.After != 0 || all != 0 && !h[k].Request {
			return nil, fmt.Errorf("the schedule %s: %s isolates a server that does not take part, or one twice, or isolates without a request", text, part)
		}
		out = append(out, p)
	}
	return out, nil
}

// Space is the set of the schedules with exactly Faults faults, or with at most as many.
type Space struct {
	Servers, Faults int
	AtMost          bool
	harness         Harness
	late            bool // servers are isolated after requests, too
	// rest[step][faults] counts the schedules of the steps from this one on.
	rest [][]*big.Int
}

// NewSpace counts the schedules for a way to isolate servers. With atMost, schedules with fewer
// faults belong to the space, as in the paper's executions "with at most d isolated processes".
func NewSpace(servers, faults int, atMost bool, h Harness, isolation string) *Space {
	s := &Space{Servers: servers, Faults: faults, AtMost: atMost, harness: h, late: isolation == Late, rest: make([][]*big.Int, len(h)+1)}
	for step := len(h); step >= 0; step-- {
		s.rest[step] = make([]*big.Int, faults+1)
		for d := range s.rest[step] {
			n := new(big.Int)
			if step == len(h) && (d == 0 || atMost) {
				n.SetInt64(1)
			} else if step < len(h) {
				s.phases(step, func(p Phase, used int) bool {
					if used <= d {
						n.Add(n, s.rest[step+1][d-used])
					}
					return true
				})
			}
			s.rest[step][d] = n
		}
	}
	return s
}

// phases calls f for each phase of a step and its faults, until f returns false.
func (s *Space) phases(step int, f func(p Phase, faults int) bool) {
	all := Set(1<<s.Servers - 1)
	for kernel := range all + 1 {
		for isolated := range kernel + 1 {
			for after := range all + 1 {
				if (isolated|after)&^kernel != 0 || isolated|after != 0 && !s.harness[step].Request || after != 0 && (!s.late || isolated&after != 0) {
					continue
				}
				if !f(Phase{kernel, isolated, after}, (all&^kernel).Size()+(isolated|after).Size()) {
					return
				}
			}
		}
	}
}

// Size returns the number of schedules.
func (s *Space) Size() *big.Int { return s.rest[0][s.Faults] }

// Schedule returns a schedule by its number, from 0.
func (s *Space) Schedule(number *big.Int) Schedule {
	left, d := new(big.Int).Set(number), s.Faults
	var out Schedule
	for step := range s.harness {
		s.phases(step, func(p Phase, used int) bool {
			if used > d {
				return true
			}
			if n := s.rest[step+1][d-used]; left.Cmp(n) >= 0 {
				left.Sub(left, n)
				return true
			}
			d -= used
			out = append(out, p)
			return false
		})
	}
	return out
}

// Draw draws a schedule: each has the probability 1/Size. The result depends on the seed and the
// number of the execution only.
func (s *Space) Draw(seed, execution uint64) Schedule {
	r := rand.New(rand.NewPCG(seed, execution))
	// 64 bits more than the size make the remainder fair.
	bits := make([]big.Word, (s.Size().BitLen()+64+63)/64)
	for k := range bits {
		bits[k] = big.Word(r.Uint64())
	}
	n := new(big.Int).SetBits(bits)
	return s.Schedule(n.Mod(n, s.Size()))
}
