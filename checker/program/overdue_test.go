package program_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/program"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// tally is a state of two counters.
type tally struct{ Count [2]uint8 }

type hand = modules.One[uint8]

// hanging is a specification with an adapter, one kind of whose functions does not return.
type hanging struct {
	kind    string
	reached func() // called before it
	release <-chan struct{}
}

// at does not return where the kind is the one that hangs.
func (h *hanging) at(kind string) bool {
	if kind == h.kind {
		h.reached()
		<-h.release
	}
	return true
}

// some is at in the states in which something has been counted twice.
func (h *hanging) some(kind string, s *tally) bool {
	return s.Count[0]+s.Count[1] < 2 || h.at(kind)
}

func (h *hanging) program() program.Program[tally, [8]uint8] {
	up := &modules.Action[tally, hand]{Name: "Up", Params: modules.Each[uint8](2),
		Guard:  func(s *tally, p hand) bool { return s.Count[p.I] < 4 && h.some("guard", s) },
		Effect: func(s, n *tally, p hand) { h.some("effect", s); n.Count[p.I]++ }}
	rules := []modules.Rule[tally]{
		modules.When(up, func(s *tally, p hand) bool { return h.some("rule", s) }),
		modules.After(up, func(s, n *tally, p hand) { h.some("note", s) }),
	}
	judges := []*modules.Invariant[tally]{
		{ID: "State", State: func(s *tally) bool { return h.some("invariant", s) }},
		{ID: "Step", Step: func(s, n *tally) bool { return h.some("step property", s) }},
		{ID: "Up", OnStep: modules.OnStep(up, func(s, n *tally, p hand) bool { return h.some("property of an action", s) })},
	}
	return program.Program[tally, [8]uint8]{Compose: func([]byte) (*modules.Spec[tally], error) {
		spec := &modules.Spec[tally]{System: "tally", Init: func(yield func(tally) bool) { h.at("init"); yield(tally{}) }, Invariants: slices.Clone(judges)}
		for _, b := range modules.Bind([]modules.AnyAction[tally]{up}, rules, judges) {
			spec.Actions = append(spec.Actions, modules.SpecAction[tally]{Bound: b, Module: "hands"})
		}
		is := func(kind string) func(s *tally) bool { return func(s *tally) bool { return h.some(kind, s) } }
		spec.Goals = []*modules.Invariant[tally]{{ID: "Goal", State: func(s *tally) bool { return h.some("goal", s) && s.Count[0] > 4 }}}
		switch h.kind {
		case "constraint":
			spec.Constraints = []*modules.Invariant[tally]{{ID: "Few", State: is("constraint")}}
		case "from", "to":
			spec.Liveness = []*modules.Liveness[tally]{{ID: "Live", From: is("from"), To: is("to")}}
		}
		return spec, nil
	}}
}

// adapter counts, too.
type adapter struct {
	*hanging
	have tally
}

func (a *adapter) open(conform.Setup) (conform.Adapter[tally], error) {
	a.at("open")
	return &adapter{hanging: a.hanging}, nil // each worker has its own
}

func (a *adapter) Variables() []string { a.at("variables"); return []string{"Count"} }
func (a *adapter) Start(*tally) error  { a.at("start"); a.have = tally{}; return nil }
func (a *adapter) Perform(s conform.Step[tally]) error {
	a.some("perform", s.Before)
	a.have = *s.After
	return nil
}
func (a *adapter) Observe(s *tally) error { a.some("observe", &a.have); *s = a.have; return nil }
func (a *adapter) Log(io.Writer)          { a.at("log") }
func (a *adapter) Stop() error            { a.at("stop"); return nil }

func (a *adapter) LeavesOut(s conform.Step[tally]) string { a.some("leaves out", s.Before); return "" }
func (a *adapter) Watch([]conform.Symptom) error          { a.at("watch"); return nil }
func (a *adapter) Look() []conform.Sighting {
	a.at("look")
	return []conform.Sighting{{Word: "x", Seen: true, Judged: true}}
}

// steps returns a trace of three steps.
func steps() *wire.Trace {
	t := &wire.Trace{Init: modules.ViewOf(tally{}, nil)}
	for range 3 {
		t.Steps = append(t.Steps, wire.Step{Action: "Up", Module: "hands", Params: modules.ViewOf(hand{}, nil)})
	}
	return t
}

