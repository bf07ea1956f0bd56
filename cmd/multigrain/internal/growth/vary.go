package growth

import "slices"

// nodes are the numbers of nodes that Vary compares: a quorum of all, the smallest one that can
// lose a node, and the smallest one that can lose two.
var nodes = []int{2, 3, 5}

// Varied is a comparison within bounds that the growth does not reach.
type Varied struct {
	Bounds  []int
	Decided bool
}

// Vary compares within other numbers of nodes than the bounds that were found, and with twice the
// faults. Fewer nodes leave room, so all other bounds have their largest values then. With more
// nodes, and with more faults, they have those that were found. States limits all of these
// comparisons together. Bounds that the composition cannot have are missing in the result.
func Vary(bounds []Bound, found []int, states int64, try Try) (out []Varied) {
	f := &finder{left: states, try: try}
	for _, at := range variations(bounds, found) {
		f.bounds, f.lift, f.needed = slices.Clone(bounds), make([]int, len(at)), make([]int, len(at))
		for k := range at {
			f.bounds[k].Max = max(f.bounds[k].Max, at[k])
		}
		f.best, f.found, f.same = nil, nil, 0
		refused := false
		f.try = func(at []int, most int64) (Outcome, bool) {
			o, ok := try(at, most)
			refused = refused || !ok
			return o, ok
		}
		switch {
		case f.attempt(at):
			out = append(out, Varied{f.found, true})
		case !refused:
			out = append(out, Varied{at, false})
		}
	}
	return out
}

// variations returns the bounds that Vary tries.
func variations(bounds []Bound, found []int) (out [][]int) {
	for _, n := range nodes {
		at, fewer := slices.Clone(found), false
		for k, b := range bounds {
			if b.Nodes && n >= b.Min && n <= b.Most {
				at[k], fewer = n, fewer || n < found[k]
			}
		}
		for k, b := range bounds {
			if fewer && !b.Nodes {
				at[k] = max(at[k], b.Max)
			}
		}
		out = append(out, at)
	}
	faults, added := slices.Clone(found), 0
	for k, b := range bounds {
		if b.Fault {
			faults[k] = min(2*found[k], max(b.Most, found[k]))
			added += faults[k] - found[k]
		}
	}
	for k, b := range bounds {
		if b.Follows {
			faults[k] = min(found[k]+added, max(b.Most, found[k]))
		}
	}
	out = append(out, faults)
	known := [][]int{found}
	return slices.DeleteFunc(out, func(at []int) bool {
		if slices.ContainsFunc(known, func(x []int) bool { return slices.Equal(x, at) }) {
			return true
		}
		known = append(known, at)
		return false
	})
}
