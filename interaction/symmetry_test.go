package interaction

import (
	"strings"
	"testing"

	engine "github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/testdata/relay"
	"github.com/multigrain/multigrain/modules"
)

// TestSymmetry: what is found of the reference specification, and each way to tell servers apart
// that is put into it.
func TestSymmetry(t *testing.T) {
	t.Parallel()
	const dir = "../raft/reference"
	const timeout = "election.go: return s.Role[p.I] != Leader && s.Term => return s.Role[p.I] != Leader && "
	for _, c := range []struct{ edit, want string }{
		{"", ""},
		{timeout + "p.I > 0 && s.Term", "orders servers"},
		{timeout + "p.I >= 0 && s.Term", ""}, // it is one
		{timeout + "p.I < Servers && s.Term", ""},
		{timeout + "p.I > Nil && s.Term", ""},
		{timeout + "p.I == 1 && s.Term", "names server 1"},
		{timeout + "p.I+1 != 2 && s.Term", "computes with a server"},
		{timeout + "p.I%2 != 2 && s.Term", "computes with a server"},
		{timeout + "-p.I != 2 && s.Term", "computes with a server"},
		{timeout + "int(p.I)*2 < 9 && s.Term", "computes with a server"},
		{timeout + "max(p.I, s.Voted[p.I]) != Nil && s.Term", "orders servers"},
		{timeout + "s.Voted[p.I] < p.I && s.Term", "orders servers"},
		{timeout + "s.Votes[p.I] < 4 && s.Term", "computes with a set of servers"},
		{timeout + "uint8(s.Votes[p.I]) != 4 && s.Term", "makes a number of a set of servers"},
		{timeout + "s.Role[0] != Leader && s.Term", "chooses an element of Role by a number"},
		{timeout + "s.Votes[p.I].Len() < 2 && s.Term", ""},
		// constants rule it out
		{timeout + "(Servers == 4 && p.I > 0 || Servers == 3) && s.Term", ""},
		{"election.go: n.Voted[p.I] = p.I => n.Voted[p.I] = Server(s.Reqs)", "makes a server of a number"},
		{"election.go: n.Term[p.I] = s.Term[p.I] + 1 => n.Term[p.I] = uint8(p.I)", "makes a number of a server"},
		{"election.go: n.Match[p.I][j] = 0 => n.Match[p.I][j] = uint8(j)", "makes a number of a server"},
		{"invariants.go: for j := range i { => for j := Server(0); j < i; j++ {", "orders servers"},
	} {
		found := symmetryOf(t, "./raft/reference", dir, c.edit, "raft/baseline faults/restart-drop")
		ids, findings, _ := found.Of(nil)
		got := ""
		for _, f := range findings {
			got += f.Message + "; "
			if f.Line == 0 || f.Code != "MG220" {
				t.Errorf("%s: no place: %+v", c.edit, f)
			}
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.edit, got, c.want)
		}
		if ids.Type != "Server" || ids.Count != 3 || strings.Join(ids.Arrays, " ") != "State.Commit/0 State.Log/0 State.Match/0 "+
			"State.Match/1 State.Next/0 State.Next/1 State.Role/0 State.Term/0 State.Voted/0 State.Votes/0" {
			t.Errorf("%+v", ids)
		}
	}
}

// TestSymmetryOfOneRole reads a specification with servers and a client. Only servers are
// identities, and arrays of all nodes are among those that have an element for each.
func TestSymmetryOfOneRole(t *testing.T) {
	t.Parallel()
	const dir = "testdata/roles"
	for _, c := range []struct{ edit, want string }{
		{"", ""},
		{"roles.go: n.Heard[Client] = true => n.Heard[0] = true", "chooses an element of Heard by a number"},
		{"roles.go: return !s.Asked.Has(p.I) => return !s.Asked.Has(p.I) && p.I < 2", "orders servers"},
		{"roles.go: if i != Client && s.Served[i] { => if i < Client && s.Served[i] {", ""},
		{"roles.go: return !s.Asked.Has(p.I) => return !s.Asked.Has(p.I) && !modules.Where(Servers, func(i Node) bool { return !s.Asked.Has(i) }).Empty()", ""},
		{"roles.go: return !s.Asked.Has(p.I) => return !s.Asked.Has(p.I) && !modules.Where(1, func(i Node) bool { return !s.Asked.Has(i) }).Empty()", "takes the first ones of all servers"},
		{"roles.go: return !s.Asked.Has(p.I) => return !s.Asked.Has(p.I) && modules.All(Nodes, func(i Node) bool { return !s.Asked.Has(i) })", ""},
		{"roles.go: return !s.Asked.Has(p.I) => return !s.Asked.Has(p.I) && !modules.Below[Node](1).Has(p.I)", "takes the first ones of all servers"},
	} {
		found := symmetryOf(t, "./interaction/"+dir, dir, c.edit, "service/baseline")
		ids, findings, _ := found.Of(nil)
		got := ""
		for _, f := range findings {
			got += f.Message + "; "
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.edit, got, c.want)
		}
		if ids.Type != "Node" || ids.Count != 3 || strings.Join(ids.Arrays, " ") != "State.Heard/0 State.Served/0" {
			t.Errorf("%+v", ids)
		}
	}
}

