package interaction

import (
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/testdata/switched"
)

// TestNever: constants decide which actions cannot be enabled, and states do not.
func TestNever(t *testing.T) {
	t.Parallel()
	const dir = "testdata/switched"
	for _, c := range []struct{ edit, choice, want string }{
		{"", "sender/baseline extra/baseline", "Lose LoseLate Retry Forbidden"},
		{"", "sender/baseline", "Lose LoseLate Retry"},
		{"Lossy   = false => Lossy   = true", "sender/baseline extra/baseline", "Retry"},
		{`Variant = "plain" => Variant = "retrying"`, "sender/baseline", "Lose LoseLate"},
		{`Variant = "plain" => Variant = "hesitant"`, "sender/baseline", "Lose LoseLate"},
		{"Rounds  = 2 => Rounds  = 0", "sender/baseline", "Lose LoseLate Retry Turn Loops"},
	} {
		var edits []string
		if c.edit != "" {
			edits = append(edits, "switched.go: "+c.edit)
		}
		p, findings, err := Load(Config{Dir: ".", Package: "./" + dir, Overlay: overlay(t, dir, edits)})
		if err != nil || len(findings) > 0 {
			t.Fatal(findings, err)
		}
		if got := strings.Join(analyze(t, p, choice(c.choice)).Never, " "); got != c.want {
			t.Errorf("%s with %q: got %q, want %q", c.choice, c.edit, got, c.want)
		}
	}
}

// TestNeverInStates compares the analysis with the guards themselves, in states that no walk leads
// to, too.
func TestNeverInStates(t *testing.T) {
	t.Parallel()
	p, findings, err := Load(Config{Dir: ".", Package: "./testdata/switched"})
	if err != nil || len(findings) > 0 {
		t.Fatal(findings, err)
	}
	c := choice("sender/baseline extra/baseline")
	never := analyze(t, p, c).Never
	spec, err := grains.Compose(&switched.System, c)
	if err != nil {
		t.Fatal(err)
	}
	for k := range spec.Actions {
		a := &spec.Actions[k]
		enabled := false
		for n := range 256 {
			for _, lost := range []uint8{0, 1, 255} {
				s := switched.State{Sent: uint8(n), Lost: lost, Round: uint8(n % 3)}
				enabled = enabled || a.Enabled(&s, 0)
			}
		}
		if enabled == slices.Contains(never, a.Name) {
			t.Errorf("%s: enabled in some state: %t, but never: %v", a.Name, enabled, never)
		}
	}
}

// TestNeverNeedsNoCounterpart: a coarse grain may leave out an action that constants switch off,
// though a target depends on what the action writes. If they switch it on, the update is lost.
func TestNeverNeedsNoCounterpart(t *testing.T) {
	t.Parallel()
	const dir = "testdata/switched"
	observed := []string{
		`switched.go: {Name: "sender"} => {Name: "sender"}, {Name: "observer"}`,
		`switched.go: Grains: []grains.Grain[State]{ => Grains: []grains.Grain[State]{coarse, observer,`,
		`switched.go: // System is the catalog. => ` +
			`var coarse = grains.Grain[State]{Name: "coarse", Covers: []string{"sender"}, Coarsens: true, From: []grains.Ref{{Module: "sender", Grain: "baseline"}},¶` +
			`	Actions: actions{&Send, &Always, &Turn, &Unreachable, &Loops}}¶¶` +
			`var Look = action{Name: "Look", Params: modules.Once, Effect: func(s, n *State, _ none) { n.Round = 0 },¶` +
			`	Guard: func(s *State, _ none) bool { return s.Lost > 0 }}¶¶` +
			`var observer = grains.Grain[State]{Name: "baseline", Covers: []string{"observer"}, Actions: actions{&Look}}¶¶` +
			`// System is the catalog.`,
	}
	for _, c := range []struct {
		edit    string
		verdict Verdict
		want    string // kinds and variables of errors
	}{
		{"", Preserved, ""},
		{"switched.go: Lossy   = false => Lossy   = true", Broken, "lost-update Lost"},
	} {
		edits := slices.Clone(observed)
		if c.edit != "" {
			edits = append(edits, c.edit)
		}
		p, findings, err := Load(Config{Dir: ".", Package: "./" + dir, Overlay: overlay(t, dir, edits)})
		if err != nil || len(findings) > 0 {
			t.Fatal(findings, err)
		}
		rep := analyze(t, p, choice("sender/coarse observer/baseline"), "observer")
		var got []string
		for _, f := range rep.Grains[0].Findings {
			if f.Severity == Error {
				got = append(got, string(f.Kind)+" "+f.Variable)
			}
		}
		if strings.Join(got, ", ") != c.want || rep.Verdict != c.verdict {
			t.Errorf("with %q the verdict is %s with %v, want %s with %s", c.edit, rep.Verdict, rep.Grains[0].Findings, c.verdict, c.want)
		}
	}
}
