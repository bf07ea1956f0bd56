package changes

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
	"github.com/multigrain/multigrain/interaction/change"
)

// Source says which change is read.
type Source struct {
	Repo, Diff, Base string
	Impl             string // name of the implementation block; "": the only one
	Classes, Jar     string // a folder or an archive with the changed code, compiled; "": none
}

// Read finds the modules that the change of a source touches. It returns nil and a diagnostic if
// the change cannot be read.
func Read(ctx context.Context, o *session.Run, of Source) (*Changed, *hcl.Diagnostic) {
	impl, diag := implementation(o.Manifest, of.Impl)
	if diag != nil {
		return nil, diag
	}
	if diag := of.compiled(impl); diag != nil {
		return nil, diag
	}
	opt := change.Options{Dir: of.Repo, Base: of.Base}
	if opt.Table, diag = methodTable(impl); diag != nil {
		return nil, diag
	}
	src := impl.Sources
	if impl.Driver.IsSet() {
		opt.Python = append(opt.Python, namesOf(src.Packages)...)
	}
	for _, t := range src.Packages.Value {
		if impl.Driver.IsSet() {
			break
		}
		if err := interaction.CheckPattern(t.Value); err != nil {
			return nil, configs.Errorf(compose.CodeName, "Not a pattern of packages", t.Range,
				"The go command cannot take %q as a pattern of packages: %v. Give import paths, or folders that start with ./, such as \"./...\".", t.Value, err)
		}
		opt.Packages = append(opt.Packages, t.Value)
	}
	for _, u := range src.Unmodelled {
		if err := change.CheckPattern(u.Pattern.Value); err != nil {
			return nil, configs.Errorf(codes.Change, "Change cannot be read", u.Pattern.Range, "%s", words.Sentence(err.Error()))
		}
		opt.Rules = append(opt.Rules, change.Rule{Pattern: u.Pattern.Value, Policy: change.Policy(u.Policy.Value)})
	}
	for _, t := range src.Ignore.Value {
		opt.Ignore = append(opt.Ignore, t.Value)
	}
	if opt.Places, diag = placesOf(o.Composition.Catalog, src); diag != nil {
		return nil, diag
	}
	if diag := diff(ctx, o.Env.Input, &opt, of.Diff); diag != nil {
		return nil, diag
	}
	if opt.Dir == "" && len(opt.Packages) > 0 && impl.Adapter.IsSet() {
		if opt.Dir, diag = required(o, impl, opt); diag != nil {
			return nil, diag
		}
		opt.Copy = true
	}
	if opt.Dir == "" && len(opt.Python) > 0 {
		if opt.Dir, diag = installed(o, impl, opt.Python); diag != nil {
			return nil, diag
		}
	}
	a, err := change.Analyse(opt)
	if broken, ok := errors.AsType[*change.CompileError](err); ok {
		return nil, notCompiled(broken)
	}
	if err != nil {
		return nil, configs.Errorf(codes.Change, "Change cannot be read", hcl.Range{}, "%s", words.Sentence(err.Error()))
	}
	if len(a.Missing) > 0 {
		d := configs.Warnf(codes.Stale, "Modelled function not found", impl.DeclRange,
			"The code does not have %s, which the specification models: changes there cannot be seen. Bring the names up to date.",
			words.ListFew(a.Missing))
		o.Add(d)
	}
	return &Changed{impl: impl, how: opt, of: of, renamed: a.Renamed, uncalled: a.Uncalled, grown: a.Grown, Change: &result.Change{Implementation: impl.Name, Version: impl.Version.Value, ChangeAnalysis: analysisOf(a),
		Touched: []result.Touched{}, Choices: []result.Choice{}, Rejected: []result.Rejected{}, Equal: [][]string{}, LeftOut: [][]string{}}}, nil
}

// notCompiled returns the diagnostic for code that does not compile, at the first place that the
// compiler names. Its file is relative to the code.
func notCompiled(e *change.CompileError) *hcl.Diagnostic {
	var at hcl.Range
	if len(e.Places) > 0 {
		p := hcl.Pos{Line: e.Places[0].Line, Column: e.Places[0].Column}
		at = hcl.Range{Filename: e.Places[0].Filename, Start: p, End: p}
	}
	text := e.Error()
	return configs.Errorf(codes.Change, "Change does not compile", at, "%s\nCorrect it, or give the change that compiles.", strings.ToUpper(text[:1])+text[1:])
}

// compiled refuses compiled code that cannot take the place of an implementation's.
func (of Source) compiled(impl *configs.Implementation) *hcl.Diagnostic {
	refuse := func(format string, args ...any) *hcl.Diagnostic {
		return configs.Errorf(codes.Compiled, "Compiled code cannot be used", impl.DeclRange, format, args...)
	}
	switch {
	case of.Classes != "" && of.Jar != "":
		return refuse("Both -classes %s and -jar %s are given. Give the one that has the changed code.", of.Classes, of.Jar)
	case of.Classes+of.Jar != "" && impl.Driver.IsSet():
		return refuse("Implementation %q has a driver, which runs sources. Leave out -classes and -jar.", impl.Name)
	case of.Classes+of.Jar != "" && len(impl.Sources.Packages.Value) > 0:
		return refuse("Implementation %q is Go code, which is built with the adapter. Leave out -classes and -jar.", impl.Name)
	}
	return nil
}

