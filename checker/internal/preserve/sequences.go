package preserve

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math/bits"
	"slices"

	"github.com/multigrain/multigrain/checker/internal/inclusion"
)

// What it computes. A digest of the sequences of observations that a difference is about: of the
// fine composition those that the coarse one can follow up to the last observation and not in it.
//
// Why it is right. Both compositions are made deterministic, and a pair has the set of states of
// each after the same observations. A missed observation leads from a pair in which the fine set
// has a successor and the coarse set has none. The pairs with these steps are an automaton that
// accepts the missed sequences. States of it that accept the same are one by refinement (Moore), so
// the hash of the initial state depends on the accepted sequences alone. Steps have the hash of
// their content, so the numbers of labels do not count.
//
// What it costs. One pass over the pairs for each round of refinement. There can be exponentially
// many pairs; without a result within the limits there is no digest.
//
// Example. The fine composition observes a, then b or c, and the coarse one observes a, then b:
//
//	({0},{0}) -a-> ({1},{1}) -c-> missed      the digest is that of {a c}

// mostPairs bounds the pairs of the automaton, and mostMembers the states in all their sets.
const (
	mostPairs   = 1 << 20
	mostMembers = 1 << 26
)

// lengths is the number of lengths of sequences that have a character of their own in a digest.
const lengths = 32

// residual is the automaton of the missed sequences.
type residual struct {
	next   [][]move // by pair, sorted
	missed [][]uint64
}

// move is a step between pairs: the hash of its label, and the pair.
type move struct {
	label uint64
	to    int32
}

// content returns the fingerprint of what each label shows, as Difference.Missed has it.
func (r *run[T]) content() map[uint32]uint64 {
	out := map[uint32]uint64{}
	for label := uint32(1); label < uint32(len(r.labels.step)); label++ {
		for side := range 2 {
			if at := r.labels.first[side][label]; at > 0 {
				for f := range r.missed(side, at-1, label) {
					out[label] = f
				}
				break
			}
		}
	}
	return out
}

// sequences gives each missed difference the digest of its sequences.
func (r *run[T]) sequences() {
	if r.reduced[Fine] == nil || !slices.ContainsFunc(r.res.Differences, func(d Difference[T]) bool { return d.Side == Fine }) {
		return
	}
	a := r.residual(r.reduced[Fine], r.reduced[Coarse])
	if a == nil {
		return
	}
	for k := range r.res.Differences {
		d := &r.res.Differences[k]
		if d.Side != Fine {
			continue
		}
		d.Sequences = a.digest(func(label uint64) bool { return about(d, label) || !r.explained(label) })
	}
}

// about reports whether an observation is one that a difference is about.
func about[T any](d *Difference[T], observation uint64) bool {
	_, ok := d.Missed[observation]
	return ok
}

// explained reports whether some missed difference is about an observation. How many observations
// are explained is bounded; the others count for each difference.
func (r *run[T]) explained(observation uint64) bool {
	return slices.ContainsFunc(r.res.Differences, func(d Difference[T]) bool { return d.Side == Fine && about(&d, observation) })
}

// residual returns the automaton of the sequences that coarse misses, nil if the limits do not
// allow it.
func (r *run[T]) residual(fine, coarse *lts) *residual {
	type both struct{ fine, coarse uint32 }
	fs, cs, content := inclusion.NewSets(fine), inclusion.NewSets(coarse), r.content()
	out, members := &residual{}, 0
	number, list := map[both]int32{}, []both(nil)
	add := func(b both) int32 {
		k, ok := number[b]
		if !ok {
			k = int32(len(list))
			number[b], list = k, append(list, b)
		}
		return k
	}
	add(both{fs.Begin(), cs.Begin()})
	for at := 0; at < len(list); at++ {
		members += len(fs.States(list[at].fine)) + len(cs.States(list[at].coarse))
		if r.tooMany(len(list)) || len(list) > mostPairs || members > mostMembers || r.late() {
			return nil
		}
		var moves []move
		var missed []uint64
		for _, label := range fs.Labels(list[at].fine) {
			f, _ := fs.After(list[at].fine, label)
			if c, ok := cs.After(list[at].coarse, label); ok {
				moves = append(moves, move{content[label], add(both{f, c})})
			} else {
				missed = append(missed, content[label])
			}
		}
		slices.Sort(missed)
		out.next, out.missed = append(out.next, moves), append(out.missed, slices.Compact(missed))
	}
	out.trim()
	return out
}

