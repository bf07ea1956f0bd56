package interaction

import (
	"strings"
	"testing"
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
		got := ""
		for _, f := range found.Findings {
			got += f.Message + "; "
			if f.Line == 0 || f.Code != "MG220" {
				t.Errorf("%s: no place: %+v", c.edit, f)
			}
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.edit, got, c.want)
		}
		if ids := found.Identities; ids.Type != "Server" || ids.Count != 3 || strings.Join(ids.Arrays, " ") != "State.Commit/0 State.Log/0 State.Match/0 "+
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
	} {
		found := symmetryOf(t, "./interaction/"+dir, dir, c.edit, "service/baseline")
		got := ""
		for _, f := range found.Findings {
			got += f.Message + "; "
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.edit, got, c.want)
		}
		if ids := found.Identities; ids.Type != "Node" || ids.Count != 3 || strings.Join(ids.Arrays, " ") != "State.Heard/0 State.Served/0" {
			t.Errorf("%+v", ids)
		}
	}
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
	if rep == nil || rep.Symmetry == nil || rep.Symmetry.Identities == nil {
		t.Fatal(edit, "no symmetry")
	}
	return rep.Symmetry
}
