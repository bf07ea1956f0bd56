package interaction

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/importpath"
)

// source is a package whose bodies are analysed.
type source struct {
	path, name, dir string
	goVersion       string
	module          string // its path; "" if the package is of none
	sizes           types.Sizes
	files           []string
	syntax          []*ast.File
	types           *types.Package
	info            *types.Info
	ssa             *ssa.Package
}

func sortedImports(p *packages.Package) (out []*packages.Package) {
	for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
		out = append(out, p.Imports[path])
	}
	return out
}

// check parses and type-checks the sources, imports first.
func (l *loader) check() error {
	for _, s := range l.sources {
		for _, name := range s.files {
			text, err := l.read(name)
			if err != nil {
				return err
			}
			f, err := parser.ParseFile(l.fset, name, text, parser.SkipObjectResolution)
			if err != nil {
				l.syntaxErrors(err)
			}
			if f != nil {
				s.syntax = append(s.syntax, f)
			}
		}
	}
	if HasErrors(l.findings) {
		return nil
	}
	if l.exported == nil {
		var err error
		if l.exported, err = l.exports(); err != nil || HasErrors(l.findings) {
			return err
		}
	}
	imp := &importer{l: l, exports: l.exported, read: map[string]*types.Package{}}
	for _, s := range l.sources {
		l.checkSource(s, imp)
		if HasErrors(l.findings) {
			return nil
		}
	}
	return nil
}

func (l *loader) syntaxErrors(err error) {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		l.report(finding(NotCompiling, grains.Place{}, "%v", err))
		return
	}
	for _, e := range list {
		l.report(finding(NotCompiling, placeOf(e.Pos), "%s", e.Msg).remedy("the specification must compile before it can be read"))
	}
}

// wideSets reports whether the sources are compiled with sets of more than eight identities.
func wideSets(imp types.Importer) bool {
	pkg, err := imp.Import(modulesPath)
	if err != nil {
		return false
	}
	set := pkg.Scope().Lookup("Set")
	if set == nil {
		return false
	}
	_, is := set.Type().Underlying().(*types.Array)
	return is
}

func (l *loader) checkSource(s *source, imp types.Importer) {
	s.sizes = types.SizesFor("gc", l.arch())
	conf := types.Config{
		Importer: imp,
		Sizes:    s.sizes,
		Error: func(err error) {
			e, ok := err.(types.Error)
			if !ok {
				return
			}
			at := placeOf(l.fset.Position(e.Pos))
			// The type checker continues an error in messages that start with a tab.
			if last := len(l.findings) - 1; strings.HasPrefix(e.Msg, "\t") && last >= 0 {
				l.findings[last] = l.findings[last].related(at, "%s", strings.TrimSpace(e.Msg))
				return
			}
			remedy := "the specification must compile before it can be read"
			if wideSets(imp) {
				remedy += "; with these bounds a modules.Set has more than eight identities and is no number: write Clear, Empty, Union, modules.SetOf or modules.Below instead of arithmetic"
			}
			l.report(finding(NotCompiling, at, "%s", e.Msg).remedy("%s", remedy))
		},
	}
	if s.goVersion != "" {
		conf.GoVersion = "go" + s.goVersion
	}
	s.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	s.types, _ = conf.Check(s.path, l.fset, s.syntax, s.info)
}

func (l *loader) arch() string {
	for _, e := range slices.Backward(l.cfg.Env) {
		if v, ok := strings.CutPrefix(e, "GOARCH="); ok && v != "" {
			return v
		}
	}
	if v := os.Getenv("GOARCH"); v != "" && l.cfg.Env == nil {
		return v
	}
	return runtime.GOARCH
}

// exports finds the export data of what the sources import and is not a source.
func (l *loader) exports() (map[string]string, error) {
	want := map[string]bool{}
	for _, s := range l.sources {
		for _, f := range s.syntax {
			for _, spec := range f.Imports {
				path := strings.Trim(spec.Path.Value, "`\"")
				if l.byPath[path] != nil || path == "unsafe" || path == "C" {
					continue
				}
				if err := importpath.Check(path); err != nil {
					l.report(finding(NotCompiling, placeOf(l.fset.Position(spec.Pos())), "%q is no import path: %v", path, err))
					return nil, nil
				}
				want[path] = true
			}
		}
	}
	files := map[string]string{}
	if len(want) == 0 {
		return files, nil
	}
	found, err := l.packages(packages.NeedName|packages.NeedExportFile, slices.Sorted(maps.Keys(want))...)
	if err != nil {
		return nil, l.goFailed(err)
	}
	for _, p := range found {
		if p.ExportFile == "" {
			l.listErrors(p)
			if !HasErrors(l.findings) {
				l.report(finding(NotCompiling, grains.Place{}, "package %s, which the specification imports, does not compile", p.PkgPath).
					remedy("run go build %s", p.PkgPath))
			}
		}
		files[p.PkgPath] = p.ExportFile
	}
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if _, ok := files[path]; !ok {
			return nil, l.goFailed(l.whyNot(path))
		}
	}
	return files, nil
}

// whyNot returns what the go command says of a package that it left out of a list.
func (l *loader) whyNot(path string) error {
	cmd := exec.Command("go", "list", "-export", "--", path)
	cmd.Dir, cmd.Env = l.cfg.Dir, l.cfg.Env
	out, err := cmd.CombinedOutput()
	if text := strings.TrimSpace(string(out)); err != nil && text != "" {
		return errors.New(text)
	}
	return fmt.Errorf("it does not list package %s", path)
}

// importer serves sources from their syntax and all else from export data.
type importer struct {
	l       *loader
	exports map[string]string
	read    map[string]*types.Package
}

func (m *importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if s := m.l.byPath[path]; s != nil {
		return s.types, nil
	}
	if p := m.read[path]; p != nil && p.Complete() {
		return p, nil
	}
	name := m.exports[path]
	if name == "" {
		return nil, fmt.Errorf("there is no export data")
	}
	data, err := host.ReadFile(name)
	if err != nil {
		return nil, err
	}
	//lint:ignore SA1019 files of go list -export are archives; go/packages reads them so
	r, err := gcexportdata.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, m.l.fset, m.read, path)
}

// buildSSA builds the SSA form of the sources and returns that of the specification's package,
// which is the last.
func buildSSA(l *loader) *ssa.Package {
	prog := ssa.NewProgram(l.fset, ssa.InstantiateGenerics)
	created := map[*types.Package]bool{}
	var create func(p *types.Package)
	create = func(p *types.Package) {
		if created[p] {
			return
		}
		created[p] = true
		for _, imp := range p.Imports() {
			create(imp)
		}
		if s := l.byPath[p.Path()]; s != nil {
			s.ssa = prog.CreatePackage(p, s.syntax, s.info, false)
			return
		}
		prog.CreatePackage(p, nil, nil, true)
	}
	var last *ssa.Package
	for _, s := range l.sources {
		create(s.types)
		s.ssa.Build()
		last = s.ssa
	}
	return last
}
