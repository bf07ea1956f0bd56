package interaction

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// choice parses "choosing/coarse work/baseline".
func choice(refs string, invariants ...string) grains.Choice {
	c := grains.Choice{Invariants: invariants}
	for _, s := range strings.Fields(refs) {
		m, g, _ := strings.Cut(s, "/")
		c.Grains = append(c.Grains, grains.Ref{Module: m, Grain: g})
	}
	return c
}

func analyze(t *testing.T, p *Program, c grains.Choice, targets ...string) *Report {
	t.Helper()
	rep, findings := p.Analyze(c, targets)
	if rep == nil || len(findings) > 0 {
		t.Fatal(findings)
	}
	return rep
}

// place returns where a finding is stated to be: file:line of the text.
func place(t *testing.T, at string) string {
	t.Helper()
	file, text, _ := strings.Cut(at, " ")
	return fmt.Sprintf("%s:%d", file, lineOf(t, toyDir, file, text))
}

func TestRightCoarseGrain(t *testing.T) {
	t.Parallel()
	p, _ := loadToy(t)
	rep := analyze(t, p, choice("choosing/coarse work/baseline faults/crash", "*"), "work")
	if rep.Verdict != Preserved || rep.Level != "L0" || len(rep.Grains) != 1 {
		t.Fatalf("got %+v", rep)
	}
	g := rep.Grains[0]
	want := "Vote Heard Draft Asked Msgs#HELLO Msgs#WELCOME"
	if got := strings.Join(g.Drops, " "); got != want {
		t.Errorf("drops %s, want %s", got, want)
	}
	if got := strings.Join(g.Keeps, " "); got != "Role Phase Term Crew ChiefsOf" {
		t.Errorf("keeps %s", got)
	}
	if len(g.Findings) != 1 || g.Findings[0].Kind != HeadOfLine || g.Findings[0].Severity != Note ||
		!strings.Contains(g.Findings[0].Message, "HELLO WELCOME") || !strings.Contains(g.Findings[0].Message, "JOB REPORT") {
		t.Errorf("got %v", g.Findings)
	}
	if !slices.Equal(rep.Untouched, []string{"Spare"}) {
		t.Errorf("untouched %v", rep.Untouched)
	}
}

