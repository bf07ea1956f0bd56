package zab

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// sight holds the variables of one server and the messages in flight to and from it, as the grains
// node of Election and Discovery see them. Nobody votes there.
type sight struct {
	state                          ServerState
	zab                            ZabState
	serving                        ServingState
	accepted, current              Number
	history                        History
	committed, processed           Number
	learners                       Set
	electing                       modules.Map[Server, Elector, [Servers]Elector]
	acked, connecting              Contacts
	leader                         Server
	connection                     ConnectInfo
	packets                        Packets
	epoch                          Number
	sent                           [Servers][MaxChannel]Msg
	received                       [Servers][MaxChannel]Msg
	sentLength, receivedLength     [Servers]int
	initial                        Number
	forwarding, announced, updated Set
}

// alone returns the state as the local actions of server i take it. A learner whose FOLLOWERINFO is
// in flight is not one yet: the specification connects both ends in one step.
func alone(s *State, i Server) State {
	n := *s
	for j := range Server(Servers) {
		if j != i && n.Msgs.Is(j, i, FOLLOWERINFO) {
			n.Learners[i].Remove(j)
		}
	}
	if n.State[i] == LOOKING { // what is set anew when an election ends
		n.InitialHistory[i], n.PacketsSync[i], n.TempMaxEpoch[i] = 0, Packets{}, 0
		n.Learners[i], n.Connecting[i], n.AckldRecv[i] = 0, Contacts{}, Contacts{}
		n.Electing[i].Clear()
	}
	return n
}

func sightOf(s *State, i Server) sight {
	v := sight{state: s.State[i], zab: s.ZabState[i], serving: s.ServingState[i], accepted: s.AcceptedEpoch[i], current: s.CurrentEpoch[i],
		history: s.History[i], committed: s.LastCommitted[i], processed: s.LastProcessed[i], learners: s.Learners[i], electing: s.Electing[i],
		acked: s.AckldRecv[i], connecting: s.Connecting[i], leader: s.LeaderAddr[i], connection: s.ConnectInfo[i], packets: s.PacketsSync[i],
		epoch: s.TempMaxEpoch[i], initial: s.InitialHistory[i], forwarding: s.Forwarding[i], announced: s.Beside[i].Announced, updated: s.Beside[i].UpToDate}
	for j := range Server(Servers) {
		v.sentLength[j], v.receivedLength[j] = s.Msgs.Len(i, j), s.Msgs.Len(j, i)
		for k := range v.sentLength[j] {
			v.sent[j][k] = s.Msgs.At(i, j, k+1)
		}
		for k := range v.receivedLength[j] {
			v.received[j][k] = s.Msgs.At(j, i, k+1)
		}
	}
	return v
}

// comesTo reports whether v is w except for what others have sent and taken meanwhile.
func (v sight) comesTo(w sight) bool {
	for j := range v.received {
		taken := v.sentLength[j] - w.sentLength[j]
		if v.receivedLength[j] > w.receivedLength[j] || taken < 0 || !slices.Equal(v.sent[j][taken:v.sentLength[j]], w.sent[j][:w.sentLength[j]]) {
			return false
		}
		v.sent[j], v.sentLength[j] = w.sent[j], w.sentLength[j]
		copy(v.received[j][v.receivedLength[j]:], w.received[j][v.receivedLength[j]:])
		v.receivedLength[j] = w.receivedLength[j]
	}
	return v == w
}

// TestElectLocally walks at random through elections and Discovery. What a step does to a server,
// one action of the grains node does, or none, as they run next to a server. That holds for
// the baseline of Election and for coarse-election. Steps that end a connection, and both ends with
// it, are left out: where each step is one server's, each end notices by itself.
func TestElectLocally(t *testing.T) {
	t.Parallel()
	if Servers != 3 || MaxHistory < 2 {
		t.Skip("elections are drawn for the sizes as they are")
	}
	for _, grain := range []string{"baseline", "coarse-election"} {
		t.Run(grain, func(t *testing.T) {
			t.Parallel()
			electLocally(t, grain, 300)
		})
	}
}

