package text

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// maxShown is how many unreadable lines and undecided intervals are listed for people; -json has
// more.
const maxShown = 5

// Monitor returns the result of a monitor for people.
func Monitor(d *result.Monitor, paint Painter) string {
	var b strings.Builder
	st := &d.Stats
	values, which := []string{"reason", d.Reason, "node", strconv.Itoa(d.Node)}, ""
	if d.Alarm != nil {
		values = append(values, "peer", strconv.Itoa(d.Alarm.Peer))
		if d.Alarm.Sent > 0 {
			which = verdicts.Forgotten
		}
	}
	b.WriteString(verdicts.Find("monitor", d.Verdict, which).Line(paint.tone, values...) + "\n")
	if a := d.Alarm; a != nil {
		fmt.Fprintf(&b, "\n    %s\n\n", a.Message.Line())
		if a.Sent > 0 {
			fmt.Fprintf(&b, "event %d of the stream, its outgoing message %d; the restart is event %d\n", a.Sent, a.Outgoing, a.Position)
		} else {
			fmt.Fprintf(&b, "event %d of the stream, its outgoing message %d\n", a.Position, a.Outgoing)
		}
		if d.Alarms > 1 {
			fmt.Fprintf(&b, "the first of %d alarms\n", d.Alarms)
		}
		if len(a.Expected) > 0 {
			b.WriteString("\nwhat would have been allowed in its place:\n")
			for k := range a.Expected {
				b.WriteString("    " + a.Expected[k].Line() + "\n")
			}
		}
		if a.Why != "" {
			b.WriteString("\n" + a.Why + "\n")
		}
		if a.State != nil {
			of := "one of them"
			if a.Sent > 0 {
				of = "it starts from"
			}
			b.WriteString(of + ": " + result.Brief(a.State) + "\n")
		}
		b.WriteString("\nthe events before it:\n")
		for k := range a.Last {
			b.WriteString("    " + a.Last[k].Line() + "\n")
		}
		b.WriteString("\n")
	}
	for k := range d.Finer {
		b.WriteString(finer(&d.Finer[k]))
	}
	if d.Unjudged > 0 {
		fmt.Fprintf(&b, "%s not judged again: too many, or faster than a judgement takes\n", words.Plural(d.Unjudged, "part"))
	}
	b.WriteString(substitutions(d.Substitutions))
	fmt.Fprintf(&b, "%d outgoing messages: %d decided, %d undecided; %d received, %d inputs, %d restarts, %d lost, %d malformed\n",
		st.Out, st.Decided, st.Undecided, st.In, st.Inputs, st.Restarts, st.Lost, d.Malformed)
	for _, x := range st.LeftOut {
		fmt.Fprintf(&b, "    %d events of %s left out: the composition does not model that network\n", x.Events, x.Network)
	}
	others := d.Malformed
	for _, x := range d.Unreadable[:min(len(d.Unreadable), maxShown)] {
		others -= x.Lines
		fmt.Fprintf(&b, "    line %d cannot be read: %s: %s\n", x.Line, x.Why, words.Printable(x.Text))
		if x.Lines > 1 {
			fmt.Fprintf(&b, "        nor %s, for the same reason\n", words.Plural(x.Lines-1, "other line"))
		}
	}
	if others > 0 {
		fmt.Fprintf(&b, "    %s that cannot be read, for other reasons\n", words.Plural(others, "more line"))
	}
	for k, x := range st.Causes {
		if k == maxShown {
			fmt.Fprintf(&b, "    and %d more intervals\n", len(st.Causes)-maxShown)
			break
		}
		cause := x.Cause
		if cause == d.Reason {
			cause = "for the reason above"
		}
		fmt.Fprintf(&b, "    undecided: events %d to %d, %d outgoing messages: %s\n", x.From, x.To, x.Out, cause)
	}
	fmt.Fprintf(&b, "%.2f s, %.0f messages a second; %.2f simulation states on average, %d at most; %.1f explored for a message, %d at most\n",
		d.Seconds, float64(st.In+st.Out)/max(d.Seconds, 1e-9), float64(st.SumStates)/float64(max(st.Decided, 1)), st.Most,
		float64(st.Explored)/float64(max(st.Out, 1)), st.Largest)
	return b.String()
}

// finer says how a finer grain judges a part of a stream.
func finer(d *result.Finer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s at event %d, judged again after event %d with %s of %s: ", d.Occasion, d.At, d.From, strings.Join(d.Grains, " and "), strings.Join(d.Modules, " and "))
	switch {
	case d.Verdict == verdicts.Holds && d.Occasion == "alarm":
		b.WriteString("every message is explained, so the coarse grain is too strict here\n")
	case d.Verdict == verdicts.Holds:
		b.WriteString("every message is explained\n")
	case d.Alarm == nil:
		fmt.Fprintf(&b, "undecided, %s\n", d.Reason)
	default:
		a := d.Alarm
		what := "an alarm, too"
		if d.Occasion != "alarm" {
			what = fmt.Sprintf("an alarm at event %d of this part, which the coarse grain does not raise", a.Position)
		}
		fmt.Fprintf(&b, "%s\n    no step sends %s\n", what, a.Message.Line())
		for k := range a.Expected {
			b.WriteString("    but in its place " + a.Expected[k].Line() + "\n")
		}
		if a.Why != "" {
			b.WriteString("    " + a.Why + "\n")
		}
	}
	return b.String()
}

