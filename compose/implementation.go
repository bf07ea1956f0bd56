package compose

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/compose/internal/noting"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// AssembleWith builds the composition's program together with an implementation and its adapter, or
// finds it in the cache, and returns its path. Only such a program answers "conform"; the one of
// Assemble contains no implementation.
func (c *Composition) AssembleWith(ctx context.Context, impl *configs.Implementation) (string, hcl.Diagnostics) {
	return c.assembleWith(ctx, impl, false)
}

// AssembleCovering is AssembleWith for a program that notes which branches of guards, effects and
// rules are taken. It runs the table of actions.
func (c *Composition) AssembleCovering(ctx context.Context, impl *configs.Implementation) (string, hcl.Diagnostics) {
	return c.assembleWith(ctx, impl, true)
}

func (c *Composition) assembleWith(ctx context.Context, impl *configs.Implementation, covering bool) (string, hcl.Diagnostics) {
	if impl.Driver.IsSet() {
		plain, diags := assemble.Read(c.source)
		if diags.HasErrors() {
			return "", diags
		}
		p := assemble.Program{Driven: true, Capacities: c.capacities(plain)}
		if covering {
			p.Notes = assemble.Branches
		}
		program, more := c.assemble(ctx, p, "driven", covering)
		return program, append(diags, more...)
	}
	if !impl.Adapter.IsSet() {
		return "", hcl.Diagnostics{configs.Errorf(CodeNoPackage, "Implementation without adapter", impl.DeclRange,
			"Implementation %q says where its code is and not how it is connected. Give it an adapter, the Go package that declares %s, or a driver, the command of a process.",
			impl.Name, assemble.ImplementationVar)}
	}
	a, diags := c.adapter(impl, c.source.Env)
	if diags.HasErrors() {
		return "", diags
	}
	if !a.DeclaresVar(assemble.ImplementationVar) {
		return "", append(diags, impl.Adapter.Errorf(CodeNoPackage, "Package is no adapter",
			"%s does not declare var %s, a conform.Implementation of the specification's State.", a.Path, assemble.ImplementationVar))
	}
	plain, more := assemble.Read(c.source)
	if diags = append(diags, more...); more.HasErrors() {
		return "", diags
	}
	zero := c.capacities(plain)
	p := assemble.Program{Source: c.source.With(a), Adapter: a.Path, Capacities: zero}
	if covering {
		p.Notes = assemble.Branches
	}
	program, more := c.assemble(ctx, p, "implementation", covering, a.Path)
	return program, append(diags, a.Unsupported("adapter", more)...)
}

// ForWalks returns the composition with the bounds of the implementation block: those under which
// walks are done on the implementation.
func (c *Composition) ForWalks(impl *configs.Implementation) (*Composition, hcl.Diagnostics) {
	if len(impl.Bounds) == 0 {
		return c, nil
	}
	m := *c.Manifest
	m.Bounds = slices.DeleteFunc(slices.Clone(m.Bounds), func(s configs.Setting) bool {
		_, set := impl.Bounds.Get(s.Name)
		return set
	})
	m.Bounds = append(m.Bounds, impl.Bounds...)
	b := &Composition{Manifest: &m, Catalog: c.Catalog, Constants: map[string]string{}, source: c.source, loaded: c.loaded}
	r := &resolver{c: b, m: &m, cat: c.Catalog}
	r.resolve()
	return b, r.diags
}

// Code is a version of an implementation's code, in a folder, that takes the place of the one that
// its adapter requires.
type Code struct {
	Dir string // absolute; the root of a Go module
	// Changed are the changed lines of the code by file, with slashes, relative to Dir.
	Changed map[string][]noting.Line
	// Before has the code before the change, and Gone are its lines that are removed or replaced,
	// by file. Operations that they have count as none of the change; see noting.Gone. Before may
	// be "".
	Before string
	Gone   map[string][]int
	// Files returns the files of the module in which the code differs, with their contents of this
	// version, by absolute path. It is called for a module that Dir cannot replace: see CodeModule.
	Files func(m CodeModule) (map[string][]byte, error)
	// Among are compositions with which the program is shared, as far as they differ in options,
	// and in grains with the same sizes. May be empty.
	Among []Alternative
}

