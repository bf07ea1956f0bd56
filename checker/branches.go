package checker

import "slices"

// Branches are the conditions of a composition's guards, effects and rules, or of its invariants,
// with the values that they have had since the program began. Each condition is an operand that has
// two branches, true and false; what the composition's constants decide is none.
type Branches struct {
	Points []Point
	// Taken is not 0 at 2k where Points[k] was false and at 2k+1 where it was true. The program
	// writes it, from several goroutines at once.
	Taken []uint32
	// Never are the positions in Taken of branches that only a violation takes. They do not count.
	Never []int
}

// Branch is one of the two values of a condition.
type Branch struct {
	Point
	Value bool
	// Evaluated says that the condition had the other value.
	Evaluated bool
}

// Count returns the number of branches that were taken.
func (b *Branches) Count() (n int) {
	for _, x := range b.Taken {
		if x != 0 {
			n++
		}
	}
	return n
}

// Of returns the number of branches that count.
func (b *Branches) Of() int { return len(b.Taken) - len(b.Never) }

// Missing returns the branches that were not taken, in the order of the points.
func (b *Branches) Missing() (out []Branch) {
	for k, x := range b.Taken {
		if x == 0 && !slices.Contains(b.Never, k) {
			out = append(out, Branch{b.Points[k/2], k%2 == 1, b.Taken[k^1] != 0})
		}
	}
	return out
}