// trim leaves out moves to pairs after which nothing is missed.
func (a *residual) trim() {
	back := make([][]int32, len(a.next))
	for k, moves := range a.next {
		for _, m := range moves {
			back[m.to] = append(back[m.to], int32(k))
		}
	}
	live := make([]bool, len(a.next))
	var todo []int32
	for k := range a.missed {
		if len(a.missed[k]) > 0 {
			live[k], todo = true, append(todo, int32(k))
		}
	}
	for len(todo) > 0 {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, from := range back[k] {
			if !live[from] {
				live[from], todo = true, append(todo, from)
			}
		}
	}
	for k := range a.next {
		a.next[k] = slices.DeleteFunc(a.next[k], func(m move) bool { return !live[m.to] })
	}
}

// digest returns the digest of the sequences whose last observation is one of some. It has 8
// hexadecimal digits for all, and one for the sequences of each length up to 32, 0 for none.
func (a *residual) digest(ends func(label uint64) bool) string {
	last := make([][]uint64, len(a.missed))
	for k, labels := range a.missed {
		for _, l := range labels {
			if ends(l) {
				last[k] = append(last[k], l)
			}
		}
	}
	text := make([]byte, lengths)
	exact, whole := make([]uint64, len(last)), make([]uint64, len(last))
	for k := range last {
		if len(last[k]) > 0 {
			exact[k] = hashOf(last[k], nil)
		}
		whole[k] = exact[k]
	}
	base := slices.Clone(exact)
	classes := distinct(whole)
	for n, settled := 0, false; n < lengths || !settled; n++ {
		if n < lengths {
			text[n] = digit(exact[0])
			exact = a.step(exact, nil)
		}
		if !settled {
			whole = a.step(whole, base)
			count := distinct(whole)
			settled = count == classes
			classes = count
		}
	}
	sum := fnv.New32a()
	fmt.Fprintf(sum, "%016x", whole[0])
	return hex.EncodeToString(sum.Sum(nil)) + string(text)
}

// step returns the hash of each pair after one more step: of its own hash in base, and of the moves
// to pairs whose hash is not 0.
func (a *residual) step(hash, base []uint64) []uint64 {
	out := make([]uint64, len(hash))
	var moves []uint64
	for k := range a.next {
		moves = moves[:0]
		for _, m := range a.next[k] {
			if hash[m.to] != 0 {
				moves = append(moves, hashOf([]uint64{m.label}, []uint64{hash[m.to]}))
			}
		}
		slices.Sort(moves)
		moves = slices.Compact(moves)
		switch {
		case base != nil && (len(moves) > 0 || base[k] != 0):
			out[k] = hashOf([]uint64{base[k]}, moves)
		case base == nil && len(moves) > 0:
			out[k] = hashOf(nil, moves)
		}
	}
	return out
}

// hashOf returns the hash of two lists, never 0.
func hashOf(a, b []uint64) uint64 {
	h := uint64(len(a))*0x9e3779b97f4a7c15 + 14695981039346656037
	for _, list := range [][]uint64{a, b} {
		for _, x := range list {
			hi, lo := bits.Mul64(h^x, 0xd1342543de82ef95)
			h = (hi ^ lo) + 0x9e3779b97f4a7c15
		}
	}
	return max(1, h)
}

func distinct(hashes []uint64) int {
	seen := map[uint64]bool{}
	for _, h := range hashes {
		seen[h] = true
	}
	return len(seen)
}

// digit returns a hexadecimal digit of a hash, 0 for the hash 0 alone.
func digit(hash uint64) byte {
	if hash == 0 {
		return '0'
	}
	return "0123456789abcdef"[(hash>>7)%15+1]
}
