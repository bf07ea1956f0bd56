package gaps

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// Adopt writes the sequences of gaps into the accept blocks that accept these without sequences,
// and accepts the gaps in the result. It returns how many blocks it changed. A gap that has
// changed otherwise is left to people.
func Adopt(m *configs.Manifest, d *result.Comparison) (changed int, diags hcl.Diagnostics) {
	byFile := map[string][]line{}
	for _, a := range Of(m) {
		if x := viewsOf(a, d); x != nil {
			at := a.Digest.Range
			byFile[at.Filename] = append(byFile[at.Filename], line{at.End.Line, x.Sequences})
			a.Sequences.Value, a.Sequences.Range = x.Sequences, at
		}
	}
	AcceptGaps(d, Of(m))
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		text, err := files.Read(file)
		if err == nil {
			if text, diags = configs.Format(file, insert(text, byFile[file])); diags.HasErrors() {
				return changed, diags
			}
			err = files.WriteFile(file, text, 0o644)
		}
		if err != nil {
			return changed, hcl.Diagnostics{configs.Errorf(codes.Write, "Manifest cannot be written", hcl.Range{}, "%v. Write the sequences into %s yourself.", err, file)}
		}
		changed += len(byFile[file])
	}
	return changed, nil
}

// line is an attribute with sequences that follows a line of a file, counted from 1.
type line struct {
	after     int
	sequences string
}

// insert adds lines to a file, each with the indentation of the line before.
func insert(text []byte, lines []line) []byte {
	all := strings.Split(string(text), "\n")
	slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(b.after, a.after) })
	for _, l := range lines {
		before := all[l.after-1]
		indent := before[:len(before)-len(strings.TrimLeft(before, " \t"))]
		all = slices.Insert(all, l.after, fmt.Sprintf("%ssequences = %q", indent, l.sequences))
	}
	return []byte(strings.Join(all, "\n"))
}

// viewsOf returns the extent of the gap whose views a block accepts without its sequences, if
// these are known; else nil.
func viewsOf(a *configs.Acceptance, d *result.Comparison) *wire.Extent {
	for k := range d.Differences {
		if x := &d.Differences[k]; x.Missed && about(a, x) && unsequenced(a, x.Extent) {
			return x.Extent
		}
	}
	return nil
}

// Unsequenced reports blocks that have the views of a gap and not its sequences, although these
// are known.
func Unsequenced(m *configs.Manifest, d *result.Comparison) (diags hcl.Diagnostics) {
	for _, a := range Of(m) {
		if viewsOf(a, d) != nil {
			diags = append(diags, configs.Errorf(codes.Unsequenced, "Gap accepted without sequences", a.DeclRange,
				"The block accepts the views of this gap, and any sequence of them: another mistake with the same views would pass. multigrain interaction -adopt %s writes the sequences into it.", words.ShortPath(m.Path)))
		}
	}
	return diags
}