// required returns a folder in the cache with the changed code of the module that an adapter
// requires: what a diff alone is about.
func required(o *session.Run, impl *configs.Implementation, opt change.Options) (string, *hcl.Diagnostic) {
	m, diags := o.Composition.ModuleOf(impl, "")
	if o.Add(diags...); diags.HasErrors() || m.Dir == "" {
		return "", configs.Errorf(codes.Change, "Change cannot be read", hcl.Range{},
			"A diff alone is one of the Go module that the adapter requires, and that is not found. Name the folder with the code by -repo.")
	}
	opt.Dir = m.Dir
	sides, err := change.WriteSides(opt, sidesIn(o))
	if err != nil {
		return "", configs.Errorf(codes.Change, "Change cannot be read", hcl.Range{}, "%s", words.Sentence(err.Error()))
	}
	return sides.After, nil
}

// sidesIn returns the folder of the cache for the code on both sides of changes. The verb clean
// leaves it until this process ends.
func sidesIn(o *session.Run) string {
	files.Use(o.Env.Cache)
	return filepath.Join(o.Env.Cache, "changes")
}

// diff reads -diff, or sets the revision to compare with.
func diff(ctx context.Context, input io.Reader, opt *change.Options, name string) *hcl.Diagnostic {
	switch {
	case name == "" && opt.Dir == "":
		return configs.Errorf(codes.Flags, "No change given", hcl.Range{}, "Name the folder with the code by -repo, or a diff by -diff.")
	case name == "" && opt.Base == "":
		opt.Base = "HEAD"
		return nil
	case name == "":
		return nil
	case opt.Base != "":
		return configs.Errorf(codes.Flags, "Two changes given", hcl.Range{}, "Give either -diff or -base: each says what the change is.")
	}
	b, err := []byte(nil), error(nil)
	if name == "-" {
		b, err = files.ReadAll(files.Until(ctx, input))
	} else {
		b, err = files.Read(name)
	}
	if err != nil {
		return configs.Errorf(codes.Change, "Change cannot be read", hcl.Range{}, "%v.", err)
	}
	if opt.Diff = string(b); opt.Diff == "" {
		return configs.Errorf(codes.Change, "Change cannot be read", hcl.Range{}, "%s is empty.", name)
	}
	return nil
}

// implementation returns the block that -impl names, or the only one that says where the code is.
func implementation(m *configs.Manifest, name string) (*configs.Implementation, *hcl.Diagnostic) {
	var names []string
	var found []*configs.Implementation
	for _, i := range m.Implementations {
		if i.Sources != nil {
			names = append(names, i.Name)
			if name == "" || name == i.Name {
				found = append(found, i)
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, configs.Errorf(codes.Impl, "Several implementations", found[1].DeclRange, "Say which one changes, by -impl: %s.", words.ListOr(names, ""))
	case name != "":
		return nil, configs.Errorf(codes.Impl, "Unknown implementation", hcl.Range{},
			"No implementation block %q of the manifest says where the code is.%s", name, configs.Hint(name, names))
	}
	return nil, configs.Errorf(codes.Impl, "No implementation given", hcl.Range{},
		"An implementation block says where the code is: packages = [...] for Go, lines = \"FILE\" for a table of methods and lines of other languages.")
}

// methodTable returns the table of methods and lines of an implementation; nil where it names none.
func methodTable(impl *configs.Implementation) (*change.Table, *hcl.Diagnostic) {
	lines := impl.Sources.Lines
	if !lines.IsSet() {
		return nil, nil
	}
	path := filepath.FromSlash(lines.Value)
	if !filepath.IsAbs(path) {
		path = filepath.Join(impl.Sources.LinesDir, path)
	}
	b, err := files.Read(path)
	if err != nil {
		return nil, lines.Errorf(codes.Lines, "Table of methods unreadable", "%v.", err)
	}
	t, err := change.ParseTable(string(b))
	if err != nil {
		return nil, lines.Errorf(codes.Lines, "Table of methods unreadable", "%s: %v.", path, err)
	}
	if !impl.Version.IsSet() && len(t.Versions()) == 1 {
		return t, nil
	}
	of := t.Of(impl.Version.Value)
	if of == nil {
		return nil, lines.Errorf(codes.Lines, "Table is of another version", "%s has %s, and the implementation has version %q. Set version to one of these.",
			path, words.ListOr(t.Versions(), ""), impl.Version.Value)
	}
	return of, nil
}

// placesOf returns the modelled functions: those that the manifest names or, without any, those of
// the catalog.
func placesOf(cat *grains.Catalog, src *configs.ImplementationSources) (*change.Places, *hcl.Diagnostic) {
	var own []change.Modelled
	var names []string
	for _, m := range cat.Modules {
		names = append(names, m.Name)
	}
	for _, m := range src.Models {
		if !slices.Contains(names, m.Module) {
			return nil, configs.Errorf(compose.CodeUnknownModule, "Unknown module", m.Functions.NameRange,
				"System %q has no module %q.%s", cat.System, m.Module, configs.Hint(m.Module, names))
		}
		for _, f := range m.Functions.Value {
			own = append(own, change.Modelled{Module: m.Module, Function: f.Value,
				At: grains.Place{File: f.Range.Filename, Line: f.Range.Start.Line, Column: f.Range.Start.Column}})
		}
	}
	return change.NewPlaces(cat, own), nil
}
