package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// Failed says why a run ended without a report.
func (r *Run) Failed(err error, traces Traces) {
	var crash *wire.CrashError
	var fault *wire.Error
	var lost interface{ Undecided() string }
	switch {
	case errors.As(err, &lost):
		r.Stopped = lost.Undecided()
	case r.Env.Hard.Err() != nil && errors.Is(err, context.Cause(r.Env.Hard)):
		r.Stopped = "killed by a second interrupt"
	case errors.As(err, &fault) && fault.Stuck && r.Env.Soft.Err() != nil:
		r.Stopped = hungText(fault)
	case errors.As(err, &fault):
		r.faulted(fault, traces)
	case errors.As(err, &crash) && crash.Stuck && crash.Asked:
		r.Stopped = "interrupted while the specification was initialised" + beginningAt(crash.Place())
	case errors.As(err, &crash) && crash.Stuck:
		r.Add(configs.Errorf(codes.SpecFault, "Initialisation does not return", crashRange(crash.Place()),
			"The packages of the specification were initialised for %s, and that has not returned%s: a loop without end, most likely. Look at its functions init, at the values of its variables and at its domains.",
			words.Elapsed(crash.After.Seconds()), beginningAt(crash.Place())))
	case errors.As(err, &crash) && crash.Place().Users() && !crash.Killed && !strings.Contains(crash.Output, "out of memory"):
		r.crashed(crash)
	case errors.As(err, &crash):
		detail := fmt.Sprintf("It ended with %s", crash.Status)
		if first := crash.First(); first != "" {
			detail += fmt.Sprintf(": %.200s", first)
		}
		detail += "."
		if crash.Killed || strings.Contains(crash.Output, "out of memory") {
			detail += " There was probably not enough memory. With -mem it ends undecided, with results, before that."
		}
		detail += r.keptOutput(crash)
		r.Add(configs.Errorf(codes.Crash, "Program ended without a result", hcl.Range{}, "%s", detail))
	default:
		r.Add(configs.Errorf(codes.Machine, "Program cannot be run", hcl.Range{}, "%v.", err))
	}
}

// hungText says which function did not return after an interrupt.
func hungText(e *wire.Error) string {
	text := e.Message
	if e.Action != "" {
		text += ", in " + e.Action
		if e.Params != nil {
			text += narrate.ParamsText(*e.Params)
		}
	}
	if e.Invariant != "" {
		text += ", in invariant " + e.Invariant
	}
	if e.File != "" {
		text += fmt.Sprintf(", at %s line %d", words.ShortPath(e.File), e.Line)
	}
	return text
}

// crashed reports that the Go runtime ended the program in the user's code. If a value was full
// there, as where a package is initialised, it is an exceeded capacity like any other.
func (r *Run) crashed(crash *wire.CrashError) {
	at := crash.Place()
	what, when := "The program", "while it ran"
	if at.Init {
		what, when = "The initialisation of a package", "before the program began"
	}
	code, summary, remedy := codes.SpecFault, "Specification failed", ""
	if n := crash.Full(); n > 0 {
		code, summary, remedy = codes.Capacity, "Capacity exceeded", remedyOf(r, &wire.Error{Capacity: n})
	}
	r.Add(configs.Errorf(code, summary, crashRange(at), "%s ended in %s %s: %.200s.%s%s", what, at.Func, when,
		strings.TrimSuffix(crash.Reason(), "."), remedy, r.keptOutput(crash)))
}

// keptOutput keeps what a crashed program wrote and says where.
func (r *Run) keptOutput(crash *wire.CrashError) string {
	text := crash.Status + "\n\n" + crash.Output
	if crash.Printed != "" {
		text += "\n\nIts standard output:\n" + crash.Printed
	}
	path, err := r.Env.Keep(r.Manifest.Name(), text)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" All that it wrote is in %s.", path)
}

// crashRange returns the place of a crash as a diagnostic's subject.
func crashRange(at wire.Place) hcl.Range {
	if !at.Users() {
		return hcl.Range{}
	}
	return placeRange(grains.Place{File: at.File, Line: at.Line})
}

// beginningAt says where a program was that did not begin.
func beginningAt(at wire.Place) string {
	if !at.Users() {
		return ""
	}
	return fmt.Sprintf(", at %s line %d in %s", words.ShortPath(at.File), at.Line, at.Func)
}