// Fits says which side of a program does not compile.
type Fits int

// What compiles.
const (
	Compiles Fits = iota
	Broken        // the code does not compile
	Unfit         // the adapter does not compile with the code
)

// CodeModule is the Go module that an implementation's adapter is written for.
type CodeModule struct {
	Path, Dir string
	// Own says that it is the adapter's own module, or one of the same workspace. Then files take
	// the place of its files: see Code. Apart are the folders of the adapter and the specification,
	// which are not the implementation's.
	Own   bool
	Apart []string
}

// ModuleOf returns the module that an implementation's adapter is written for. The folder dir has a
// version of it; "" where none is given. An adapter that names no module connects its own one, and
// the folder must be a version of that. The path is "" for another one that names none.
func (c *Composition) ModuleOf(impl *configs.Implementation, dir string) (CodeModule, hcl.Diagnostics) {
	a, diags := gocmd.Open(impl.Dir, impl.Adapter.Value, impl.Adapter.Range, c.source.Env)
	if diags.HasErrors() {
		return CodeModule{}, diags
	}
	return c.moduleOf(a, dir), diags
}

func (c *Composition) moduleOf(a *gocmd.Source, dir string) (m CodeModule) {
	m.Path, m.Dir, m.Own = a.Connects()
	if path, own := a.Module(); m.Path == "" && a.Supports() == "" && (dir == "" || moduleIn(dir) == path) {
		m.Path, m.Dir, m.Own = path, own, true
	}
	m.Apart = []string{a.Folder, c.source.Folder}
	return m
}

// moduleIn returns the path of the module in a folder; "" without one.
func moduleIn(dir string) string {
	text, err := host.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return ""
	}
	return modfile.ModulePath(text)
}

// shared returns the composition as a program has it that other compositions use, too, and the
// options that are variables of the program, with their values as Go expressions. They are those in
// which these compositions differ. Branches of the steps of all grains are noted. None is a
// variable where the specification or the adapter needs a constant.
func (c *Composition) shared(among []Alternative, needs ...*assemble.Rewriting) (*Composition, map[string][]string) {
	x := *c
	x.examined, x.Choice.Grains = nil, nil
	x.Constants, x.sides = maps.Clone(c.Constants), map[string][2]string{}
	started := map[string][]string{}
	have := map[grains.Ref]bool{}
	for _, other := range append([]Alternative{{Grains: c.Choice.Grains}}, among...) {
		for _, g := range other.Grains {
			have[g] = true
		}
		for _, s := range other.Options {
			k := slices.IndexFunc(c.Catalog.Options, func(o grains.Option) bool { return o.Name == s.Name })
			o := &c.Catalog.Options[k]
			if slices.ContainsFunc(needs, func(r *assemble.Rewriting) bool { return r.CanVary(o.Const) != nil }) {
				continue
			}
			x.Constants[o.Const], x.sides[o.Const] = "", [2]string{constant(o, o.Default), constant(o, o.Default)}
			started[o.Const] = expressions(o)
		}
	}
	for k := range c.Catalog.Grains {
		g := &c.Catalog.Grains[k]
		if ref := (grains.Ref{Module: g.Covers[0], Grain: g.Name}); have[ref] {
			x.Choice.Grains = append(x.Choice.Grains, ref)
		}
	}
	return &x, started
}

// expressions returns the values of an option as Go expressions.
func expressions(o *grains.Option) (out []string) {
	values := o.Values
	if len(values) == 0 {
		values = []string{"false", "true"}
	}
	for _, v := range values {
		out = append(out, constant(o, v))
	}
	return out
}

// Built is a program with a version of an implementation's code.
type Built struct {
	Program string         // its path
	Places  []noting.Place // that it notes; their files are relative to the code
	Fits    Fits
	// Unnoted says why operations that decide without a branch do not note their values; "" where
	// they do.
	Unnoted string
	// Lost are operations that decided without a branch before the change: see noting.Changed.
	Lost []noting.Decided
	// Settings are the options that the program takes as it starts: see wire.Request.
	Settings map[string]string
}

