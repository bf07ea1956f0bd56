package locks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// endingsOf returns the endings that a comparison compared at level L2, each once.
func endingsOf(d *result.Comparison) (out []string) {
	for _, e := range d.Endings {
		if !slices.Contains(out, e.Name) {
			out = append(out, e.Name)
		}
	}
	return out
}

// Compares reports whether an entry is about all endings of a list.
func (e *Entry) Compares(endings []string) bool {
	return !slices.ContainsFunc(endings, func(x string) bool { return !slices.Contains(e.Endings, x) })
}

// With returns the entry with a digest that decides level L2 and is about all endings of a list.
// It returns nil if there is none.
func (f *File) With(digest string, endings []string) *Entry {
	for k := range f.Entries {
		if e := &f.Entries[k]; e.Digest == digest && e.Level == "L2" && e.Compares(endings) {
			return e
		}
	}
	return nil
}

// writeEndings sets the attribute of endings, if there are any.
func writeEndings(b *hclwrite.Body, endings []string) {
	if len(endings) == 0 {
		return
	}
	var list []cty.Value
	for _, e := range endings {
		list = append(list, cty.StringVal(e))
	}
	b.SetAttributeValue("endings", cty.ListVal(list))
}

// Covers reports whether a result of level L2 is about all endings that are asked for.
func Covers(d *result.Comparison, asked []string) bool {
	for _, e := range asked {
		if !slices.ContainsFunc(d.Endings, func(x wire.Ending) bool { return x.Name == e }) {
			return false
		}
	}
	return true
}

// Asked returns the entry without differences in endings that the manifest does not ask for.
func (e *Entry) Asked(endings []string) *Entry {
	x := *e
	x.Differences = slices.DeleteFunc(slices.Clone(e.Differences), func(d Difference) bool {
		return d.Ending != "" && !slices.ContainsFunc(endings, func(name string) bool {
			return d.Observer == name || strings.HasPrefix(d.Observer, name+".")
		})
	})
	return &x
}

// Unended says why an entry does not decide the endings that a manifest asks for, with the remedy;
// "" if it does.
func (e *Entry) Unended(m *configs.Manifest, endings []string, file string) (reason, remedy string) {
	if e.Compares(endings) {
		return "", ""
	}
	var missing []string
	for _, x := range endings {
		if !slices.Contains(e.Endings, x) {
			missing = append(missing, x)
		}
	}
	return fmt.Sprintf("the result in %s does not compare %s", words.ShortPath(file), words.ListOr(missing, "")),
		"multigrain interaction -lock " + words.ShortPath(m.Path) + " compares and keeps the result"
}

// NeededFor says for what the level is needed that a manifest states or needs.
func NeededFor(endings []string) string {
	if len(endings) == 0 {
		return ""
	}
	return ", with " + words.ListOr(endings, "") + ","
}