// TestCallsThatDoNotReturn has one row for each run and kind of function, of a specification and of
// an adapter. A function that does not return is named, at the time limit and after an interrupt.
func TestCallsThatDoNotReturn(t *testing.T) {
	// Not parallel: the stacks of the whole process are looked at.
	log := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(log, []byte(strings.Repeat(`{"event":"up"}`+"\n", 5)), 0o600); err != nil {
		t.Fatal(err)
	}
	own := []string{"init", "guard", "effect", "rule", "note"}
	with := func(kinds ...string) []string { return append(slices.Clone(own), kinds...) }
	judged := []string{"invariant", "step property", "property of an action"}
	driven := []string{"open", "variables", "start", "perform", "observe", "stop", "leaves out"}
	for verb, x := range map[string]struct {
		kinds   []string
		options wire.Options
	}{
		"check":    {with(append(judged, "constraint", "goal", "from", "to")...), wire.Options{Stop: 1}},
		"simulate": {with(append(judged, "constraint", "goal")...), wire.Options{Stop: 1, Simulate: &wire.Simulate{Depth: 8}}},
		"preserve": {with(append(judged, "constraint")...), wire.Options{Preserve: &wire.Preserve{Level: "L2", Steps: []wire.PreserveStep{{Action: "Up"}},
			Looks: []wire.PreserveLook{{Name: "State", Kind: "state"}, {Name: "Step", Kind: "step"}, {Name: "Up", Kind: "step", On: "Up"}}}}},
		"trace": {with(judged...), wire.Options{Validate: &wire.Validate{Logs: []string{log},
			Mapping: []byte(`{"format": "ndjson", "rules": [{"event": "up", "actions": ["Up"]}]}`)}}},
		"conform": {with(append(driven, "constraint")...), wire.Options{Stop: 1, Conform: &wire.Conform{Depth: 8, Number: 1 << 40}}},
		"replay":  {with(driven...), wire.Options{Conform: &wire.Conform{Replay: steps()}}},
		"confirm": {with(append(driven[:6:6], "watch", "look")...), wire.Options{Conform: &wire.Conform{Replay: steps(),
			Confirm: &wire.Confirm{Runs: 1, Symptoms: []wire.Symptom{{Word: "x"}}}}}},
	} {
		for _, kind := range x.kinds {
			for _, interrupted := range []bool{false, true} {
				name := verb + ", " + kind
				if interrupted {
					name += ", interrupted"
				}
				t.Run(name, func(t *testing.T) {
					e := hung(t, verb, kind, x.options, interrupted)
					switch {
					case e.Error == nil && e.Report != nil && interrupted && strings.Contains(e.Report.Reason, "has not returned"):
					case e.Error == nil:
						t.Errorf("%+v", e.Report)
					case !e.Error.Stuck || !strings.Contains(e.Error.Message, "return") && !strings.Contains(e.Error.Message, "come back"):
						t.Errorf("%+v", e.Error)
					case interrupted != strings.HasPrefix(e.Error.Message, "interrupted"):
						t.Errorf("why: %s", e.Error.Message)
					case e.Error.File != "" && !strings.HasSuffix(e.Error.File, "overdue_test.go"):
						t.Errorf("named %s line %d: %s", e.Error.File, e.Error.Line, e.Error.Message)
					}
				})
			}
		}
	}
}

// hung runs a verb until the function of a kind that hangs is called, and then for as long as it
// takes. A machine under load may come to the time limit before the function is called. Then the
// limit is longer.
func hung(t *testing.T, verb, kind string, o wire.Options, interrupted bool) wire.Event {
	t.Helper()
	for limit := 50 * time.Millisecond; ; limit *= 4 {
		last, called := hungWithin(t, verb, kind, o, interrupted, limit)
		if called || limit > 10*time.Second {
			return last
		}
	}
}

// hungWithin runs a verb with a time limit, or until it is interrupted. It reports whether the
// function was called.
func hungWithin(t *testing.T, verb, kind string, o wire.Options, interrupted bool, limit time.Duration) (last wire.Event, called bool) {
	t.Helper()
	release := make(chan struct{})
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var reached atomic.Bool
	h := &hanging{kind: kind, release: release, reached: func() { reached.Store(true) }}
	if interrupted {
		h.reached = func() {
			reached.Store(true)
			cancel()
		}
	} else {
		o.Timeout = limit
	}
	if kind == "stop" && o.Conform != nil { // an adapter is stopped after its walks
		asked := *o.Conform
		asked.Number = min(asked.Number, 8)
		o.Conform = &asked
	}
	req := wire.Request{Verb: verb, Options: o}
	if o.Conform != nil {
		req.Verb = "conform"
	}
	if o.Preserve != nil {
		asked := *o.Preserve
		asked.Fine = []byte("{}")
		req.Options.Preserve = &asked
	}
	a := &adapter{hanging: h}
	in, to := io.Pipe()
	defer to.Close()
	go json.NewEncoder(to).Encode(req)
	var out bytes.Buffer
	if err := program.RunHurried(ctx, h.program(), &conform.Implementation[tally]{Name: "tally", Open: a.open}, in, &out, 60*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
		t.Fatal(err)
	}
	return last, reached.Load()
}
