package grains

import (
	"slices"
	"strings"
	"unicode"

	"github.com/multigrain/multigrain/modules"
)

// Protocols rest on quorums that have a member in common: two majorities, or a quorum that has been
// written to and one that is read. A catalog lists such pairs. Whether the two quorums of a pair
// always meet depends on the sizes that a manifest chooses, so it is decided there (MG312).

// Meeting names two kinds of quorums. A quorum of A and one of B always have a member in common. A
// and B may be the same.
type Meeting struct {
	Doc  string
	A, B *modules.Quorum // package-level variables
}

// MeetingDecl is a Meeting as declared.
type MeetingDecl struct {
	Doc   string     `json:"doc,omitempty"`
	A     QuorumDecl `json:"a"`
	B     QuorumDecl `json:"b"`
	Place Place      `json:"place"`
}

// QuorumDecl is a Quorum as declared. Its numbers are texts: expressions of Go without constants
// but those that bounds and options set.
type QuorumDecl struct {
	Var     string   `json:"var"`
	Members string   `json:"members"`
	Weights []string `json:"weights,omitempty"`
	Least   string   `json:"least"`
	Place   Place    `json:"place"`
}

// Mentions reports whether a number of the quorum depends on a constant.
func (q *QuorumDecl) Mentions(name string) bool {
	for _, expr := range append([]string{q.Members, q.Least}, q.Weights...) {
		words := strings.FieldsFunc(expr, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if slices.Contains(words, name) {
			return true
		}
	}
	return false
}

// Apart returns a quorum of a and a quorum of b without a common member, and whether there are two.
//
// It goes through the members, up to 64, and gives each to one of the two sets.
// For each weight of the first set, up to a.Least, it keeps the heaviest second set. Members of
// neither set are not needed: a set that is larger than a quorum is one, too. So the result is
// exact. It costs the number of members times a.Least.
func Apart(a, b modules.Quorum) (x, y []int, found bool) {
	if a.Least > heaviest(a) || b.Least > heaviest(b) {
		return nil, nil, false
	}
	type split struct {
		known bool
		first uint64 // the members of the first set
		other int    // the weight of the second set, in b
	}
	best := make([]split, max(a.Least, 0)+1)
	best[0].known = true
	members := max(a.Members, b.Members)
	for k := range members {
		next := make([]split, len(best))
		put := func(at int, s split) {
			if old := &next[at]; !old.known || s.other > old.other {
				*old = s
			}
		}
		for w, s := range best {
			if s.known {
				put(w, split{true, s.first, s.other + weightOf(b, k)})
				put(min(w+weightOf(a, k), len(best)-1), split{true, s.first | 1<<k, s.other})
			}
		}
		best = next
	}
	last := best[len(best)-1]
	if !last.known || last.other < b.Least {
		return nil, nil, false
	}
	for k := range members {
		switch {
		case last.first>>k&1 == 1:
			x = append(x, k)
		case weightOf(b, k) > 0:
			y = append(y, k)
		}
	}
	return x, y, true
}

// Reachable reports whether all members together are a quorum.
func Reachable(q modules.Quorum) bool { return heaviest(q) >= q.Least }

func heaviest(q modules.Quorum) (sum int) {
	for k := range q.Members {
		sum += weightOf(q, k)
	}
	return sum
}

// weightOf returns the weight of an identity, which is 0 where it is no member.
func weightOf(q modules.Quorum, k int) int {
	switch {
	case k >= q.Members:
		return 0
	case len(q.Weights) == 0:
		return 1
	case k < len(q.Weights):
		return q.Weights[k]
	}
	return 0
}
