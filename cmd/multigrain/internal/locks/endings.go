package locks

import (
	"fmt"
	"maps"
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

// cover notes which values and branches of invariants a comparison found in the fine composition
// alone.
func (e *Entry) cover(d *result.Comparison) {
	e.Values, e.Unasked = map[string][]int{}, []string{}
	for _, l := range d.Looks {
		e.Values[l.Name] = []int{l.Seen[0], l.Only[0]}
	}
	for _, u := range d.Unasked {
		e.Unasked = append(e.Unasked, TextOf(u))
	}
}

// TextOf names a branch of an invariant: the condition, its value, and the function.
func TextOf(u wire.Untaken) string {
	return fmt.Sprintf("%s is %t in %s", u.Condition, u.Value, u.Function)
}

// Looks returns the values that invariants see, as a comparison has them; nil if they were not
// recorded.
func (e *Entry) Looks() (out []wire.Seen) {
	for _, name := range slices.Sorted(maps.Keys(e.Values)) {
		if v := e.Values[name]; len(v) == 2 {
			out = append(out, wire.Seen{Name: name, Seen: [2]int{v[0], v[0] - v[1]}, Only: [2]int{v[1], 0}})
		}
	}
	return out
}

// writeCoverage sets the attributes of endings, values and branches, if there are any.
func (e *Entry) writeCoverage(b *hclwrite.Body) {
	list := func(name string, texts []string) {
		var all []cty.Value
		for _, t := range texts {
			all = append(all, cty.StringVal(t))
		}
		if len(all) > 0 {
			b.SetAttributeValue(name, cty.TupleVal(all))
		}
	}
	list("endings", e.Endings)
	values := map[string]cty.Value{}
	for name, v := range e.Values {
		var all []cty.Value
		for _, n := range v {
			all = append(all, cty.NumberIntVal(int64(n)))
		}
		values[name] = cty.TupleVal(all)
	}
	if len(values) > 0 {
		b.SetAttributeValue("values", cty.ObjectVal(values))
	}
	list("unasked", e.Unasked)
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
