package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// A level holds within the bounds of its comparison, and an exploration can have larger ones. Then
// the result says by which, and to which properties that matters: what the comparison never saw of
// them, it did not compare.

// differing returns the bounds of a composition that differ from those of a comparison, which are
// written as name=value.
func differing(comp *compose.Composition, compared string) (out []result.OtherBound) {
	for _, b := range comp.Catalog.Bounds {
		for _, word := range strings.Fields(compared) {
			name, value, _ := strings.Cut(word, "=")
			there, err := strconv.Atoi(value)
			here := comp.Choice.Budgets[b.Name]
			if name == b.Name && err == nil && here != there {
				out = append(out, result.OtherBound{Name: name, Here: here, Compared: there})
			}
		}
	}
	return out
}

// bounded says by which bounds a composition differs from the comparison of its level, and to which
// properties that matters. If the manifest demands equal ones, the level is not decided.
func bounded(m *configs.Manifest, comp *compose.Composition, x *result.Locked) {
	if x.Bounds == "" {
		return
	}
	x.Bounded = differing(comp, x.Bounds)
	if x.Status == result.Decided && slices.ContainsFunc(x.Bounded, result.OtherBound.Exceeds) {
		for _, l := range x.Looks {
			if l.Only[0] > 0 {
				x.Matters = append(x.Matters, fmt.Sprintf("%s, of which the coarse composition reached %d of %s", l.Name, l.Seen[0]-l.Only[0], words.Plural(int64(l.Seen[0]), "value")))
			}
		}
		for _, text := range x.Unasked {
			x.Matters = append(x.Matters, text+" only in the fine composition")
		}
	}
	if x.Status != result.Decided || len(x.Bounded) == 0 || m.Interaction == nil || !m.Interaction.EqualBounds.Or(false) {
		return
	}
	x.Status = result.Open
	x.Reason = fmt.Sprintf("level %s of interaction preservation is not decided: the manifest demands equal bounds, and %s; change the bounds of the manifest or those of its interaction block, and run multigrain interaction -lock %s",
		x.Level, strings.Join(result.BoundsText(x.Bounded, x.Level), ", "), words.ShortPath(m.Path))
}

// came adds which branches of invariants the run took and the comparison did not.
func (r *Run) came() {
	x := r.Interaction
	if x == nil || x.Locked == nil || x.Locked.Matters == nil || r.Report == nil || r.Report.Branches == nil || !r.completed {
		return
	}
	open := r.unasked()
	for _, text := range x.Locked.Unasked {
		k := slices.Index(x.Locked.Matters, text+" only in the fine composition")
		if k >= 0 && !slices.Contains(open, text) {
			x.Locked.Matters[k] = text + " here, and only in the fine composition where it was compared"
		}
	}
}
