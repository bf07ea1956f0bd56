package gaps

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction"
)

// Of returns the blocks by which a manifest accepts gaps.
func Of(m *configs.Manifest) (out []*configs.Acceptance) {
	for _, b := range m.Modules {
		out = append(out, b.Accept...)
	}
	if m.Interaction != nil {
		out = append(out, m.Interaction.Accept...)
	}
	return out
}

// Texts returns the accept blocks in a line each.
func Texts(all []*configs.Acceptance) (out []string) {
	for _, a := range all {
		out = append(out, a.String())
	}
	return out
}

// AcceptGaps compares the gaps with the accept blocks of a manifest. It returns, by difference,
// the block that accepts a gap of another extent.
func AcceptGaps(d *result.Comparison, blocks []*configs.Acceptance) map[int]*configs.Acceptance {
	// By block: whether it is about a gap that was found, and whether it accepts one.
	found, used := map[*configs.Acceptance]bool{}, map[*configs.Acceptance]bool{}
	changed := map[int]*configs.Acceptance{}
	for k := range d.Findings {
		f := &d.Findings[k]
		f.Accepted, f.Severity = false, string(interaction.Error)
		if f.Code == string(codes.Unsequenced) {
			f.Code = interaction.CodeOfKind(interaction.MissedBehaviour)
		}
		for _, a := range blocks {
			x := &d.Differences[k]
			if !x.Missed || !about(a, x) {
				continue
			}
			if found[a] = true; fits(a, x.Extent, d.Level) {
				used[a] = true
				f.Accepted, f.Severity = true, string(interaction.Note)
				delete(changed, k)
				break
			}
			changed[k] = a
		}
	}
	for k, a := range changed {
		if unsequenced(a, d.Differences[k].Extent) {
			d.Findings[k].Code = string(codes.Unsequenced)
		}
	}
	d.Accepted, d.Unused = []string{}, nil
	for _, a := range blocks {
		switch {
		case used[a]:
			d.Accepted = append(d.Accepted, a.String())
		case !found[a]:
			d.Unused = append(d.Unused, a.String())
		}
	}
	return changed
}

// about reports whether a block is about a gap. Its action is the step that the coarse grain
// leaves out, or who observes the gap. Capitals do not matter.
func about(a *configs.Acceptance, d *wire.Difference) bool {
	if n := a.Action; n.IsSet() && !strings.EqualFold(n.Value, d.Cause) && !strings.EqualFold(n.Value, d.Observer) {
		return false
	}
	return !a.Variable.IsSet() || strings.EqualFold(a.Variable.Value, d.Variable)
}

// fits reports whether a gap has the extent that a block accepts, in a result that decides a
// level. Where states were left out, a gap of at most so many observations fits. Below level L2
// no sequences are known, so views are compared alone.
func fits(a *configs.Acceptance, x *wire.Extent, level string) bool {
	switch {
	case x == nil || !a.Pinned():
		return false
	case !x.Complete:
		return x.Missed <= a.Missed.Value
	case level < "L2" && x.Sequences == "":
		return sameViews(a, x)
	}
	return sameViews(a, x) && x.Sequences == a.Sequences.Value
}

// unsequenced reports whether a block has the views of a gap and not its sequences, which are
// known.
func unsequenced(a *configs.Acceptance, x *wire.Extent) bool {
	return x != nil && x.Complete && a.Pinned() && sameViews(a, x) && x.Sequences != "" && !a.Sequences.IsSet()
}

// sameViews reports whether a gap has the views that a block accepts.
func sameViews(a *configs.Acceptance, x *wire.Extent) bool {
	return x.Missed == a.Missed.Value && x.Views == a.Views.Value && x.Digest == a.Digest.Value
}

// acceptBlock returns a block that accepts a gap as it is.
func acceptBlock(d *wire.Difference) string {
	name, value := "action", cmp.Or(d.Cause, d.Observer)
	if d.Cause == "" && d.Variable != "" {
		name, value = "variable", d.Variable
	}
	width := max(len(name), len("reason"))
	if d.Extent != nil && d.Extent.Sequences != "" {
		width = max(width, len("sequences"))
	}
	return fmt.Sprintf("accept {\n  %-*s = %q\n  %-*s = \"...\"\n%s}", width, name, value, width, "reason", extentLines(d.Extent, width))
}

// extentLines returns the attributes of an extent, with names of some width.
func extentLines(x *wire.Extent, width int) string {
	if x == nil {
		return ""
	}
	if x.Sequences != "" {
		width = len("sequences")
	}
	text := fmt.Sprintf("  %-*s = %d\n  %-*s = %d\n  %-*s = %q\n", width, "missed", x.Missed, width, "views", x.Views, width, "digest", x.Digest)
	if x.Sequences != "" {
		text += fmt.Sprintf("  %-*s = %q\n", width, "sequences", x.Sequences)
	}
	return text
}

// mostNews bounds how many new observations a message lists.
const mostNews = 5

// changeText says how a gap differs from what a block accepts, and the remedy.
func changeText(a *configs.Acceptance, d *wire.Difference, known narrate.Known) (message, remedy string) {
	remedy = "look at what is missed, and write its extent into the accept block if it is harmless:\n\n" + acceptBlock(d)
	x := d.Extent
	if x == nil {
		return Text(d, known), remedy
	}
	if !a.Pinned() {
		return fmt.Sprintf("the manifest accepts this gap without its extent, which is %d of %s: %s", x.Missed,
			words.Plural(int64(x.Views), "view"), Text(d, known)), remedy
	}
	if x.Complete && sameViews(a, x) {
		return sequencesText(a, x) + "; " + Text(d, known), remedy
	}
	message = fmt.Sprintf("the manifest accepts a gap of %d of %s, and it is now %d of %d", a.Missed.Value,
		words.Plural(int64(a.Views.Value), "view"), x.Missed, x.Views)
	news := wire.News(d.Missing, a.Digest.Value)
	if len(news) == 0 {
		return message + "; " + Text(d, known), remedy
	}
	message += "; new, or among what is new:"
	for k, m := range news {
		if k == mostNews {
			message += fmt.Sprintf(" and %d more", len(news)-mostNews)
			break
		}
		message += " (" + m.Text + ")"
	}
	return message, remedy
}

// sequencesText says which sequences of a gap are not those that a block accepts, although the
// views are.
func sequencesText(a *configs.Acceptance, x *wire.Extent) string {
	var differ []string
	was, is := a.Sequences.Value, x.Sequences
	if is == "" {
		return "the manifest accepts a gap with the same views, and which sequences of them are missed now is not known"
	}
	for k := 8; k < len(was) && k < len(is); k++ {
		if was[k] != is[k] && len(differ) < mostNews {
			word := "others"
			if was[k] == '0' {
				word = "new ones"
			} else if is[k] == '0' {
				word = "none any more"
			}
			differ = append(differ, fmt.Sprintf("of %s %s", words.Plural(int64(k-7), "observation"), word))
		}
	}
	return fmt.Sprintf("the manifest accepts a gap with the same views, and other sequences of them are missed now: %s", words.ListOr(differ, "of more than 32 observations"))
}
