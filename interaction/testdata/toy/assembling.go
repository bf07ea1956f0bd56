package toy

import "github.com/multigrain/multigrain/modules"

// Assemble chooses the chief p.I with the crew p.S and takes them to work, in one step.
var Assemble = Action[Party]{
	Name:   "Assemble",
	Params: modules.Quorums[Server](Servers),
	Guard:  assembles,
	Effect: func(s, n *State, p Party) {
		term := n.adopt(s, p)
		n.Role[p.I] = CHIEF
		n.Crew[p.I] = p.S.Without(p.I)
		n.ChiefsOf[term].Add(p.I)
	},
}

func assembles(s *State, p Party) bool {
	for k := range Server(Servers) {
		if p.S.Has(k) && (!s.idle(k) || k != p.I && s.abler(k, p.I)) {
			return false
		}
	}
	return true
}

// adopt gives the crew its chief and a new term.
func (n *State) adopt(s *State, p Party) (term int8) {
	for k := range Server(Servers) {
		if p.S.Has(k) {
			term = max(term, s.Term[k])
		}
	}
	term = min(term+1, MaxTerm)
	for k := range Server(Servers) {
		if p.S.Has(k) {
			n.Role[k] = MEMBER
			n.Chief[k] = p.I
			n.Phase[k] = WORKING
			n.Term[k] = term
		}
	}
	return term
}