// TestSymmetryOfLaterRoles reads a specification whose servers are ordered. Its clients and its
// watchers, which have later numbers, are alike.
func TestSymmetryOfLaterRoles(t *testing.T) {
	t.Parallel()
	const dir = "testdata/relay"
	for _, c := range []struct{ edit, role, want string }{
		{"", "client", ""},
		{"", "watcher", ""},
		{"", "client watcher", ""},
		{"", "server", "names server 0"},
		{"", "", "orders servers"},
		// A server is before every client.
		{"relay.go: if k > p.I { => if k > m.From {", "client", ""},
		{"relay.go: return !s.Asked.Has(p.I) => return !s.Asked.Has(p.I) && p.I < FirstWatcher", "client", ""},
		{"relay.go: return !s.Asked.Has(p.I) => return !s.Asked.Has(p.I) && p.I > Servers", "client", "orders clients"},
		{"relay.go: return !s.Asked.Has(p.I) => return !s.Asked.Has(p.I) && p.I > Servers", "watcher", ""},
		{"relay.go: return !s.Asked.Has(p.I) => return !s.Asked.Has(p.I) || p.I == Servers+1", "client", "names client 2"},
		{"relay.go: return !s.Asked.Has(p.I) => return !s.Asked.Has(p.I) || p.I == Servers+1", "watcher", ""},
		{"relay.go: return !s.Asked.Has(p.I) => return !s.Asked.Has(p.I) || s.Heard[p.I-1]", "client", "computes with a client"},
		{"relay.go: if s.Seen[i]&^s.Served != 0 { => if i != FirstWatcher+1 && s.Seen[i]&^s.Served != 0 {", "watcher", "names watcher 1"},
		{"relay.go: for k := range Node(Servers) { => for k := range Node(Servers + 1) {", "client", "names client 2"},
		{"relay.go: n.Busy[p.I]++ => n.Busy[p.I] += uint8(m.From)", "client", "makes a number of a client"},
	} {
		found := symmetryOf(t, "./interaction/"+dir, dir, c.edit, "service/baseline")
		_, findings, unknown := found.Of(strings.Fields(c.role))
		got := ""
		for _, f := range findings {
			got += f.Message + "; "
		}
		if unknown != "" || c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: got %q, want %q", c.role, c.edit, got, c.want)
		}
	}
	if _, _, unknown := symmetryOf(t, "./interaction/"+dir, dir, "", "service/baseline").Of([]string{"client", "master"}); unknown != "master" {
		t.Errorf("the master is one node: %q", unknown)
	}
}

