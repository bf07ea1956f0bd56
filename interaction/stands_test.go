package interaction

import (
	"strings"
	"testing"
)

// TestStandInSetsWhatAPropertyReads: a coarse grain need not update what only a property of a
// replaced step reads, if each stand-in sets it in the state before. One that may leave it as it
// is, a stand-in that does not set it, and a property of the state after need the update.
func TestStandInSetsWhatAPropertyReads(t *testing.T) {
	t.Parallel()
	const (
		dir     = "../cmd/multigrain/testdata/spec/registry"
		offered = `registry.go: 	Invariants: invariants{ => 	Invariants: invariants{¶		{ID: "Quorum", Doc: "x", OnStep: modules.OnStep(&Issue, func(s, n *State, _ One) bool { return s.Signed.IsQuorum(Clerks) })},`
		begun   = `registry.go: b.Number, b.Opener = s.Number+1, p.I } => b.Number, b.Opener = s.Number+1, p.I¶	`
		always  = `b.Signed = p.S¶}`
	)
	for name, c := range map[string]struct {
		edits []string
		lost  bool
	}{
		"set":             {[]string{offered, begun + always}, false},
		"not set":         {[]string{offered}, true},
		"set on one way":  {[]string{offered, begun + `if s.Away[0] {¶		b.Signed = p.S¶	}¶}`}, true},
		"by one of two":   {[]string{offered, begun + always, `registry.go: 	modules.StandsFor(&IssueAtOnce, &Issue, issued, begun), => 	modules.StandsFor(&IssueAtOnce, &Issue, issued, begun),¶	modules.StandsFor(&Skip, &Issue, nil, nil),`}, true},
		"the state after": {[]string{strings.Replace(offered, "return s.Signed", "return n.Signed", 1), begun + always}, true},
	} {
		for k := range c.edits {
			c.edits[k] = strings.ReplaceAll(c.edits[k], "¶", "\n")
		}
		p, findings, err := Load(Config{Dir: ".", Package: "./" + dir, Overlay: overlay(t, dir, c.edits)})
		if err != nil || len(findings) > 0 {
			t.Fatal(name, findings, err)
		}
		rep := analyze(t, p, choice("issue/coarse serve/baseline faults/return", "Quorum"), "serve")
		lost := false
		for _, f := range rep.Findings {
			lost = lost || f.Variable == "Signed" && f.Kind == LostForInvariant
		}
		if lost != c.lost {
			t.Errorf("%s: the update of Signed is lost: %t, want %t: %v", name, lost, c.lost, rep.Findings)
		}
	}
}
