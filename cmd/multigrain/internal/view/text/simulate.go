package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// walksText says what random walks were taken and what they covered.
func walksText(r *result.Exploration) string {
	s := r.Simulation
	var b strings.Builder
	atLeast := ""
	if s.Full {
		atLeast = "at least "
	}
	fmt.Fprintf(&b, "  %s and %s, the longest walk of %s\n", words.Plural(s.Walks, "walk"), words.Plural(s.Steps, "step"), words.Plural(int64(r.Depth), "step"))
	fmt.Fprintf(&b, "  %s%s, %s of enabled actions\n", atLeast, words.Plural(r.Distinct, "distinct state"), words.Plural(s.Abstractions, "distinct set"))
	b.WriteString(indentAll(Wrap("walks ended: "+endsText(s.Ends), 96), "  "))
	b.WriteString(indentAll(Wrap(firedText(r), 96), "  "))
	if len(r.GoalsMissed) > 0 {
		b.WriteString(indentAll(Wrap("goals not reached: "+strings.Join(r.GoalsMissed, ", "), 96), "  "))
	}
	fmt.Fprintf(&b, "  %s with %s, %s steps; seed %d", words.Elapsed(r.Seconds), words.Plural(int64(r.Workers), "worker"), words.Rate(s.Steps, r.Seconds), s.Seed)
	if s.Learned {
		b.WriteString(", learned weights")
		if s.Hash != "" {
			b.WriteString(" by " + s.Hash)
		}
	}
	b.WriteString("\n")
	if s.Strategy != nil {
		b.WriteString(strategyText(s.Strategy))
	}
	return b.String()
}

// strategyText says by which strategy walks were taken and what that guarantees.
func strategyText(s *wire.Strategy) string {
	var b strings.Builder
	label := ""
	if len(s.Heuristic) > 0 {
		label = " (heuristic)"
	}
	fmt.Fprintf(&b, "  strategy %s%s\n", s.Name, label)
	t := Table{Indent: "    ", right: map[int]bool{1: true}}
	for _, p := range s.Parameters {
		t.Row(p.Name, strconv.FormatFloat(p.Value, 'g', -1, 64), p.Meaning)
	}
	b.WriteString(t.Text())
	if s.Space != "" {
		b.WriteString(indentAll(Wrap("sample space: "+words.Digits(s.Space)+" "+s.SpaceOf, 94), "    "))
	}
	if s.Guarantee != "" {
		b.WriteString(indentAll(Wrap("guarantee: "+s.Guarantee, 94), "    "))
	}
	for _, reason := range s.Heuristic {
		b.WriteString(indentAll(Wrap("heuristic: "+reason, 94), "    "))
	}
	for _, note := range s.Notes {
		b.WriteString(indentAll(Wrap("note: "+note, 94), "    "))
	}
	return b.String()
}

// endsText counts walks by what ended them.
func endsText(e wire.Ends) string {
	var parts []string
	for _, x := range []struct {
		n    int64
		what string
	}{
		{e.Depth, "at their full length"},
		{e.Deadlock, "in a state without successors"},
		{e.Finished, "where the strategy ends them"},
		{e.Blocked, "where only actions of weight 0 or masked assertions are left"},
		{e.Outside, "at a state constraint"},
		{e.Violated, "in a violation"},
	} {
		if x.n > 0 {
			parts = append(parts, words.Count(x.n)+" "+x.what)
		}
	}
	return words.ListOr(parts, "none")
}

// firedText says how many of the actions that can be fired were, and names the others.
func firedText(r *result.Exploration) string {
	actions, all, instances, of := 0, 0, 0, 0
	var never []string
	for k := range r.Actions {
		a := &r.Actions[k]
		if a.Spent || a.Off {
			continue
		}
		all++
		instances += a.Instances.Fired
		of += a.Instances.Of
		if a.Fired > 0 {
			actions++
		} else {
			never = append(never, a.Name)
		}
	}
	text := fmt.Sprintf("fired: %d of %s, %d of their %s", actions, words.Plural(int64(all), "action"), instances, words.Plural(int64(of), "instance"))
	if len(never) > 0 {
		text += "; never " + strings.Join(never, ", ")
	}
	return text
}

// coverageTable shows the coverage after 1, 10, 100, ... walks and at the end; all points of the
// report where all is true.
func coverageTable(r *result.Exploration, all bool) string {
	t := Table{Indent: "  ", right: map[int]bool{}}
	for k := range 8 {
		t.right[k] = true
	}
	t.Row("walks", "steps", "actions", "instances", "distinct", "enabled sets", "goals", "time")
	points := r.Simulation.Coverage
	for k, p := range points {
		if !all && k < len(points)-1 && strings.Trim(strconv.FormatInt(p.Walks, 10), "0") != "1" {
			continue
		}
		t.Row(words.Count(p.Walks), words.Count(p.Steps), strconv.Itoa(p.Actions), strconv.Itoa(p.Instances), words.Count(p.Distinct),
			words.Count(p.Abstractions), strconv.Itoa(p.Goals), words.Elapsed(p.Seconds))
	}
	return t.Text()
}

// shrunkText says which walk a counterexample was shrunk from, and how often its like was found.
func shrunkText(v *result.Violation) string {
	from := v.Origin
	var text string
	switch {
	case from.Walk == 0:
		text = "an initial state"
	case from.Length == v.Depth:
		text = fmt.Sprintf("the whole of walk %s", words.Count(from.Walk))
	default:
		text = fmt.Sprintf("shrunk from the %s of walk %s", words.Plural(int64(from.Length), "step"), words.Count(from.Walk))
	}
	switch {
	case from.Walk > 0 && from.Minimal:
		text += ", no step can be left out"
	case from.Walk > 0:
		text += ", some steps may be superfluous"
	}
	if v.Count > 1 {
		text += fmt.Sprintf("; %s walks end in it", words.Count(v.Count))
	}
	return text
}
