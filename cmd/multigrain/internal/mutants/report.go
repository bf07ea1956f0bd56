package mutants

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/gaps"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// follow follows the counterexample of a mutant that is lost or false in the other composition. The
// first step that this one cannot do says which coarse action is to blame. If that is not known,
// the last step of the counterexample that only its own composition has says so.
func (x *runner) follow(k int, o *result.Mutant, traces [2]*wire.Trace) {
	lost := o.Outcome == result.MutantLost
	how := x.opt.Comparing
	how.MaxStates, how.Timeout = x.states, x.timeout
	property, trace := o.Mixed.Property, traces[mixed]
	if lost {
		property, trace = o.Fine.Property, traces[fine]
	}
	o.Followed = &result.Followed{}
	if trace == nil {
		o.Followed.Reason = "there is no counterexample"
		return
	}
	f, err := x.run.FollowMutant(x.m, k+1, &wire.PreserveFollow{Missed: lost, Trace: trace}, how)
	if err != nil {
		o.Followed.Reason = err.Error()
		w := &wire.Difference{Missed: lost, Observer: property, Trace: trace, Guilty: x.own(trace, lost)}
		if w.Guilty > 0 {
			x.blame(o, w, fmt.Sprintf("%s is the last step of the counterexample that only the %s composition has", trace.Steps[w.Guilty-1].Action, sideName(lost)))
		}
		return
	}
	known := narrate.KnownOf(x.run.Composition.Catalog)
	o.Followed.Step, o.Followed.Behaviour = f.Step, narrate.BehaviourOf(f.Trace, known, false)
	w := f.Difference
	if f.Step > 0 {
		x.blame(o, w, gaps.Text(w, known))
		return
	}
	w.Observer = property
	text := fmt.Sprintf("the %s composition has all observations of the counterexample, and does not violate %s", sideName(!lost), property)
	if w.Guilty > 0 && w.Guilty <= len(w.Trace.Steps) {
		text += fmt.Sprintf("; the step that it lacks is %s, step %d", w.Trace.Steps[w.Guilty-1].Action, w.Guilty)
	}
	x.blame(o, w, text)
}

func sideName(fine bool) string {
	if fine {
		return "fine"
	}
	return "mixed"
}

// blame notes the coarse action that is to blame for a difference between the two compositions.
func (x *runner) blame(o *result.Mutant, w *wire.Difference, text string) {
	f := gaps.FindingOf(x.m.Comparison, w)
	action, at := gaps.Blamed(x.m.Comparison, w)
	if f.Place.File == "" {
		f.Place = at
	}
	o.Blame = &result.Finding{Kind: string(f.Kind), Variable: f.Variable, Action: action, File: f.Place.File, Line: f.Place.Line,
		Code: string(codeOf(o)), Severity: "error", Grain: f.Grain, Message: text}
}

// own returns the number of the last step of a trace whose action only its composition has, from 1;
// 0 if there is none.
func (x *runner) own(t *wire.Trace, lost bool) int {
	other := x.m.Sides[mixed]
	if !lost {
		other = x.m.Sides[fine]
	}
	has := map[string]bool{}
	for _, g := range other.Chosen() {
		for _, a := range g.Actions {
			has[a] = true
		}
	}
	for k := len(t.Steps); k > 0; k-- {
		if !has[t.Steps[k-1].Action] {
			return k
		}
	}
	return 0
}

func codeOf(o *result.Mutant) configs.Code {
	if o.Outcome == result.MutantLost {
		return codes.MutantLost
	}
	return codes.MutantFalse
}

// report returns the errors about mutants that are lost or false: one for each coarse action that
// is to blame.
func (x *runner) report() (diags hcl.Diagnostics) {
	type cause struct {
		code         configs.Code
		action, file string
		line         int
	}
	var order []cause
	all := map[cause][]*result.Mutant{}
	for k := range x.d.List {
		o := &x.d.List[k]
		if o.Outcome != result.MutantLost && o.Outcome != result.MutantFalse {
			continue
		}
		c := cause{code: codeOf(o)}
		if b := o.Blame; b != nil {
			c.action, c.file, c.line = b.Action, b.File, b.Line
		}
		if all[c] == nil {
			order = append(order, c)
		}
		all[c] = append(all[c], o)
	}
	for _, c := range order {
		at := x.run.Manifest.Check.DeclRange
		if c.file != "" {
			pos := hcl.Pos{Line: c.line, Column: 1}
			at = hcl.Range{Filename: c.file, Start: pos, End: pos}
		}
		diags = append(diags, configs.Errorf(c.code, summaries[c.code], at, "%s", detail(c.code, c.action, all[c])))
	}
	return diags
}

var summaries = map[configs.Code]string{codes.MutantLost: "Mutant is lost", codes.MutantFalse: "False mutant"}

// detail says in sentences what was found.
func detail(code configs.Code, action string, list []*result.Mutant) string {
	o := list[0]
	var b strings.Builder
	if code == codes.MutantLost {
		fmt.Fprintf(&b, "The fine composition violates %s with the mutant %s (%s:%d), and the mixed one does not.", o.Fine.Property, o.Name, o.File, o.Line)
	} else {
		fmt.Fprintf(&b, "The mixed composition violates %s with the mutant %s (%s:%d), and the fine one does not.", o.Mixed.Property, o.Name, o.File, o.Line)
	}
	if len(list) > 1 {
		fmt.Fprintf(&b, " So it is with %s more.", words.Plural(int64(len(list)-1), "mutant"))
	}
	switch {
	case o.Blame == nil:
		b.WriteString(" No coarse action is known to be to blame.")
	case action != "":
		fmt.Fprintf(&b, " Coarse action %s is to blame: %s.", action, o.Blame.Message)
	default:
		fmt.Fprintf(&b, " %s", words.Sentence(o.Blame.Message))
	}
	b.WriteString(" Choose the finer grain, or let the coarse one do as the finer one does.")
	return b.String()
}
