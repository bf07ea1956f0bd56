package text

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// walked lists the compositions in which changed code was walked, and those in which it was not.
func (t Observed) walked(o *result.Observed) string {
	var b strings.Builder
	for k := range o.Walked {
		w := &o.Walked[k]
		var parts []string
		for _, m := range w.Modules {
			if m.By == "" || m.By == m.Module {
				parts = append(parts, m.Module+"/"+m.Grain)
			}
		}
		text := "walked: " + strings.Join(parts, ", ")
		if with := settingsText(w); with != "" {
			text += ", with " + with
		}
		text += "; " + words.Plural(w.Walks, "walk")
		if w.Of > 0 {
			text += fmt.Sprintf(", %d of %d branches", w.Branches, w.Of)
		}
		if w.Reason != "" {
			text += "; " + w.Reason
		}
		b.WriteString(indentAll(Wrap(text, 96), "  "))
		for _, s := range w.Stands {
			fmt.Fprintf(&b, "    %s of %s stands for %s\n", s.Grain, s.Module, s.For)
		}
		for _, l := range w.LeftOut {
			fmt.Fprintf(&b, "    the adapter cannot drive %s: %s\n", l.Action, l.Reason)
		}
	}
	for _, r := range o.NotWalked {
		b.WriteString(indentAll(Wrap("not walked: "+strings.Join(r.Grains, ", ")+": "+r.Why, 96), "  "))
	}
	return b.String()
}

// settingsText returns the options and bounds that walks have and the manifest has not.
func settingsText(w *result.Walked) string {
	var parts []string
	for _, all := range [][]result.Setting{w.Options, w.Bounds} {
		for _, s := range all {
			parts = append(parts, s.Name+" = "+s.Value)
		}
	}
	return strings.Join(parts, ", ")
}

// checkedText says for the first line what the check of the composition leaves open; "" for nothing.
func checkedText(c *result.Checked) string {
	switch {
	case c == nil:
		return ""
	case c.Verdict == verdicts.Undecided:
		return "; whether that specification holds is undecided: " + c.Reason
	case len(c.Known) > 0:
		return "; apart from " + strings.Join(c.Known, ", ") + ", which the specification of the version before the change violates, too"
	}
	return ""
}

// checked tells of the check of the composition.
func (t Observed) checked(c *result.Checked) string {
	if c == nil {
		return ""
	}
	text := fmt.Sprintf("model checked: %s, %s, %s", c.Verdict, words.Plural(c.Distinct, "state"), words.Elapsed(c.Seconds))
	if c.Invariant != "" {
		text += fmt.Sprintf("; the changed code behaves as the specification, and the specification violates %s", c.Invariant)
	}
	text = indentAll(Wrap(text+checkedText(c), 96), "  ")
	if c.Trace != "" {
		text += "    trace: " + c.Trace + "\n"
	}
	return text
}