// faulted reports an error that the program sent. The steps that lead to it are kept as a trace.
func (r *Run) faulted(e *wire.Error, traces Traces) {
	var detail strings.Builder
	fmt.Fprintf(&detail, "%s", words.Sentence(e.Message))
	if e.Invariant != "" {
		detail.WriteString(" It happened in invariant " + e.Invariant)
	}
	if e.Action != "" {
		if e.Invariant != "" {
			detail.WriteString(", after " + e.Action)
		} else {
			detail.WriteString(" It happened in " + e.Action)
		}
		if e.Params != nil {
			detail.WriteString(narrate.ParamsText(*e.Params))
		}
	}
	if e.Action != "" || e.Invariant != "" {
		detail.WriteString(".")
	}
	code, summary := codes.SpecFault, "Specification failed while running"
	switch e.Kind {
	case wire.ErrorCapacity:
		code, summary = codes.Capacity, "Capacity exceeded"
		if e.Capacity == 0 {
			summary = "Index out of range"
		}
		detail.WriteString(remedyOf(r, e))
	case wire.ErrorCheckpoint:
		code, summary = codes.Checkpoint, "Checkpoint cannot be used"
	case wire.ErrorReduction:
		code, summary = codes.Reduction, "Reduction is not sound here"
	case wire.ErrorSystem:
		code, summary = codes.Machine, "Exploration failed"
	}
	if e.Trace != nil {
		meta := metaOf(r)
		meta.Kind, meta.Doc = "error", words.Sentence(e.Message)
		if path := r.keepTrace(traces, "error", meta, e.Trace); path != "" {
			fmt.Fprintf(&detail, " The trace to the state before it, %s, is in %s.", words.Plural(int64(len(e.Trace.Steps)), "step"), path)
		}
	}
	if e.Kind == wire.ErrorStrategy {
		r.Add(configs.Errorf(codes.Strategy, "Strategy does not fit the composition", actionPlace(r, e.Action), "%s%s", words.Sentence(e.Message), strategyRemedy(r)))
		return
	}
	if e.Kind == wire.ErrorTrace {
		r.Add(configs.Errorf(codes.Trace, "Not a trace of the composition", hcl.Range{}, "%s", words.Sentence(e.Message)))
		return
	}
	if e.Kind == wire.ErrorClosure {
		r.Add(configs.Errorf(codes.Strategy, "Closure does not fit the composition", hcl.Range{}, "%s", words.Sentence(e.Message)))
		return
	}
	if e.Kind == wire.ErrorSymmetry {
		r.Add(asymmetric(e))
		return
	}
	r.Add(configs.Errorf(code, summary, placeRange(grains.Place{File: e.File, Line: e.Line}), "%s", detail.String()))
}

// Because says in a sentence why a program failed, and what to raise where a capacity was exceeded.
func (r *Run) Because(err error) string {
	var e *wire.Error
	if errors.As(err, &e) && e.Kind == wire.ErrorCapacity {
		return words.Sentence(e.Message) + remedyOf(r, e)
	}
	return err.Error()
}

// remedyOf names the bounds that set capacities: the one whose value is the capacity that was
// exceeded, or else all. Where an index was out of range, no bound helps.
func remedyOf(r *Run, e *wire.Error) string {
	var text string
	switch {
	case e.Field != "" && e.Capacity > 0:
		text = fmt.Sprintf(" The field is %s, with room for %d.", e.Field, e.Capacity)
	case e.Capacity == 0: // an element that is not there
		if e.Field != "" {
			text = fmt.Sprintf(" The field is %s.", e.Field)
		}
		if e.Invariant != "" {
			return text + " Check the length before."
		}
		return text + " Check what the guard allows."
	}
	comp, of := r.Composition, "the manifest"
	if r.compared != nil {
		comp, of = r.compared, "the manifest's interaction block"
	}
	if x, ok := comp.CapacityOf(e.Field, e.Capacity); ok {
		return text + " " + capacityRemedy(comp, x)
	}
	var all, fitting []string
	for _, b := range comp.Catalog.Bounds {
		if b.Const == "" {
			continue
		}
		value := comp.Constants[b.Const]
		all = append(all, fmt.Sprintf("%s (now %s)", b.Name, value))
		if value == strconv.Itoa(e.Capacity) {
			fitting = append(fitting, all[len(all)-1])
		}
	}
	switch {
	case len(fitting) > 0:
		all = fitting
	case len(all) > 0 && e.Capacity > 0:
		return fmt.Sprintf("%s None of the manifest's bounds is %d: raise the constant in the specification, or a bound that it is computed from: %s.",
			text, e.Capacity, strings.Join(all, ", "))
	}
	switch len(all) {
	case 0:
		return text + " No bound of the catalog sets a capacity: raise the constant in the specification."
	case 1:
		return fmt.Sprintf("%s Raise the bound %s of %s.", text, all[0], of)
	}
	return fmt.Sprintf("%s Raise one of the bounds of %s: %s.", text, of, strings.Join(all, ", "))
}

// capacityRemedy says what to raise for a capacity whose place in the specification is known.
func capacityRemedy(comp *compose.Composition, x compose.Length) string {
	place := fmt.Sprintf("%s:%d", words.ShortPath(x.At.Filename), x.At.Line)
	var names []string
	for _, b := range comp.Catalog.Bounds {
		if slices.Contains(x.Consts, b.Const) {
			names = append(names, fmt.Sprintf("%s (now %s)", b.Name, comp.Constants[b.Const]))
		}
	}
	switch {
	case len(names) == 0:
		return fmt.Sprintf("No bound of the manifest sets it: raise %s at %s.", x.Text, place)
	case x.Plain:
		return fmt.Sprintf("Raise the bound %s of the manifest.", names[0])
	case len(names) == 1:
		return fmt.Sprintf("It is %s at %s. Raise the bound %s of the manifest.", x.Text, place, names[0])
	}
	return fmt.Sprintf("It is %s at %s. Raise one of the bounds of the manifest: %s.", x.Text, place, strings.Join(names, ", "))
}

// placeRange returns a place as a diagnostic's subject; the zero range where the place is not
// known.
func placeRange(p grains.Place) hcl.Range {
	if p.File == "" {
		return hcl.Range{}
	}
	at := hcl.Pos{Line: p.Line, Column: max(p.Column, 1)}
	return hcl.Range{Filename: p.File, Start: at, End: at}
}

// unused reports whether the manifest says that an action is unused, and where.
func (r *Run) unused(action string) (hcl.Range, bool) {
	for _, t := range r.Manifest.Check.Unused.Value {
		if t.Value == action {
			return t.Range, true
		}
	}
	return hcl.Range{}, false
}

// actionPlace returns where an action is declared.
func actionPlace(r *Run, name string) hcl.Range {
	for _, a := range r.Composition.Catalog.Actions {
		if a.Name == name {
			return placeRange(a.Place)
		}
	}
	return hcl.Range{}
}