// AssembleCode builds the composition's program with an implementation's adapter and other code
// than the version which the adapter requires. The user's go.mod stays as it is: a go.work file in
// the cache replaces the module. Errors are those of the compiler.
//
// If the code does not compile with operations that note their values, it is built without, and
// Unnoted says why.
func (c *Composition) AssembleCode(ctx context.Context, impl *configs.Implementation, code Code) (b Built, diags hcl.Diagnostics) {
	b, diags = c.assembleCode(ctx, impl, code, true)
	if b.Fits != Broken || len(code.Changed) == 0 {
		return b, diags
	}
	plain, more := c.assembleCode(ctx, impl, code, false)
	if more.HasErrors() {
		return plain, more
	}
	for _, d := range diags {
		if d.Severity == hcl.DiagError && plain.Unnoted == "" {
			plain.Unnoted = d.Detail
		}
	}
	return plain, more
}

func (c *Composition) assembleCode(ctx context.Context, impl *configs.Implementation, code Code, choices bool) (b Built, diags hcl.Diagnostics) {
	a, m, files, diags := c.replaced(impl, code)
	if diags.HasErrors() {
		return b, diags
	}
	root := code.Dir // where the compiler sees the code
	if m.Own {
		root = m.Dir
	}
	x, err := noted(code, root, choices)
	if err != nil {
		b.Fits = Broken
		return b, append(diags, configs.Errorf(CodeSpecInvalid, "Change does not compile", hcl.Range{}, "%v.", err))
	}
	maps.Copy(files, x.Files)
	x.Files = files
	spec, more := assemble.Read(c.source)
	connects, also := assemble.Read(a)
	if diags = append(append(diags, more...), also...); diags.HasErrors() {
		return b, diags
	}
	b.Places, b.Lost = placesIn(x.Places, root), x.Lost
	p := assemble.Program{Source: c.source.With(a), Adapter: a.Path, Changed: x, Notes: assemble.Branches}
	y, started := c.shared(code.Among, spec, connects)
	p.Started, p.Capacities = started, c.capacitiesOf(y, spec)
	b.Program, more = y.assemble(ctx, p, "changed", a.Path, x, started)
	if len(started) > 0 && more.HasErrors() && fitsOf(more, a.Dir, root, m) == Unfit {
		// An option may stand where Go needs a constant.
		started = nil
		p.Started, p.Capacities = nil, c.capacities(spec)
		b.Program, more = c.assemble(ctx, p, "changed", a.Path, x)
	}
	for name := range started {
		if b.Settings == nil {
			b.Settings = map[string]string{}
		}
		b.Settings[name] = c.Constants[name]
	}
	if b.Program != "" && !m.Own {
		if err := gocmd.BuiltWith(b.Program, m.Path, code.Dir); err != nil {
			more = append(more, configs.Errorf(CodeBuild, "Program without the changed code", impl.Adapter.Range,
				"The program for the change was built without the changed code, and is not run: %v. Look for what else says where that module is, such as a go.work file.", err))
			b.Program = ""
		}
	}
	if more.HasErrors() {
		b.Fits = fitsOf(more, a.Dir, root, m)
		if b.Fits == Broken {
			for _, d := range more {
				if configs.CodeOf(d) == CodeSpecInvalid {
					d.Summary = "Change does not compile"
				}
			}
		}
	}
	return b, append(diags, more...)
}

// capacitiesOf returns the constants that the composition does without whatever the options are
// that are variables of the program y.
func (c *Composition) capacitiesOf(y *Composition, spec *assemble.Rewriting) map[string]string {
	own := *y
	own.Choice.Grains = c.Choice.Grains
	return own.capacities(spec)
}

// beforeTypeParameters reports whether a module is written in a language before Go 1.18, as one
// without a go line is.
func beforeTypeParameters(dir string) bool {
	text, err := host.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	f, err := modfile.ParseLax("go.mod", text, nil)
	return err == nil && (f.Go == nil || semver.Compare("v"+f.Go.Version, "v1.18") < 0)
}

