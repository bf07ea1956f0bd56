package refine

import (
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

// lines feeds lines of a stream, and returns the last alarm.
func lines(t *testing.T, c *Checker[ticketState], text string) (a *Alarm) {
	t.Helper()
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		if l = strings.TrimSpace(l); !strings.HasPrefix(l, "{") {
			l = line(l)
		}
		e, err := c.Decoder.Decode([]byte(l))
		if err != nil {
			t.Fatalf("%s: %v", l, err)
		}
		c.Add(e)
		if x := c.Run(true); x != nil {
			a = x
		}
	}
	return a
}

// TestKnownRestart says when what is not known ends: at a restart that tells all that is kept. Held
// is not kept, and passed over.
func TestKnownRestart(t *testing.T) {
	t.Parallel()
	const all = `{"event":"restart","state":{"Highest":1,"Current":0,"Held":true}}`
	for _, x := range []struct {
		name, before, restart string
		alarm                 bool
		unexplained           int64
	}{
		{"a loss", "lost", all, true, 0},
		{"a loss, and not all is told", "lost", `{"event":"restart","state":{"Highest":1}}`, false, 0},
		{"a loss, and nothing is told", "lost", "restart", false, 0},
		{"an alarm", ">1 released 0", all, true, 0},
		{"nothing before that leads there", "<1 assign 0", `{"event":"restart","state":{"Highest":5,"Current":0}}`, true, 1},
		{"all as it should be", "<1 assign 0\n>1 assigned 0", all, true, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := ticketChecker(t, Options{})
			lines(t, c, x.before)
			if a := lines(t, c, x.restart+"\n<1 assign 0\n>1 assigned 9"); (a != nil) != x.alarm {
				t.Errorf("alarm %+v, want one: %t", a, x.alarm)
			}
			if c.Finish().Unexplained != x.unexplained {
				t.Errorf("%d restarts are not explained, want %d", c.Stats.Unexplained, x.unexplained)
			}
		})
	}
}

// TestBudgetEnds says that a search which ended at its budget excuses what follows, up to a restart
// that tells all that is kept.
func TestBudgetEnds(t *testing.T) {
	t.Parallel()
	for restart, want := range map[string]bool{"restart": false, `{"event":"restart","state":{"Highest":2,"Current":0}}`: true} {
		// NoAhead: nothing is checked again with what comes later.
		c := ticketChecker(t, Options{Budget: 1, NoAhead: true})
		lines(t, c, "<1 assign 0\n<2 assign 0\n>1 assigned 0\n>2 assigned 1")
		if c.partial == "" {
			t.Fatal("no search ended at its budget")
		}
		if a := lines(t, c, restart+"\n>1 assigned 9"); (a != nil) != want {
			t.Errorf("%s: alarm %+v, want one: %t", restart, a, want)
		}
	}
}

// TestBeforeCrash compares the states after crashes with those to which all steps lead. Variables
// that the restart does not keep are left out. A coarser step that does not stand for the steps
// that it is declared for is found.
func TestBeforeCrash(t *testing.T) {
	t.Parallel()
	spec := ticketSpec()
	for k := range spec.Footprints { // Held is set to a constant where Current grows
		f := &spec.Footprints[k]
		f.Writes[len(f.Writes)-1].Data = nil
	}
	c, err := New(spec, 0, Options{Verify: 1})
	if err != nil {
		t.Fatal(err)
	}
	lines(t, c, "<1 assign 0\n>1 assigned 0\n<1 acquire 0\n<2 assign 0\nrestart\n<1 assign 0\n>1 assigned 1")
	if v := c.Verified; v.Err() != nil || v.Crash != 2 || v.Behind != 2 || len(c.crashing.void) != 1 || len(c.crashing.handlers[1*256+int(acquire)]) != 0 {
		t.Errorf("%+v, %v", v, c.crashing.void)
	}
	for _, x := range []struct {
		what          string
		of, stands    []relayAction
		want          string
		crash, behind int64
	}{
		{"goodbyes are left out", []relayAction{stopRelay}, nil, "", 2, 2},
		{"goodbyes and what is written are left out", []relayAction{stopRelay, writeItem}, nil,
			"steps that are left out before a crash lead to another state after it, at event 2", 2, 1},
		{"an action of the composition stands in", []relayAction{stopRelay, writeItem}, []relayAction{writeItem}, "", 2, 2},
		{"an action that the composition lacks stands in", []relayAction{stopRelay, writeItem}, []relayAction{writeUnseen}, "", 2, 2},
	} {
		r := relayRuntime()
		r.BeforeCrash = modules.Coarsening[relayState]{Of: x.of, Actions: x.stands}
		spec := relaySpec(r)
		spec.Footprints = append(spec.Footprints, footprintOf(relaySpec(r, writeUnseen), "WriteUnseen"))
		c, _ := relayRun(t, spec, Options{Verify: 1}, "<1 item 0, restart, end")
		if v := c.Verified; v.Broken != x.want || v.Crash != x.crash || v.Behind != x.behind {
			t.Errorf("%s: %+v", x.what, v)
		}
	}
}

