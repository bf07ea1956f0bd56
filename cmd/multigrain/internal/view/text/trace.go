package text

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// WhyText returns why the property was false at the end, where that was asked for when the trace
// was written.
func WhyText(why []wire.Reason) string {
	if len(why) == 0 {
		return ""
	}
	return Reasons(why, "  ") + "\n"
}

// TraceHead says where a trace comes from.
func TraceHead(m *result.Trace) string {
	var b strings.Builder
	b.WriteString(m.File + ": " + words.Plural(int64(len(m.Steps)), "step"))
	if m.Spec != "" {
		fmt.Fprintf(&b, " of %s, system %s", m.Spec, m.System)
	}
	b.WriteString("\n")
	if m.Selected != "" {
		b.WriteString(m.Selected + "\n")
	}
	if m.Kind != "" {
		what := m.Invariant
		if m.Instance != "" {
			what += "." + m.Instance
		}
		fmt.Fprintf(&b, "%s %s", words.SentenceStart(kinds[m.Kind], m.Kind), what)
		if m.Doc != "" {
			b.WriteString(": " + m.Doc)
		}
		b.WriteString("\n")
	}
	if m.Change != "" {
		fmt.Fprintf(&b, "Done on the changed code of %s, change %s.\n", m.Implementation, m.Change)
	}
	return b.String() + "\n"
}

// seedsText says which of several seeds found something, and which are undecided.
func seedsText(seeds []result.Seeded) string {
	if len(seeds) == 0 {
		return ""
	}
	of := map[string][]string{}
	for _, s := range seeds {
		of[s.Verdict] = append(of[s.Verdict], fmt.Sprint(s.Seed))
	}
	found, open := of[verdicts.Violated], of[verdicts.Undecided]
	line := fmt.Sprintf("%s from %d: %d found something", words.Plural(int64(len(seeds)), "seed"), seeds[0].Seed, len(found))
	if len(found) > 0 {
		line += " (" + strings.Join(found, ", ") + ")"
	}
	if len(open) > 0 {
		line += fmt.Sprintf(", and %d are undecided (%s)", len(open), strings.Join(open, ", "))
	}
	return indentAll(Wrap(line, 96), "  ")
}

// Likely shows how likely walks from each step of a trace meet its violation.
func Likely(d *result.Likely) string {
	var b strings.Builder
	b.WriteString(Wrap(fmt.Sprintf("how likely walks from each step of %s meet the violation of %s", d.Trace, d.Property), 98) + "\n\n")
	rows := Table{Indent: "  ", right: map[int]bool{0: true, 2: true, 3: true, 4: true}}
	rows.Row("step", "", "walks", "met", "probability", "95 % interval")
	for _, s := range d.Steps {
		walks, met := words.Count(s.Walks), words.Count(s.Met)
		if s.Walks == 0 {
			walks, met = "", ""
		}
		action := s.Action
		if s.Step == 0 {
			action = "initial state"
		}
		rows.Row(fmt.Sprint(s.Step), action, walks, met, Percent(s.Probability), Percent(s.Low)+" to "+Percent(s.High), jumpText(s.Jump))
	}
	return b.String() + rows.Text() + "\n" + Wrap(JumpsText(d), 98) + "\n"
}

// Percent returns a share from 0 to 1 in percent.
func Percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func jumpText(jump string) string {
	if jump == "" {
		return ""
	}
	return "jumps " + jump
}

// JumpsText names the steps at which the probability jumps, in a sentence.
func JumpsText(d *result.Likely) string {
	var at []string
	for _, s := range d.Steps {
		if s.Jump != "" {
			at = append(at, fmt.Sprintf("%d (%s, %s)", s.Step, s.Action, s.Jump))
		}
	}
	if len(at) == 0 {
		return "The probability jumps at no step: no two neighbouring intervals are apart."
	}
	return "The probability jumps at step " + strings.Join(at, ", ") + ": the intervals before and after are apart."
}