// TestOrbitsOfLaterRoles explores that specification with symmetry of some roles. The oracle
// explores it without and builds each state with its nodes renumbered, in all orders, by the
// operations of the containers. The search must store one state for each orbit.
func TestOrbitsOfLaterRoles(t *testing.T) {
	t.Parallel()
	found := symmetryOf(t, "./interaction/testdata/relay", "testdata/relay", "", "service/baseline")
	compose := func() *engine.Spec[relayNode] {
		spec, err := grains.Compose(&relay.System, grains.Choice{Grains: []grains.Ref{{Module: "service", Grain: "baseline"}}, Invariants: []string{"*"}})
		if err != nil {
			t.Fatal(err)
		}
		out, err := engine.Of[relay.State, [0]uint8](spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	var nodes []relayNode
	whole := spectest.Naive(compose(), spectest.NaiveOptions[relayNode]{Each: func(n *relayNode, _ int) { nodes = append(nodes, *n) }})
	counts := map[string]int64{}
	for _, roles := range []string{"client", "watcher", "client watcher"} {
		ids, findings, unknown := found.Of(strings.Fields(roles))
		if len(findings) > 0 || unknown != "" {
			t.Fatal(roles, findings, unknown)
		}
		spec := compose()
		y, err := spectest.BySymmetry(spec, *ids, nil)
		if err != nil {
			t.Fatal(err)
		}
		if pairs, err := y.Equivariant(spec, 300, 1); err != nil || pairs < 300 {
			t.Fatal(roles, pairs, err)
		}
		res, err := explore.Run(spec, explore.Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		seen, want := map[relayNode]bool{}, int64(0)
		for k := range nodes {
			if !seen[nodes[k]] {
				want++
				for _, to := range renumberings(roles) {
					seen[relayNode{State: renumbered(&nodes[k].State, to)}] = true
				}
			}
		}
		if res.Distinct != want || res.Verdict != whole.Verdict || res.Depth != whole.Depth || want >= whole.Distinct {
			t.Errorf("%s: %s with %d states, depth %d; %s with %d orbits of %d states, depth %d", roles,
				res.Verdict, res.Distinct, res.Depth, whole.Verdict, want, whole.Distinct, whole.Depth)
		}
		counts[roles] = want
	}
	t.Log(whole.Distinct, "states, orbits", counts)
}

type relayNode = engine.Node[relay.State, [0]uint8]

// renumberings returns all orders of the nodes in which only those of some roles change places.
func renumberings(roles string) (out []map[relay.Node]relay.Node) {
	clients, watchers := [][]relay.Node{{2, 3, 4}}, [][]relay.Node{{5, 6}}
	if strings.Contains(roles, "client") {
		clients = [][]relay.Node{{2, 3, 4}, {2, 4, 3}, {3, 2, 4}, {3, 4, 2}, {4, 2, 3}, {4, 3, 2}}
	}
	if strings.Contains(roles, "watcher") {
		watchers = [][]relay.Node{{5, 6}, {6, 5}}
	}
	for _, c := range clients {
		for _, w := range watchers {
			out = append(out, map[relay.Node]relay.Node{0: 0, 1: 1, 2: c[0], 3: c[1], 4: c[2], 5: w[0], 6: w[1], 7: 7})
		}
	}
	return out
}

// renumbered returns the state in which node k has become to[k].
func renumbered(s *relay.State, to map[relay.Node]relay.Node) (n relay.State) {
	set := func(of modules.Set[relay.Node]) (out modules.Set[relay.Node]) {
		for i := range relay.Node(relay.Nodes) {
			if of.Has(i) {
				out.Add(to[i])
			}
		}
		return out
	}
	n.Asked, n.Served, n.Busy = set(s.Asked), set(s.Served), s.Busy
	for k := 1; k <= s.Told.Len(); k++ {
		n.Told.Append(to[s.Told.At(k)])
	}
	for i := range relay.Node(relay.Nodes) {
		n.Seen[to[i]], n.Heard[to[i]] = set(s.Seen[i]), s.Heard[i]
		for j := range relay.Node(relay.Nodes) {
			for k := 1; k <= s.Msgs.Len(i, j); k++ {
				m := s.Msgs.At(i, j, k)
				m.From = to[m.From]
				n.Msgs.Send(to[i], to[j], m)
			}
		}
	}
	return n
}

// symmetryOf analyses a composition of the specification in dir after an edit, if there is one.
func symmetryOf(t *testing.T, pkg, dir, edit, composition string) *Symmetry {
	t.Helper()
	var edits []string
	if edit != "" {
		edits = append(edits, edit)
	}
	p, findings, err := Load(Config{Dir: "..", Package: pkg, Overlay: overlay(t, dir, edits)})
	if err != nil || HasErrors(findings) {
		t.Fatal(edit, findings, err)
	}
	chosen := choice(composition)
	chosen.Invariants = []string{"*"}
	rep, _ := p.Analyze(chosen, nil)
	if rep == nil || rep.Symmetry == nil || len(rep.Symmetry.Roles) == 0 {
		t.Fatal(edit, "no symmetry")
	}
	return rep.Symmetry
}
