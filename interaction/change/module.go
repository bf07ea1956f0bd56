package change

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/multigrain/multigrain/interaction/change/internal/effects"
	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// module reads a change of go.mod. A requirement can only matter if a package of the implementation
// is built with the module. The language's version and replacements can always matter. Which
// versions are built with stands in go.mod since Go 1.17, so that older files are named as a whole.
func (o Options) module(out *Analysis, r *repo, f *unified.File) {
	d := Declaration{Name: f.Path(), Kind: Lines, How: howOf(f), File: f.Path()}
	t := r.texts(f)
	before, err1 := modfile.Parse(f.Old, []byte(t.before), nil)
	after, err2 := modfile.Parse(f.New, []byte(t.after), nil)
	switch {
	case t.before == "" || t.after == "" || err1 != nil || err2 != nil || f.Path() != "go.mod" || before.Go == nil || semver.Compare("v"+before.Go.Version, "v1.17") < 0:
		out.unmodelled(d, "requirements of modules of Go; it is not known whether they matter")
		return
	}
	linked, err := linked(r.dir, o.Packages, o.environ())
	changed := false
	name := func(what, reason string) {
		changed = true
		d.Name = what
		out.unmodelled(d, reason)
	}
	if rest(before) != rest(after) {
		name(f.Path(), "more than requirements changes: the language's version, replacements, or settings")
	}
	was, is := versions(before), versions(after)
	for _, m := range paths(was, is) {
		switch {
		case was[m] == is[m]:
		case effects.LogsAlone(m):
			changed = true
			out.ignore(f.Path(), "%s writes logs or measures, and nothing comes back from it", m)
		case err != nil || slices.Contains(linked, m):
			name(m, fmt.Sprintf("%s is required and not %s, and packages of the implementation are built with it", or(is[m], "nothing"), or(was[m], "nothing")))
		default:
			changed = true
			out.ignore(f.Path(), "no package of %s is built with %s", strings.Join(o.Packages, " "), m)
		}
	}
	if !changed {
		out.ignore(f.Path(), "only comments or layout")
	}
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func versions(f *modfile.File) map[string]string {
	out := map[string]string{}
	for _, r := range f.Require {
		out[r.Mod.Path] = r.Mod.Version
	}
	return out
}

func paths(a, b map[string]string) (out []string) {
	for _, m := range []map[string]string{a, b} {
		for p := range m {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	slices.Sort(out)
	return out
}

// rest returns what a go.mod file says except of requirements, without comments.
func rest(f *modfile.File) string {
	var b strings.Builder
	for _, s := range f.Syntax.Stmt {
		switch s := s.(type) {
		case *modfile.Line:
			if s.Token[0] != "require" {
				fmt.Fprintln(&b, s.Token)
			}
		case *modfile.LineBlock:
			for _, l := range s.Line {
				if s.Token[0] != "require" {
					fmt.Fprintln(&b, slices.Concat(s.Token, l.Token))
				}
			}
		}
	}
	return b.String()
}

// goSide reports whether a side of a change is code of Go that programs are built from. The go
// command leaves out files whose names begin with an underscore or a dot.
func goSide(name string) bool {
	return path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && !strings.ContainsAny(path.Base(name)[:1], "_.")
}