// TestSets compares D and I with the definitions, worked out by hand.
func TestSets(t *testing.T) {
	t.Parallel()
	p, _ := loadToy(t)
	rep := analyze(t, p, choice("choosing/baseline greeting/baseline work/baseline faults/crash"), "work")
	if rep.Verdict != None || len(rep.Grains) != 0 {
		t.Errorf("verdict %s", rep.Verdict)
	}
	for k, want := range []string{
		"Role Vote Heard Log Up",
		"Role Phase Chief Term Draft Asked Crew Up Msgs#HELLO Msgs#WELCOME Msgs.cut",
		"Role Phase Term Crew Log Duty.Given Duty.Ended Up Msgs#JOB Msgs#REPORT Msgs.cut",
		"Up",
	} {
		if got := strings.Join(rep.Modules[k].Dependency, " "); got != want {
			t.Errorf("D(%s)\n got %s\nwant %s", rep.Modules[k].Name, got, want)
		}
	}
	var i []string
	for _, v := range rep.Variables {
		if v.Interaction {
			i = append(i, v.Name)
		}
	}
	if got, want := strings.Join(i, " "), "Role Phase Term Crew Log Up Msgs.cut"; got != want {
		t.Errorf("I\n got %s\nwant %s", got, want)
	}
	for name, want := range map[string]string{
		"Vote": "[Drw - - w]", "ChiefsOf": "[- wi - -]", "Crew": "[- Drw Dr w]", "Duty.Given": "[- - Drw w]", "Spare": "[- - - -]",
	} {
		if got := roles(rep.Variable(name)); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// roles writes the roles of a variable, with a letter for each of their fields.
func roles(v *VariableReport) string {
	var out []string
	for _, r := range v.Roles {
		text := ""
		for _, f := range []struct {
			is     bool
			letter string
		}{{r.Dependency, "D"}, {r.Reads, "r"}, {r.Writes, "w"}, {r.Internal, "i"}} {
			if f.is {
				text += f.letter
			}
		}
		out = append(out, cmp.Or(text, "-"))
	}
	return fmt.Sprint(out)
}

// TestMarks compares the marks of every variable of a shipped composition and of the toy with their
// definitions, computed from the modules alone. No variable that two modules depend on stands
// without a mark.
func TestMarks(t *testing.T) {
	t.Parallel()
	p, _ := loadToy(t)
	for _, grains := range []string{
		"choosing/coarse work/baseline faults/crash",
		"choosing/appointed greeting/baseline work/baseline faults/crash",
		"choosing/baseline greeting/baseline work/baseline faults/crash",
	} {
		rep := analyze(t, p, choice(grains, "*"), "work")
		for _, v := range rep.Variables {
			depend, others, users := 0, 0, 0
			for k, m := range rep.Modules {
				switch in := slices.Contains(m.Dependency, v.Name); {
				case in:
					depend++
				case v.Roles[k].Writes && !m.Environment:
					others++
				}
				if v.Roles[k].Used() {
					users++
				}
			}
			if want := depend > 1 || depend == 1 && others > 0; v.Interface != want {
				t.Errorf("%s: %s: interface %t, want %t", grains, v.Name, v.Interface, want)
			}
			for k, r := range v.Roles {
				if r.Internal && (users != 1 || v.Interaction || v.Interface) || r.Dependency != slices.Contains(rep.Modules[k].Dependency, v.Name) {
					t.Errorf("%s: %s has role %+v for %s", grains, v.Name, r, rep.Modules[k].Name)
				}
			}
			if (v.Why != nil) != v.Kept || (v.Droppable != "") != (!v.Kept && users > 0) {
				t.Errorf("%s: %s: kept %t, why %v, droppable %q", grains, v.Name, v.Kept, v.Why, v.Droppable)
			}
		}
		// The vote passes from choosing to greeting in the toy's grains that decide it apart.
		if role := rep.Variable("Role"); !role.Interaction || !role.Interface {
			t.Errorf("%s: Role has no mark", grains)
		}
	}
}

func TestWhy(t *testing.T) {
	t.Parallel()
	p, _ := loadToy(t)
	rep := analyze(t, p, choice("choosing/coarse work/baseline faults/crash", "*"), "work")
	term := rep.Variable("Term")
	if len(term.Why) != 2 || term.Why[0].Variable != "Term" || term.Why[1].Variable != "Log" ||
		short(term.Why[0].Place) != place(t, "work.go n.Log[p.I].Append(m.Job)") ||
		!strings.Contains(term.Why[1].Text, "guard of SendJOB") || short(term.Why[1].Place) != place(t, "work.go s.Log[p.I].Len() < MaxJobs") {
		t.Errorf("got %+v", term.Why)
	}
	if why := rep.Variable("ChiefsOf").Why; len(why) != 1 || !strings.Contains(why[0].Text, "T-1") {
		t.Errorf("got %+v", why)
	}
	if why := rep.Variable("Vote").Why; why != nil {
		t.Errorf("got %+v", why)
	}
}

func TestWrongCoarseGrains(t *testing.T) {
	t.Parallel()
	p, _ := loadToy(t)
	for _, c := range []struct {
		grain, variable, action string
		kind                    Kind
		at                      string
		related                 string
	}{
		{"forgetful", "Crew", "Forgetful", LostUpdate, "wrong.go var Forgetful", "greeting.go n.Crew[p.I].Add(p.J)"},
		{"inventive", "Log", "Inventive", InventedUpdate, "wrong.go n.Log[p.I].Clear()", "work.go s.Log[p.I].Len() < MaxJobs"},
		{"stale", "Vote", "Stale", StaleRead, "wrong.go s.Vote[p.I] == Nobody", "choosing.go n.Vote[p.I] = p.I"},
		{"vacuous", "ChiefsOf", "Vacuous", LostForInvariant, "wrong.go var Vacuous", "catalog.go T-1"},
		{"confused", "Phase", "Confused", WrongConstant, "wrong.go n.Phase[p.I] = CHOOSING", "greeting.go n.Phase[p.I] = WORKING"},
		{"talkative", "Msgs#WELCOME", "Talkative", NoReceiver, "wrong.go n.Msgs.Send(p.I, k, Msg{Kind: WELCOME", ""},
	} {
		rep := analyze(t, p, choice("choosing/"+c.grain+" work/baseline faults/crash", "*"), "work")
		var errors []Finding
		for _, f := range rep.Findings {
			if f.Severity == Error {
				errors = append(errors, f)
			}
		}
		if rep.Verdict != Broken || len(errors) != 1 {
			t.Errorf("%s: verdict %s, findings %v", c.grain, rep.Verdict, errors)
			continue
		}
		f := errors[0]
		if f.Kind != c.kind || f.Variable != c.variable || f.Action != c.action || f.Grain != "choosing/"+c.grain ||
			short(f.Place) != place(t, c.at) || f.Remedy == "" || !strings.HasPrefix(f.Code, "MG2") {
			t.Errorf("%s: got %s %s %s at %s: %v; want %s at %s", c.grain, f.Kind, f.Variable, f.Action, short(f.Place), f, c.kind, place(t, c.at))
		}
		if c.related != "" && !slices.ContainsFunc(f.Related, func(r Related) bool { return short(r.Place) == place(t, c.related) }) {
			t.Errorf("%s: related %v, want %s", c.grain, f.Related, place(t, c.related))
		}
	}
}

// TestVacuousIsFineUnselected: without the property nobody needs the variable.
func TestVacuousIsFineUnselected(t *testing.T) {
	t.Parallel()
	p, _ := loadToy(t)
	c := choice("choosing/vacuous work/baseline faults/crash", "*")
	c.Except = []string{"T-1"}
	if rep := analyze(t, p, c, "work"); rep.Verdict != Preserved || rep.Variable("ChiefsOf").Kept {
		t.Errorf("got %s, %v", rep.Verdict, rep.Findings)
	}
}

func TestSeveralCoarseGrains(t *testing.T) {
	t.Parallel()
	p, _ := loadToy(t)
	right := analyze(t, p, choice("choosing/appointed greeting/baseline work/instant faults/crash", "T-1", "T-2"), "greeting")
	if right.Verdict != Preserved || len(right.Grains) != 2 {
		t.Errorf("got %s, %v", right.Verdict, right.Findings)
	}
	if got := strings.Join(right.Grains[1].Drops, " "); got != "Duty.Given Duty.Ended Msgs#JOB Msgs#REPORT" && !strings.HasPrefix(got, "Duty.Given") {
		t.Errorf("instant drops %s", got)
	}
	// One coarse grain reads what the other drops.
	nosy := analyze(t, p, choice("choosing/appointed greeting/baseline work/nosy faults/crash", "T-1", "T-2"), "greeting")
	f := nosy.Findings[slices.IndexFunc(nosy.Findings, func(f Finding) bool { return f.Kind == StaleRead })]
	if nosy.Verdict != Broken || f.Variable != "Heard" || f.Action != "Nosy" || f.Grain != "choosing/appointed" ||
		short(f.Place) != place(t, "collapsed.go s.Heard[p.J].Has(p.I)") {
		t.Errorf("got %s, %+v", nosy.Verdict, f)
	}
	// The property of a step that the coarse grain has no more is lost with it.
	lost := analyze(t, p, choice("choosing/appointed greeting/baseline work/instant faults/crash", "*"), "greeting")
	if k := slices.IndexFunc(lost.Findings, func(f Finding) bool { return f.Kind == LostForInvariant && f.Variable == "Duty.Given" }); k < 0 {
		t.Errorf("got %v", lost.Findings)
	}
}

// TestKindBlind: a kind-blind look at a channel makes all its kinds dependency variables.
func TestKindBlind(t *testing.T) {
	t.Parallel()
	p, _ := loadToy(t, "work.go: s.Duty[p.I].Given == s.Duty[p.I].Ended && => s.Msgs.Empty(p.I, p.J) && s.Duty[p.I].Given == s.Duty[p.I].Ended &&")
	rep := analyze(t, p, choice("choosing/coarse work/baseline faults/crash", "*"), "work")
	if !slices.ContainsFunc(rep.Findings, func(f Finding) bool { return f.Kind == LostUpdate && f.Variable == "Msgs#HELLO" }) {
		t.Errorf("got %s, %v", rep.Verdict, rep.Findings)
	}
	// The environment may do so.
	for _, edit := range []string{
		"faults.go: return s.up(p.I) => return s.up(p.I) && s.Msgs.Len(p.I, p.I) < 9",
		"faults.go: n.Up.Remove(p.I) => n.Up.Remove(p.I); n.Msgs.Lose(p.I, 0, 1)",
	} {
		p, _ = loadToy(t, edit)
		if rep := analyze(t, p, choice("choosing/coarse work/baseline faults/crash", "*"), "work"); rep.Verdict != Preserved {
			t.Errorf("%s: got %s, %v", edit, rep.Verdict, rep.Findings)
		}
	}
}

// TestRulesOfTheFineGrain: what a finer grain's rules keep on the actions of others is an update,
// too.
func TestRulesOfTheFineGrain(t *testing.T) {
	t.Parallel()
	p, _ := loadToy(t, "catalog.go: Actions: actions{&Nominate, &Hear, &Decide}}, => Actions: actions{&Nominate, &Hear, &Decide},¶\t\t\tRules: rules{modules.AfterAny(func(s, n *State) { n.ChiefsOf[0].Add(0) })}},")
	rep := analyze(t, p, choice("choosing/vacuous work/baseline faults/crash", "*"), "work")
	k := slices.IndexFunc(rep.Findings, func(f Finding) bool { return f.Variable == "ChiefsOf" && f.Kind == LostForInvariant })
	if k < 0 || !slices.ContainsFunc(rep.Findings[k].Related, func(r Related) bool {
		return strings.HasSuffix(r.Message, "updates ChiefsOf here") && filepath.Base(r.File) == "catalog.go"
	}) {
		t.Errorf("got %v", rep.Findings)
	}
}

func TestCannotAnalyse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, edit string
		kind       Kind
		file, mark string
		say        string
	}{
		{"guard writes", "choosing.go: return s.idle(p.I) && s.Vote[p.I] == Nobody => s.Role[p.I] = IDLE; return true", ReaderWrites, "choosing.go", "s.Vote[p.I] == Nobody }", "writes the state"},
		{"effect writes before", "choosing.go: n.Heard[p.I].Add(p.I) => s.Heard[p.I].Add(p.I)", WritesBefore, "choosing.go", "n.Heard[p.I].Add(p.I)", "writes the state before"},
		{"helper writes before", "assembling.go: n.Chief[k] = p.I => s.Chief[k] = p.I", WritesBefore, "assembling.go", "n.adopt(s, p)", "writes the state before"},
		{"kind from the state", "greeting.go: Msg{Kind: WELCOME => Msg{Kind: Kind(s.Term[p.I])", KindUnknown, "greeting.go", "Msg{Kind: WELCOME", "is not a constant"},
		{"package variable written", "greeting.go: n.Crew[p.I].Add(p.J) => seen++; n.Crew[p.I].Add(p.J)¶},¶}¶¶var seen int¶¶var unused = Action[Pair]{Name: \"unused\", Params: modules.EachPair[Server](Servers), Effect: func(s, n *State, p Pair) {", VariableWritten, "greeting.go", "n.Crew[p.I].Add(p.J)", "package variable seen"},
		{"goroutine", "greeting.go: n.Crew[p.I].Add(p.J) => go func() {}()", Concurrency, "greeting.go", "n.Crew[p.I].Add(p.J)", "goroutine"},
		{"deferred call", "greeting.go: n.Crew[p.I].Add(p.J) => defer n.Crew[p.I].Add(p.J)", Unwinding, "greeting.go", "n.Crew[p.I].Add(p.J)", "defers a call"},
		{"functions in a map", "greeting.go: n.Crew[p.I].Add(p.J) => adders[true](n, p)¶},¶}¶¶var adders = map[bool]func(*State, Pair){true: func(n *State, p Pair) {}}¶¶var unused = Action[Pair]{Name: \"unused\", Params: modules.EachPair[Server](Servers), Effect: func(s, n *State, p Pair) {", UnknownCall, "greeting.go", "n.Crew[p.I].Add(p.J)", "function value that is not known"},
		{"map order", "greeting.go: n.Crew[p.I].Add(p.J) => for i := range map[Server]bool{1: true} { n.Crew[i] = 0 }", MapUsed, "greeting.go", "n.Crew[p.I].Add(p.J)", "ranges over a map"},
		{"foreign function", "greeting.go: n.Crew[p.I].Add(p.J) => slices.Sort(n.Term[:])", Foreign, "greeting.go", "n.Crew[p.I].Add(p.J)", "slices.Sort"},
		{"not called", "greeting.go: // SendHELLO tells => var count int¶¶func next() { count++; go next() }¶¶// SendHELLO tells", "", "", "", ""},
		{"vocabulary out of place", "choosing.go: n.Vote[p.I] = p.I => modules.NameOf(modules.AnyAction[State](&Hear)); n.Vote[p.I] = p.I", CannotAnalyse, "choosing.go", "n.Vote[p.I] = p.I", "modules.NameOf"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			edits := []string{c.edit}
			if strings.Contains(c.edit, "slices.") {
				edits = append(edits, "greeting.go: import \"github.com/multigrain/multigrain/modules\" => import (\"slices\"; \"github.com/multigrain/multigrain/modules\")")
			}
			p, findings := loadToy(t, edits...)
			if p != nil {
				var rep *Report
				rep, findings = p.Analyze(choice("choosing/coarse work/baseline faults/crash", "*"), []string{"work"})
				if rep == nil || HasErrors(findings) != (rep.Verdict == Skipped) {
					t.Errorf("got %+v, findings %v", rep, findings)
				}
			}
			if c.kind == "" {
				if len(findings) > 0 {
					t.Errorf("got %v: nothing calls it", findings)
				}
				return
			}
			for _, f := range findings {
				if f.Kind == c.kind && strings.Contains(f.Message, c.say) && f.Remedy != "" &&
					(c.file == "" || filepath.Base(f.File) == c.file && f.Line == lineOf(t, toyDir, c.file, c.mark)) {
					return
				}
			}
			t.Errorf("got %v", findings)
		})
	}
}
