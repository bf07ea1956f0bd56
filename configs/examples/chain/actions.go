package chain

import "github.com/multigrain/multigrain/modules"

// Short names for the vocabulary.
type (
	Action[P any] = modules.Action[State, P]
	Actions       = []modules.AnyAction[State]
	None          = modules.None
	One           = modules.One[Node]
	Pair          = modules.Pair[Node]
)

// The domains of parameters.
var (
	eachServer = modules.Each[Node](Servers)
	eachPair   = modules.EachPair[Node](Servers)
)

// eachTold is every node that the master sends views to.
func eachTold(yield func(One) bool) {
	for i := range Node(Servers + 1) {
		if !yield(One{I: i}) {
			return
		}
	}
}