// substitutions lists how the composition next to a node differs from the manifest's.
func substitutions(list []result.Substitution) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("next to the node:\n")
	for _, x := range list {
		verb := "runs as"
		switch {
		case x.Setting:
			verb = "becomes"
		case strings.HasPrefix(x.To, "its local actions"):
			verb = "runs by"
		}
		fmt.Fprintf(&b, "    %s: %s %s %s, because %s\n", x.What, x.From, verb, x.To, x.Why)
	}
	return b.String()
}

// NodePlan explains for people how a composition runs next to a node.
func NodePlan(d *result.NodePlan) string {
	var b strings.Builder
	b.WriteString(substitutions(d.Substitutions))
	b.WriteString("actions:\n")
	for _, a := range d.Actions {
		if a.Module == "local" {
			continue
		}
		fmt.Fprintf(&b, "    %s (%s): %s", a.Name, a.Module, a.Class)
		var by []string
		for _, l := range d.Actions {
			if l.Module == "local" && slices.Contains(l.For, a.Name) {
				by = append(by, l.Name)
			}
		}
		if len(by) > 0 {
			b.WriteString(", runs by its local actions " + strings.Join(by, ", "))
		}
		if a.Why != "" {
			b.WriteString(", because " + a.Why)
		}
		if len(a.Declared) > 0 {
			b.WriteString("; declared: " + strings.Join(a.Declared, ", "))
		}
		b.WriteString("\n")
	}
	if len(d.Remains) > 0 {
		b.WriteString("only for running next to a node:\n")
	}
	for _, x := range d.Remains {
		fmt.Fprintf(&b, "    %s %s: %s\n", x.Kind, x.Name, x.Why)
	}
	return b.String()
}

// Selftest returns the result of a self-test for people.
func Selftest(d *result.Selftest, paint Painter) string {
	var b strings.Builder
	t := &d.Tried
	b.WriteString(verdicts.Find("monitor", d.Verdict, verdicts.Selftest).Line(paint.tone, "reason", d.Reason,
		"behaviours", words.Plural(t.Behaviours, "behaviour"), "failures", words.Plural(t.Failed, "stream")) + "\n")
	for k := range t.Failures {
		f := &t.Failures[k]
		fmt.Fprintf(&b, "\n%s at node %d: %s\n", f.Kind, f.Node, f.Detail)
		if f.Mutation != "" {
			fmt.Fprintf(&b, "    mutation: %s\n", f.Mutation)
		}
		fmt.Fprintf(&b, "    again: -selftest 1 -seed %d\n", f.Seed)
		for _, line := range f.Stream {
			b.WriteString("    " + line + "\n")
		}
	}
	if len(t.Failures) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s of %d steps from seed %d on: %s steps\n", words.Plural(t.Behaviours, "behaviour"), d.Length, d.Seed, words.Count(t.Steps))
	fmt.Fprintf(&b, "%s: all orders of %s projected behaviours, %d at most of %s others\n", words.Plural(t.Traces, "trace"), words.Count(t.Exhaustive), d.Orders, words.Count(t.Sampled))
	fmt.Fprintf(&b, "%s outgoing messages, %s decided; %s undecided traces\n", words.Count(t.Sent), words.Count(t.Decided), words.Count(t.Undecided))
	for _, r := range t.Reasons {
		b.WriteString("    undecided: " + r + "\n")
	}
	fmt.Fprintf(&b, "%s: %s with an alarm and no legal behaviour, %s with a legal behaviour, %s not judged\n", words.Plural(t.Mutants, "mutant"),
		words.Count(t.Noticed), words.Count(t.Legal), words.Count(t.Unjudged))
	fmt.Fprintf(&b, "laws: %s pairs with a lazy step, %s with an eager one, %s with a hidden one, %s with a message that waits\n",
		words.Count(t.Lazy), words.Count(t.Eager), words.Count(t.Hidden), words.Count(t.Waits))
	fmt.Fprintf(&b, "      %s states in which Says denies something, %s in which Sends does; %s steps whose state Merge changes\n",
		words.Count(t.Says), words.Count(t.Sends), words.Count(t.Merge))
	var taken []string
	for _, name := range slices.Sorted(maps.Keys(t.Taken)) {
		taken = append(taken, fmt.Sprintf("%s %s", name, words.Count(t.Taken[name])))
	}
	b.WriteString("steps taken: " + strings.Join(taken, ", ") + "\n")
	fmt.Fprintf(&b, "%.2f s; %.2f simulation states on average; %.1f explored for a message, %d at most\n", d.Seconds,
		float64(t.SumStates)/float64(max(t.Decided, 1)), float64(t.Explored)/float64(max(t.Sent, 1)), t.Largest)
	return b.String()
}