// noted returns the code's changed files with the calls that note. Root is the folder in which the
// compiler sees the code.
//
// With choices, operations that decide without a branch note their values, too, if the language of
// the code has type parameters.
func noted(code Code, root string, choices bool) (*noting.Changed, error) {
	out := &noting.Changed{Files: map[string][]byte{}}
	old := beforeTypeParameters(code.Dir)
	var known map[string]noting.Decided
	if choices && !old {
		known = deciding(code.Before, code.Gone)
	}
	var names []string
	for name := range code.Changed {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(root, filepath.FromSlash(name))
		text, err := host.ReadFile(filepath.Join(code.Dir, filepath.FromSlash(name)))
		if os.IsNotExist(err) { // removed
			continue
		} else if err != nil {
			return nil, err
		}
		text, places, err := noting.File(path, text, code.Changed[name], len(out.Places), known)
		if err != nil {
			return nil, err
		}
		if text == nil {
			continue
		}
		if old {
			text = noting.WithoutTypeParameters(text)
		}
		if len(out.Places)+len(places) > noting.Most {
			return nil, fmt.Errorf("the change has more than %d lines and conditions in functions: split it", noting.Most)
		}
		out.Files[path] = text
		out.Places = append(out.Places, places...)
	}
	lines := map[string][]int{}
	for name, all := range code.Changed {
		for _, l := range all {
			lines[name] = append(lines[name], l.Number)
		}
	}
	had, before := operandsIn(code.Before, code.Gone)
	has, after := operandsIn(code.Dir, lines)
	if after.Ranges > before.Ranges { // the end of a loop has another form
		had = slices.DeleteFunc(had, func(x noting.Decided) bool { return slices.Contains(before.Ends, x.Text) })
	}
	if choices && len(has) < len(had) {
		for _, x := range had {
			if !slices.ContainsFunc(has, func(y noting.Decided) bool { return y.Text == x.Text }) {
				out.Lost = append(out.Lost, x)
			}
		}
	}
	now := deciding(code.Dir, lines)
	for _, key := range slices.Sorted(maps.Keys(known)) {
		if _, stays := now[key]; !stays && !known[key].In(out.Places) {
			out.Lost = append(out.Lost, known[key])
		}
	}
	return out, nil
}

// operandsIn returns the operands of conditions in lines of files of a folder, by file, with the
// cases of switches, and other forms of conditions.
func operandsIn(dir string, lines map[string][]int) (out []noting.Decided, forms noting.Forms) {
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		text, err := host.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			continue
		}
		var all []noting.Line
		for _, n := range lines[name] {
			all = append(all, noting.Line{Number: n})
		}
		_, places, _ := noting.File(name, text, all, 0, nil)
		for _, p := range places {
			if p.Kind == noting.Operand {
				out = append(out, noting.Decided{File: name, Line: p.Line, Text: p.Text})
			}
		}
		f := noting.FormsOf(text, lines[name])
		for _, x := range f.Cases {
			x.File = name
			out = append(out, x)
		}
		forms.Ends, forms.Ranges = append(forms.Ends, f.Ends...), forms.Ranges+f.Ranges
	}
	return out, forms
}

// deciding returns the operations that decide without a branch in lines of files of a folder, by
// their keys.
func deciding(dir string, lines map[string][]int) map[string]noting.Decided {
	out := map[string]noting.Decided{}
	for name, all := range lines {
		text, err := host.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			continue
		}
		for key, x := range noting.Gone(text, all) {
			x.File = name
			out[key] = x
		}
	}
	return out
}

// fitsOf says which side the compiler's messages are about: the code in a folder, if one of them
// is.
func fitsOf(diags hcl.Diagnostics, from, dir string, m CodeModule) Fits {
	fits := Compiles
	for _, d := range diags {
		if configs.CodeOf(d) != CodeSpecInvalid || d.Subject == nil {
			continue
		}
		path := d.Subject.Filename
		if !filepath.IsAbs(path) {
			path = filepath.Join(from, path)
		}
		apart := m.Own && slices.Contains(m.Apart, filepath.Dir(path))
		if rest, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rest) && !apart {
			return Broken
		}
		fits = Unfit
	}
	return fits
}

