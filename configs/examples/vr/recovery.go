package vr

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Crash lets a replica lose its state, while less than half are down or recover.
var Crash = Action[One]{
	Name:   "Crash",
	Params: each,
	Guard: func(s *State, p One) bool {
		up := 0
		for j := range Node(Replicas) {
			if j != p.I && s.up(j) {
				up++
			}
		}
		return s.Status[p.I] != Down && up*2 > Replicas
	},
	Effect: func(s, n *State, p One) {
		n.enter(p.I, 0, Down)
		n.Last[p.I] = 0
		n.Log[p.I].Clear()
		n.Commit[p.I] = 0
		n.Nonce[p.I] = s.Nonce[p.I] + 1
	},
}

var faultsCrash = grains.Grain[State]{
	Name:    "crash",
	Covers:  []string{"faults"},
	Actions: Actions{&Crash},
	Budgets: []modules.Budget[State]{modules.Spend[State]("crashes", &Crash)},
}

// Recover begins a recovery.
var Recover = Action[One]{
	Name:   "Recover",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Status[p.I] == Down },
	Effect: func(s, n *State, p One) {
		n.Status[p.I] = Recovering
		n.tell(p.I, Msg{Kind: RECOVERY, Nonce: s.Nonce[p.I]})
	},
}

// Respond answers RECOVERY.
var Respond = Action[At]{
	Name:   "Respond",
	Params: received,
	Guard:  func(s *State, p At) bool { return s.Msgs.Is(p.J, p.I, int(p.K), RECOVERY) && s.Status[p.I] == Normal },
	Effect: func(s, n *State, p At) {
		m := Msg{Kind: RESPONSE, View: s.View[p.I], Nonce: n.Msgs.Recv(p.J, p.I, int(p.K), RECOVERY).Nonce}
		if s.leads(p.I) {
			m.Log = s.Log[p.I]
			m.Commit = s.Commit[p.I]
		}
		n.Msgs.Send(p.I, p.J, m)
	},
}

// Restore counts a response, which stays in the network and may arrive again. With a quorum, the
// primary of the latest view among them, the replica has recovered.
var Restore = Action[At]{
	Name:   "Restore",
	Params: received,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Is(p.J, p.I, int(p.K), RESPONSE) && s.Status[p.I] == Recovering &&
			(AnyNonce || s.Msgs.Peek(p.J, p.I, int(p.K), RESPONSE).Nonce == s.Nonce[p.I])
	},
	Effect: func(s, n *State, p At) {
		n.Responses[p.I].Put(p.J, s.Msgs.Peek(p.J, p.I, int(p.K), RESPONSE))
		latest := uint8(0)
		for j := range Node(Replicas) {
			if n.Responses[p.I].Has(j) {
				latest = max(latest, n.Responses[p.I].At(j).View)
			}
		}
		from := primaryOf(latest)
		if !n.Responses[p.I].Keys().IsQuorum(Replicas) || !n.Responses[p.I].Has(from) || n.Responses[p.I].At(from).View < latest {
			return
		}
		m := n.Responses[p.I].At(from)
		n.enter(p.I, latest, Normal)
		n.Log[p.I] = m.Log
		n.Commit[p.I] = m.Commit
	},
}

var recoveryBaseline = grains.Grain[State]{
	Name:    "baseline",
	Covers:  []string{"recovery"},
	Actions: Actions{&Recover, &Respond, &Restore},
}