func electLocally(t *testing.T, grain string, walks int) {
	faults := "crash-partition phase_timeouts=true"
	spec := compose(t, grains.Choice{
		Grains:  []grains.Ref{{Module: "election", Grain: grain}, {Module: "discovery", Grain: "baseline"}, {Module: "faults", Grain: faults}},
		Budgets: map[string]int{"crashes": 9, "partitions": 9, "timeouts": 9, "fle_timeouts": 2},
	})
	// as next to a server, whatever others do
	leads, follows, connects := NodeLeads, NodeFollows, NodeConnects
	leads.Guard = func(s *State, p One) bool { return s.isLooking(p.I) }
	follows.Guard = func(s *State, p Pair) bool { return s.isLooking(p.I) }
	connects.Guard = func(s *State, p Pair) bool {
		return s.State[p.I] == FOLLOWING && s.LeaderAddr[p.I] == NullPoint && s.CurrentVote[p.I].Leader == p.J
	}
	local := modules.Bind(Actions{&leads, &follows, &connects, &NodeProcessFOLLOWERINFO, &NodeDropsFOLLOWERINFO, &NodeProcessLEADERINFO,
		&NodeBringsUpMemory, &NodeAnswersLEADERINFO, &NodeProcessACKEPOCH}, nil, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	stood := map[string]int{}
	for range walks {
		now := node{State: beginning(rng)}
		for range 80 {
			next, action := randomNode(spec, &now, rng)
			if action == "" {
				break
			}
			if !slices.Contains([]string{"NodeCrash", "NodeStart", "PartitionStart", "PartitionRecover"}, action) && !givesUp(&now.State, &next.State) {
				for i := range Server(Servers) {
					by, ok := standsFor(&now.State, &next.State, i, local)
					if !ok {
						t.Fatalf("no local action of server %d does what %s does\nbefore %+v\nbehind %+v", i, action, sightOf(&now.State, i), sightOf(&next.State, i))
					}
					stood[by]++
				}
			}
			now = next
		}
	}
	t.Log(stood)
	for _, l := range local {
		// the first ends a connection, the second is of a shutdown, the third follows another one
		if stood[l.Name] < 20 && l.Name != NodeDropsFOLLOWERINFO.Name && l.Name != NodeBringsUpMemory.Name && l.Name != NodeAnswersLEADERINFO.Name {
			t.Errorf("%s stood for %d steps", l.Name, stood[l.Name])
		}
	}
}

// beginning returns a state in which everybody looks for a leader, with some history.
func beginning(rng *rand.Rand) State {
	s := initial()
	for i := range Server(Servers) {
		s.CurrentEpoch[i] = Number(rng.IntN(2))
		s.AcceptedEpoch[i] = s.CurrentEpoch[i] + Number(rng.IntN(2))
		if s.CurrentEpoch[i] > 0 && rng.IntN(2) == 0 {
			s.History[i].Append(Txn{Zxid: Zxid{1, 1}})
			s.LastProcessed[i] = 1
		}
	}
	return s
}

// randomNode takes one of the enabled steps that raises nothing and exceeds nothing, faults seldom;
// the name is "" where there is none.
func randomNode(spec *checker.Spec[node], s *node, rng *rand.Rand) (n node, name string) {
	best := 0.0
	for k, in := range spec.Instances {
		if crowdedElection(&s.State) || !spec.Enabled(s, k) {
			continue
		}
		a := &spec.Actions[in.Action]
		next := *s
		spec.Apply(s, &next, k)
		weight := rng.Float64()
		if a.Environment {
			weight /= 20
		}
		if weight > best && next.State.Raised == (modules.Raised[Assertion]{}) {
			n, name, best = next, a.Name, weight
		}
	}
	return n, name
}

// crowdedElection reports whether a queue has no room for what a step may send.
func crowdedElection(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.ElectionMsgs.Len(i, j) > MaxNotifications-2 || s.Msgs.Len(i, j) > MaxChannel-2 {
				return true
			}
		}
		if s.RecvQueue[i].Len() > MaxQueued-2 || s.AcceptedEpoch[i] >= MaxEpochs {
			return true
		}
	}
	return false
}

// givesUp reports whether a step takes a server back to looking for a leader.
func givesUp(s, n *State) bool {
	for k := range Server(Servers) {
		if s.State[k] != LOOKING && n.State[k] == LOOKING {
			return true
		}
	}
	return false
}

// standsFor returns the local action of server i that does of the step from s to n what i sees;
// "none" where it sees nothing.
func standsFor(s, n *State, i Server, local []modules.Bound[State]) (name string, ok bool) {
	from, to := alone(s, i), alone(n, i)
	want := sightOf(&to, i)
	if sightOf(&from, i).comesTo(want) {
		return "none", true
	}
	for a := range local {
		for k := range local[a].Params {
			if acts(local[a].Params[k]) != i || !local[a].Enabled(&from, k) {
				continue
			}
			next := from
			local[a].Apply(&from, &next, k)
			if next.Beside[i].Offered > 0 { // the answer is a step of its own
				offered := next
				NodeAnswersLEADERINFO.Effect(&offered, &next, One{I: i})
			}
			if sightOf(&next, i).comesTo(want) {
				return local[a].Name, true
			}
		}
	}
	return "", false
}

// acts returns the server that acts with a parameter.
func acts(p any) Server {
	switch p := p.(type) {
	case One:
		return p.I
	case Pair:
		return p.I
	}
	return NullPoint
}
