package text

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Selftest is the result of a self-test for people.
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
	fmt.Fprintf(&b, "laws: %s pairs with a lazy step, %s with an eager one, %s with a hidden one; %s states in which something cannot be said\n",
		words.Count(t.Lazy), words.Count(t.Eager), words.Count(t.Hidden), words.Count(t.Says))
	var taken []string
	for _, name := range slices.Sorted(maps.Keys(t.Taken)) {
		taken = append(taken, fmt.Sprintf("%s %s", name, words.Count(t.Taken[name])))
	}
	b.WriteString("steps taken: " + strings.Join(taken, ", ") + "\n")
	fmt.Fprintf(&b, "%.2f s; %.2f simulation states on average; %.1f explored for a message, %d at most\n", d.Seconds,
		float64(t.SumStates)/float64(max(t.Decided, 1)), float64(t.Explored)/float64(max(t.Sent, 1)), t.Largest)
	return b.String()
}
