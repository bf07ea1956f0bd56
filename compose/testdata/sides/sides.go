// Package sides is a specification in which coarse grains set options that the grains they coarsen
// do not work with.
package sides

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// What a manifest or a grain sets. Order is used where Go needs a constant.
const (
	Jobs     = 2
	Delivery = "messages"
	Order    = "any"

	ordered = Order == "oldest"
)

// State counts the jobs that are asked for and done. Sent are those on their way.
type State struct {
	Asked, Done uint8
	Sent        [Jobs]bool
}

// One has no parameter.
type One = modules.None

type actions = []modules.AnyAction[State]

// Ask asks for a job while fewer than two are open. It is sent in a message, unless the network
// delivers at once.
var Ask = modules.Action[State, One]{
	Name: "Ask", Params: modules.Once,
	Guard: func(s *State, _ One) bool { return s.Asked < Jobs && (s.Asked < s.Done+2 || ordered) },
	Effect: func(s, n *State, _ One) {
		n.Asked++
		if Delivery == "messages" {
			n.Sent[s.Asked] = true
		}
	},
}

// Deliver does the first job that was sent.
var Deliver = modules.Action[State, One]{
	Name: "Deliver", Params: modules.Once,
	Guard:  func(s *State, _ One) bool { return s.Done < s.Asked && s.Sent[s.Done] },
	Effect: func(s, n *State, _ One) { n.Sent[s.Done] = false; n.Done++ },
}

// DeliverAtOnce does a job that was asked for.
var DeliverAtOnce = modules.Action[State, One]{
	Name: "DeliverAtOnce", Params: modules.Once,
	Guard:  func(s *State, _ One) bool { return s.Done < s.Asked },
	Effect: func(s, n *State, _ One) { n.Done++ },
}

// DeliverAll does all jobs, which is wrong: the client does not see the first one alone.
var DeliverAll = modules.Action[State, One]{
	Name: "DeliverAll", Params: modules.Once,
	Guard:  func(s *State, _ One) bool { return s.Done+1 < s.Asked },
	Effect: func(s, n *State, _ One) { n.Done = s.Asked },
}

var (
	client  = grains.Grain[State]{Name: "baseline", Covers: []string{"client"}, Actions: actions{&Ask}}
	network = grains.Grain[State]{Name: "baseline", Covers: []string{"network"}, Actions: actions{&Deliver}}

	atOnce = grains.Coarsen(grains.Grain[State]{
		Name: "at-once", Actions: actions{&DeliverAtOnce}, Sets: []grains.Setting{{Name: "delivery", Value: "at-once"}},
	}, network)
	all = grains.Coarsen(grains.Grain[State]{
		Name: "all", Actions: actions{&DeliverAll}, Sets: []grains.Setting{{Name: "delivery", Value: "at-once"}},
	}, network)
	inOrder = grains.Coarsen(grains.Grain[State]{
		Name: "in-order", Actions: actions{&DeliverAtOnce}, Sets: []grains.Setting{{Name: "order", Value: "oldest"}},
	}, network)
	few = grains.Coarsen(grains.Grain[State]{
		Name: "few", Actions: actions{&DeliverAtOnce}, Sets: []grains.Setting{{Name: "jobs", Value: "1"}},
	}, network)
)

// System is the catalog.
var System = grains.System[State]{
	Name:    "sides",
	Doc:     "Jobs are asked for and done.",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "client"}, {Name: "network"}},
	Grains:  []grains.Grain[State]{client, network, atOnce, all, inOrder, few},
	Bounds:  []grains.Bound{{Name: "jobs", Doc: "jobs", Min: 1, Max: 9, Default: 4, Const: "Jobs"}},
	Options: []grains.Option{
		{Name: "delivery", Doc: "how jobs are sent", Values: []string{"messages", "at-once"}, Default: "messages", Const: "Delivery"},
		{Name: "order", Doc: "what is done first", Values: []string{"any", "oldest"}, Default: "any", Const: "Order"},
	},
}
