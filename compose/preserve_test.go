package compose

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/checker/wire"
)

const comparedToy = "testdata/preserve/toy.hcl"

// compared assembles and runs the comparison of a manifest.
func compared(t *testing.T, path string, opt wire.Options, vars ...string) (*Comparison, *wire.Preservation) {
	t.Helper()
	c, diags := Resolve(load(t, path, vars...), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	x, diags := c.Compare()
	if diags.HasErrors() || x == nil {
		t.Fatal(diags)
	}
	program, diags := x.Assemble(t.Context())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	b, err := json.Marshal(x.Views)
	if err != nil {
		t.Fatal(err)
	}
	opt.Preserve = new(wire.Preserve)
	if err := json.Unmarshal(b, opt.Preserve); err != nil {
		t.Fatal(err)
	}
	opt.Preserve.Level, opt.Preserve.Fine = "L2", x.Fine.EncodedChoice()
	r, err := wire.Run(context.Background(), program, wire.Request{Verb: "preserve", Choice: x.Mixed.EncodedChoice(), Options: opt}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x, r.Preservation
}

// TestComparisonByHand: with two servers and no crash there is one chief, and one job is sent, done
// and reported. The report raises an assertion, since jobs are numbered from 0 there and counted
// from 1.
func TestComparisonByHand(t *testing.T) {
	t.Parallel()
	x, r := compared(t, comparedToy, wire.Options{})
	if got := x.Fine.Choice.Grains; len(got) != 4 || got[0].Grain != "baseline" || got[1].Module != "greeting" {
		t.Errorf("fine %v", got)
	}
	if r.Level != "L2" || r.L2.NoFalse != "yes" || r.L2.NoMissed != "yes" || len(r.Differences) != 0 {
		t.Errorf("got %+v", r)
	}
	// The coarse composition: nobody, the chief, a job sent, a job done. After that the assertion
	// ends it, in both.
	if s := r.Sides[1]; s.States != 4 || s.Transitions != 4 || s.Depth != 3 || s.Classes != 4 || !s.Complete {
		t.Errorf("coarse %+v", s)
	}
	if s := r.Sides[0]; s.Classes != 4 || !s.Complete || s.Depth != 12 {
		t.Errorf("fine %+v", s)
	}
	if r.Views != [2]int{3, 3} || r.Only != [2]int{} {
		t.Errorf("views %v, %v", r.Views, r.Only)
	}
}

// TestComparisonOfGrains compares coarse grains of the toy that are right, hide a behaviour, or
// invent one. Without MULTIGRAIN_SLOW it takes three of them.
func TestComparisonOfGrains(t *testing.T) {
	t.Parallel()
	quick := []string{"grain=coarse servers=3 crashes=1", "grain=talkative", "grain=inventive servers=3 crashes=1"}
	for _, c := range []struct {
		vars, noFalse, noMissed string
		observers               string // of the differences, each once
	}{
		{"grain=coarse servers=3", "yes", "yes", ""},
		// A term is agreed on and its member crashes before it knows: another chief opens the same
		// term.
		{"grain=coarse servers=3 crashes=1", "yes", "no", "ProcessJOB SendJOB T-1"},
		// Nobody is given a job.
		{"grain=forgetful", "yes", "no", "ProcessJOB ProcessREPORT SendJOB T-3.report"},
		{"grain=confused", "yes", "no", "ProcessJOB ProcessREPORT SendJOB T-3.report"},
		// A greeting that nobody takes stands before the job: the order of messages is not
		// preserved.
		{"grain=talkative", "yes", "no", "ProcessJOB ProcessREPORT T-3.report"},
		// What only the property reads is not kept: it is satisfied and sees less.
		{"grain=vacuous", "yes", "yes", ""},
		// Logs are wiped, which shows once there are any.
		{"grain=inventive", "yes", "yes", ""},
		{"grain=inventive servers=3 crashes=1", "no", "no", "ProcessJOB ProcessREPORT SendJOB T-1 T-2"},
	} {
		if os.Getenv("MULTIGRAIN_SLOW") == "" && !slices.Contains(quick, c.vars) {
			continue
		}
		_, r := compared(t, comparedToy, wire.Options{}, strings.Fields(c.vars)...)
		var observers []string
		for _, d := range r.Differences {
			// one difference for one cause
			for _, seen := range append(d.Also, wire.Sight{Observer: d.Observer}) {
				if !slices.Contains(observers, seen.Observer) {
					observers = append(observers, seen.Observer)
				}
			}
		}
		slices.Sort(observers)
		if got := strings.Join(observers, " "); r.Level != "L2" || r.L2.NoFalse != c.noFalse || r.L2.NoMissed != c.noMissed || got != c.observers {
			t.Errorf("%s: level %s, no false %s, no missed %s, differences of %s", c.vars, r.Level, r.L2.NoFalse, r.L2.NoMissed, got)
		}
	}
}

// TestComparisonOfBags: a position in a Bag is no observation, the message at it is. So a coarse
// grain that sends no greetings is right whichever kind comes first in the Bag, with a network that
// loses and duplicates messages. One that loses or invents a job is found with both orders.
func TestComparisonOfBags(t *testing.T) {
	t.Parallel()
	quick := []string{"grain=coarse drops=1 copies=1", "grain=inventive"}
	for _, c := range []struct{ vars, l1, noFalse, noMissed string }{
		{"grain=coarse", "yes", "yes", "yes"},
		{"grain=coarse drops=1 copies=1", "yes", "yes", "yes"},
		{"grain=losing", "no", "no", "yes"},
		{"grain=losing drops=1", "yes", "no", "yes"}, // the fine network can lose a job, too
		{"grain=inventive", "no", "no", "yes"},
	} {
		if os.Getenv("MULTIGRAIN_SLOW") == "" && !slices.Contains(quick, c.vars) {
			continue
		}
		var counts [2][2]int
		for first := range 2 {
			_, r := compared(t, "testdata/preserve/mail.hcl", wire.Options{}, append(strings.Fields(c.vars), fmt.Sprint("first=", first))...)
			if r.Level != "L2" || r.L1.NoFalse != c.l1 || r.L2.NoFalse != c.noFalse || r.L1.NoMissed != c.noMissed || r.L2.NoMissed != c.noMissed {
				t.Errorf("%s first=%d: level %s, L1 %+v, L2 %+v, views %v, only %v", c.vars, first, r.Level, r.L1, r.L2, r.Views, r.Only)
				for _, d := range r.Differences {
					t.Logf("%s missed=%t %s: %+v %+v", d.Observer, d.Missed, d.Cell, d.Here, d.There)
				}
			}
			counts[first] = r.Views
		}
		if counts[0] != counts[1] {
			t.Errorf("%s: %v views where greetings come first, %v where jobs do", c.vars, counts[0], counts[1])
		}
	}
}

// TestPicks: parameters are positions of Bags where an operation takes them as such, as they are or
// with a number added. The environment's messages of kinds that no module under test reads are
// hidden.
func TestPicks(t *testing.T) {
	t.Parallel()
	c, diags := Resolve(load(t, "testdata/preserve/mail.hcl"), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	x, diags := c.Compare()
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var got []string
	for _, s := range x.Views.Steps {
		text := s.Action
		for _, p := range s.Picks {
			text += fmt.Sprintf(" %s%v%s%+d", p.Variable, p.Index, p.At, p.Add)
		}
		got = append(got, text+fmt.Sprint(" ", s.Hidden, s.Quiet))
	}
	want := []string{ // Take reads how many answers there are, so none is hidden
		"Ask [] false",
		"Take Msgs#JOB[p.J p.I]p.K+1 [] false",
		"Settle Answers#DONE[p.J p.I]p.K+0 [] false",
		"Drop Msgs#HELLO[p.J p.I]p.K+0 Msgs#JOB[p.J p.I]p.K+0 Msgs#DONE[p.J p.I]p.K+0 [Msgs#HELLO Msgs#DONE] true",
		"Copy Msgs#HELLO[p.J p.I]p.K+0 Msgs#JOB[p.J p.I]p.K+0 Msgs#DONE[p.J p.I]p.K+0 [Msgs#HELLO Msgs#DONE] true",
		"Mislay Answers#HELLO[p.J p.I]p.K+0 Answers#JOB[p.J p.I]p.K+0 Answers#DONE[p.J p.I]p.K+0 [] true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestComparisonIsTheSame: generated calls and the table of actions compare alike, and limits never
// make more of a result.
func TestComparisonIsTheSame(t *testing.T) {
	t.Parallel()
	vars := []string{"servers=3", "crashes=1"}
	_, direct := compared(t, comparedToy, wire.Options{}, vars...)
	_, table := compared(t, comparedToy, wire.Options{Table: true}, vars...)
	direct.Seconds, table.Seconds = 0, 0
	a, _ := json.MarshalIndent(direct, "", " ")
	b, _ := json.MarshalIndent(table, "", " ")
	if string(a) != string(b) {
		t.Errorf("the results differ:\n%s", udiff.Unified("direct", "table", string(a), string(b)))
	}
	_, part := compared(t, comparedToy, wire.Options{MaxStates: 20_000}, vars...)
	if part.Level != "L0" || part.L2.NoFalse == "no" || part.L2.NoMissed == "yes" || part.Reason == "" || part.Sides[0].Complete || !part.Sides[1].Complete {
		t.Errorf("got %+v", part)
	}
}

// TestStoredResult: a result is found again by the same sources and bounds only.
func TestStoredResult(t *testing.T) {
	t.Parallel()
	env := Env{CacheDir: t.TempDir()}
	resolve := func(vars ...string) *Composition {
		c, diags := Resolve(load(t, comparedToy, vars...), env)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return c
	}
	if b := resolve().Stored(""); b != nil {
		t.Errorf("got %s", b)
	}
	resolve().Store("found", json.RawMessage(`{"level":"L1"}`))
	resolve().Store("", json.RawMessage(`{"level":"L2"}`))
	if b := resolve().Stored(""); string(b) != `{"level":"L2"}` {
		t.Errorf("got %s", b)
	}
	for _, other := range []string{"servers=3", "crashes=1", "grain=forgetful"} {
		if b := resolve(other).Stored(""); b != nil {
			t.Errorf("%s: got %s", other, b)
		}
	}
}

// TestComparisonBounds: bounds of the interaction block are checked like others.
func TestComparisonBounds(t *testing.T) {
	t.Parallel()
	if _, diags := Resolve(load(t, comparedToy, "servers=9"), testEnv(t)); !diags.HasErrors() || !strings.Contains(diags.Error(), "Bound out of range") {
		t.Errorf("got %v", diags)
	}
}

// TestZabOfTwoServers: the quorum is everyone, and the coarse grain of Election and Discovery is as
// good as the baselines, through a crash and a partition.
func TestZabOfTwoServers(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it compares two compositions of Zab")
	}
	t.Parallel()
	_, r := compared(t, "testdata/preserve/zab.hcl", wire.Options{})
	if r.Level != "L2" || r.L2.NoFalse != "yes" || r.L2.NoMissed != "yes" || r.Views[0] != r.Views[1] || r.Views[0] < 20 {
		t.Errorf("level %s, %+v, views %v, differences %+v", r.Level, r.L2, r.Views, r.Differences)
	}
	// What the paper's theorem compares is not the same: the fine composition moves a server at a
	// time.
	k := slices.IndexFunc(r.Looks, func(l wire.Seen) bool { return l.Name == "I-1" })
	if l := r.Looks[k]; l.Only[0] == 0 || l.Only[1] != 0 || l.Broken != [2]int{} {
		t.Errorf("I-1 sees %+v", l)
	}
	for side, names := range []string{"fle_timeouts", "epochs"} {
		b := r.Sides[side].Budgets[0]
		if b.Bound != names || !b.Silent {
			t.Errorf("budgets %+v", r.Sides[side].Budgets)
		}
	}
}