// TestStandIns holds that an action that stands for others before a crash is no time-out there, and
// is not bound a second time where the composition has it.
func TestStandIns(t *testing.T) {
	t.Parallel()
	r := relayRuntime()
	r.Timeouts = []relayAction{writeItem, stopRelay}
	r.BeforeCrash = modules.Coarsening[relayState]{Of: []relayAction{passItem, writeItem}, Actions: []relayAction{writeItem}}
	c, _ := relayRun(t, relaySpec(r), Options{}, "<1 item 0, <1 item 0, <1 item 0, <1 item 0, <1 item 0, restart, end")
	var names []string
	for _, in := range c.crashing.spontaneous {
		names = append(names, in.name)
		if in.timeout != (in.name == "Stop") {
			t.Errorf("%s is a time-out before a crash: %t", in.name, in.timeout)
		}
	}
	if want := []string{"Write", "Stop", "WriteLeft", "Answer", "Answer"}; !slices.Equal(names, want) {
		t.Errorf("before a crash there are %v, want %v", names, want)
	}
	if len(c.states) != 6 { // none to all five of what was taken may be written
		t.Errorf("%d states after the crash, want 6", len(c.states))
	}
}

// TestAfterCrash leaves out what is written before a crash. A restart that does not leave it open
// is found. With one that does, one state stands for both that all steps lead to.
func TestAfterCrash(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		more func(s *relayState, i int) bool
		want string
	}{
		{func(*relayState, int) bool { return false }, "steps that are left out before a crash lead to another state after it, at event 2"},
		{func(s *relayState, i int) bool {
			more := s.Disk[i] == 0
			s.Disk[i] = 1
			return more
		}, ""},
	} {
		r := relayRuntime()
		r.AfterCrash = modules.Openness[relayState]{Of: []relayAction{writeItem, writeLeft}, More: x.more, Settle: func(*relayState, int) {}}
		c, _ := relayRun(t, relaySpec(r), Options{Verify: 1}, "<1 item 0, restart, end")
		if c.Verified.Broken != x.want || c.Verified.Crash != 2 || c.Verified.Behind != 1 {
			t.Errorf("%+v, want %q", c.Verified, x.want)
		}
	}
}

// TestFresh checks the same streams by checkers that share what steps lead to, and by others. They
// say the same.
func TestFresh(t *testing.T) {
	t.Parallel()
	shared := ticketChecker(t, Options{})
	for _, text := range []string{
		"<1 assign 0\n>1 assigned 0", "<1 assign 0\n>1 assigned 0\n<1 acquire 0\n<2 assign 0\nrestart\n<1 assign 0\n>1 assigned 1", "<1 assign 0\n>1 assigned 9",
		"<1 assign 0\n<2 assign 0\n>1 assigned 0\n>2 assigned 1", "<1 assign 0\n>1 assigned 0",
	} {
		shared = shared.Fresh()
		alone := ticketChecker(t, Options{})
		a, b := lines(t, shared, text), lines(t, alone, text)
		if (a == nil) != (b == nil) || a != nil && a.Position != b.Position || shared.Finish().Explored != alone.Finish().Explored || shared.Stats.SumStates != alone.Stats.SumStates {
			t.Errorf("%s: %+v, %+v and alone %+v, %+v", text, a, shared.Stats, b, alone.Stats)
		}
	}
	if len(shared.memo.rows) == 0 {
		t.Error("no step is remembered")
	}
}

// footprintOf returns the footprint of an action.
func footprintOf(spec *Spec[relayState], action string) modules.Footprint {
	k := slices.IndexFunc(spec.Footprints, func(f modules.Footprint) bool { return f.Name == action })
	return spec.Footprints[k]
}