// placesIn returns places with the paths of files relative to a folder.
func placesIn(places []noting.Place, dir string) []noting.Place {
	out := slices.Clone(places)
	for k := range out {
		out[k].File = filepath.ToSlash(strings.TrimPrefix(out[k].File, dir+string(filepath.Separator)))
	}
	return out
}

// replaced returns the package of an implementation's adapter as it is with other code in the place
// of the module that it connects, and that module. In a module of its own, it is the package as it
// is: files take the place of files, by absolute path.
func (c *Composition) replaced(impl *configs.Implementation, code Code) (a *gocmd.Source, m CodeModule, files map[string][]byte, diags hcl.Diagnostics) {
	env := c.source.Env
	plain, diags := gocmd.Open(impl.Dir, impl.Adapter.Value, impl.Adapter.Range, env)
	if diags.HasErrors() {
		return nil, m, nil, diags
	}
	files = map[string][]byte{}
	switch m = c.moduleOf(plain, code.Dir); {
	case m.Path == "":
		diags = append(diags, impl.Adapter.Errorf(CodeNoPackage, "Adapter names no module",
			"%s declares no constant Supports that begins with the path of the Go module which it connects, so a changed version cannot take its place. Declare one, such as const Supports = \"go.etcd.io/raft/v3 v3.7.0\".", plain.Path))
	case m.Own && moduleIn(code.Dir) != m.Path:
		diags = append(diags, impl.Adapter.Errorf(CodeNoPackage, "Folder of another module",
			"%s connects code of the Go module %s, and the folder with the change is not that of this module. Name the folder that has its go.mod by -repo.", plain.Path, m.Path))
	case m.Own && code.Files != nil:
		var err error
		if files, err = code.Files(m); err != nil {
			diags = append(diags, impl.Adapter.Errorf(CodeNoPackage, "Changed code cannot be read", "%v.", err))
		}
	case !m.Own:
		env.Workspace, diags = plain.Replacing(m.Path, code.Dir)
	}
	if diags.HasErrors() {
		return nil, m, nil, diags
	}
	a, diags = c.adapter(impl, env)
	return a, m, files, diags
}

// CodeView says how the go command sees an implementation's code together with its adapter and the
// specification, which has the constants of the composition.
type CodeView struct {
	Dir     string   // in which the go command runs
	Environ []string // nil: that of this process
	// Overlay are the files of the specification that the composition changes, and those of the
	// code, by absolute path.
	Overlay map[string][]byte
	Root    string // folder of the code
	Module  string // path of the implementation's module
	Adapter string // import path of the adapter's package
	// Own says that the adapter and the specification, a package with the path Spec, are in the
	// same module.
	Own  bool
	Spec string
}

// ViewCode returns the view of code that takes the place of the one which the adapter requires. It
// runs the go command, and no code.
func (c *Composition) ViewCode(impl *configs.Implementation, code Code) (*CodeView, hcl.Diagnostics) {
	a, m, files, diags := c.replaced(impl, code)
	if diags.HasErrors() {
		return nil, diags
	}
	overlay, more := c.overlay()
	if diags = append(diags, more...); more.HasErrors() {
		return nil, diags
	}
	v := &CodeView{Dir: a.Dir, Environ: a.Environ, Overlay: map[string][]byte{}, Root: code.Dir, Module: m.Path, Adapter: a.Path, Own: m.Own, Spec: c.source.Path}
	if m.Own {
		v.Root = m.Dir
	}
	maps.Copy(v.Overlay, overlay)
	maps.Copy(v.Overlay, files)
	return v, diags
}

// adapter opens the package that connects an implementation, with sets as the composition has them.
func (c *Composition) adapter(impl *configs.Implementation, env Env) (*gocmd.Source, hcl.Diagnostics) {
	a, diags := gocmd.Open(impl.Dir, impl.Adapter.Value, impl.Adapter.Range, env)
	if diags.HasErrors() {
		return nil, diags
	}
	a, diag := a.Like(c.source)
	if diag != nil {
		diags = append(diags, diag)
	}
	return a, diags
}
