package chain

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Put is CallPut and SendPut in one step.
var Put = Action[None]{
	Name:   "Put",
	Actor:  "client",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Puts < MaxPuts },
	Effect: func(s, n *State, _ None) {
		n.Puts = s.Puts + 1
		n.Msgs.Send(Client, s.Head, Msg{Kind: PUT, V: n.Puts})
	},
}

// Get is CallGet and SendGet in one step.
var Get = Action[None]{
	Name:   "Get",
	Actor:  "client",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Phase == Idle && s.Gets < MaxGets },
	Effect: func(s, n *State, _ None) {
		n.Gets = s.Gets + 1
		n.Phase = Sent
		n.Floor = s.Known
		n.Msgs.Send(Client, s.asked(), Msg{Kind: GET, N: n.Gets})
	},
}

// Resend is TakeView of a client that has sent all that was called.
var Resend = Action[None]{
	Name:   "Resend",
	Actor:  "client",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Msgs.Is(Master, Client, VIEW) },
	Effect: func(s, n *State, _ None) {
		m := n.Msgs.Recv(Master, Client, VIEW)
		n.Head = head(m.Chain)
		n.Tail = tail(m.Chain)
		for v := range uint8(MaxPuts + 1) {
			if v > s.Known && v <= s.Puts {
				n.Msgs.Send(Client, n.Head, Msg{Kind: PUT, V: v})
			}
		}
		if s.Phase == Sent {
			n.Msgs.Send(Client, n.asked(), Msg{Kind: GET, N: s.Gets})
		}
	},
}

var clientCoarse = grains.Coarsen(grains.Grain[State]{
	Name:    "coarse",
	Actions: Actions{&Put, &TakeDone, &Get, &TakeValue, &Finish, &Resend},
}, clientBaseline)
