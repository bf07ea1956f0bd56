package interaction

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/importpath"
)

// The packages whose types and functions the analysis knows by heart: their bodies are not
// interpreted.
const (
	modulesPath = "github.com/multigrain/multigrain/modules"
	grainsPath  = "github.com/multigrain/multigrain/grains"
)

// Config says which package is loaded and how.
type Config struct {
	// Dir is where the go command runs: the folder of the manifest, or of the specification. It
	// decides which module's requirements apply.
	Dir string
	// Package is an import path, or a path relative to Dir that starts with a dot.
	Package string
	// Overlay replaces the contents of files, by absolute path; a file need not exist.
	Overlay map[string][]byte
	// Env is the environment of the go command; nil is that of this process.
	Env []string
	// Listing, where it is not nil, saves calls of the go command to loads of the same package.
	Listing *Listing
}

// Program is a loaded specification: the package with the packages it is made of, in SSA form.
type Program struct {
	Path string // import path
	Dir  string // folder of the package's files

	fset    *token.FileSet
	main    *source
	sources []*source // the package and those it imports that are analysed, imports first
	ssa     *ssa.Package

	catalog *catalogReading // once read
	prints  *footprints     // once needed

	judged   bool // breaches are known
	breaches []Finding
}

// Load loads a specification. Findings are mistakes in the package, with places. The error is for
// other failures, such as a broken go command. The program is nil where there is an error among the
// findings.
//
// Bodies are read for the package and for what it imports outside the standard library; types of
// all else come from the compiler's export data. So loading takes two calls of the go command and
// little more.
func Load(cfg Config) (*Program, []Finding, error) {
	l := &loader{cfg: cfg, fset: token.NewFileSet(), byPath: map[string]*source{}}
	var root *packages.Package
	var err error
	if cfg.Listing.fits(cfg) {
		root, l.exported = cfg.Listing.root, cfg.Listing.exports
	} else if root, err = l.list(); err != nil || HasErrors(l.findings) {
		return nil, l.findings, err
	}
	l.collect(root)
	if err := l.check(); err != nil || HasErrors(l.findings) {
		return nil, l.findings, err
	}
	cfg.Listing.keep(l, root, l.exported)
	main := l.byPath[root.PkgPath]
	p := &Program{Path: root.PkgPath, Dir: main.dir, fset: l.fset, main: main, sources: l.sources}
	p.ssa = buildSSA(l)
	return p, l.findings, nil
}

// Syntax returns the files of the specification's own package, with their types. They have the
// contents that Config.Overlay gave them.
func (p *Program) Syntax() (*token.FileSet, []*ast.File, *types.Info, *types.Package) {
	return p.fset, p.main.syntax, p.main.info, p.main.types
}

type loader struct {
	cfg      Config
	fset     *token.FileSet
	sources  []*source // in order of imports
	byPath   map[string]*source
	findings []Finding
	// by import path, the files with export data; nil until they are listed
	exported map[string]string
}

func (l *loader) packages(mode packages.LoadMode, patterns ...string) ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Mode: mode, Dir: l.cfg.Dir, Env: l.cfg.Env, Overlay: l.cfg.Overlay}, patterns...)
}

func (l *loader) report(f Finding) { l.findings = append(l.findings, f) }

// list finds the package and what it imports, without types.
func (l *loader) list() (*packages.Package, error) {
	if dir := l.cfg.Dir; dir != "" {
		if st, err := os.Stat(dir); err != nil || !st.IsDir() {
			l.report(finding(NotFound, grains.Place{}, "folder %s does not exist", dir).
				remedy("give the folder of a manifest or of a specification"))
			return nil, nil
		}
	}
	if _, err := exec.LookPath("go"); err != nil {
		l.report(finding(NoToolchain, grains.Place{}, "the go command is not on the PATH").
			remedy("install Go: specifications are Go packages, and they are compiled for checking"))
		return nil, nil
	}
	if err := importpath.CheckPattern(filepath.ToSlash(l.cfg.Package)); err != nil && !filepath.IsAbs(l.cfg.Package) {
		l.report(finding(NotFound, grains.Place{}, "the go command cannot take %q as the import path of a package: %v", l.cfg.Package, err).
			remedy("give an import path, or a folder that starts with ./ or ../"))
		return nil, nil
	}
	found, err := l.packages(packages.NeedName|packages.NeedFiles|packages.NeedImports|packages.NeedDeps|packages.NeedModule, l.cfg.Package)
	if err != nil {
		return nil, l.goFailed(err)
	}
	switch {
	case len(found) == 0:
		l.notFound("")
		return nil, nil
	case len(found) > 1:
		l.report(finding(NotFound, grains.Place{}, "%q names %d packages", l.cfg.Package, len(found)).
			remedy("name one package"))
		return nil, nil
	}
	root := found[0]
	if len(root.GoFiles) == 0 {
		if len(root.Errors) == 0 {
			l.notFound("it has no Go files")
		}
	}
	packages.Visit(found, func(p *packages.Package) bool { return true }, l.listErrors)
	return root, nil
}

// goFailed keeps the first lines of what the go command stated.
func (l *loader) goFailed(err error) error {
	text := strings.TrimSpace(err.Error())
	text = strings.TrimPrefix(text, "err: ")
	if lines := strings.Split(text, "\n"); len(lines) > 6 {
		text = strings.Join(lines[:6], "\n")
	}
	return fmt.Errorf("go list failed for %s in %s: %s", l.cfg.Package, l.where(), text)
}

func (l *loader) where() string {
	if l.cfg.Dir == "" {
		return "the working directory"
	}
	return l.cfg.Dir
}

func (l *loader) notFound(why string) {
	f := finding(NotFound, grains.Place{}, "package %q is not found from %s", l.cfg.Package, l.where())
	if why != "" {
		f.Message += ": " + why
	}
	l.report(f.remedy("check the path; a foreign package must be required by the go.mod of that folder (go get %s)", l.cfg.Package))
}

// listErrors turns what the go command reports of a package into findings.
func (l *loader) listErrors(p *packages.Package) {
	for _, e := range p.Errors {
		at := parsePlace(e.Pos)
		switch {
		case e.Kind == packages.ListError && (len(p.GoFiles) == 0 || at.File == ""):
			l.notFound(e.Msg)
		default:
			l.report(finding(NotCompiling, at, "%s", e.Msg).remedy("the specification must compile before it can be read"))
		}
	}
}

// parsePlace reads file:line:column as the go command writes it; "-" or "" is no place.
func parsePlace(s string) (at grains.Place) {
	if s == "" || s == "-" {
		return at
	}
	parts := strings.Split(s, ":")
	var nums []int
	for len(parts) > 1 && len(nums) < 2 {
		n, err := strconv.Atoi(parts[len(parts)-1])
		if err != nil {
			break
		}
		nums = append([]int{n}, nums...)
		parts = parts[:len(parts)-1]
	}
	at.File = strings.Join(parts, ":")
	if len(nums) > 0 {
		at.Line = nums[0]
	}
	if len(nums) > 1 {
		at.Column = nums[1]
	}
	return at
}

// collect lists the packages whose bodies are analysed, imports before importers.
func (l *loader) collect(p *packages.Package) {
	if l.byPath[p.PkgPath] != nil || p.Module == nil && len(l.byPath) > 0 && isStandard(p) ||
		p.PkgPath == modulesPath || p.PkgPath == grainsPath {
		return
	}
	s := &source{path: p.PkgPath, name: p.Name, files: p.GoFiles}
	if len(p.GoFiles) > 0 {
		s.dir = filepath.Dir(p.GoFiles[0])
	}
	if p.Module != nil {
		s.goVersion, s.module = p.Module.GoVersion, p.Module.Path
	}
	l.byPath[p.PkgPath] = s
	for _, imp := range sortedImports(p) {
		l.collect(imp)
	}
	l.sources = append(l.sources, s)
}

// isStandard reports whether a package without a module is one of the standard library: its path
// has no dot in front.
func isStandard(p *packages.Package) bool {
	first, _, _ := strings.Cut(p.PkgPath, "/")
	return !strings.Contains(first, ".") && p.PkgPath != "command-line-arguments"
}

// read returns the content of a file, from the overlay where it has one.
func (l *loader) read(name string) ([]byte, error) {
	if b, ok := l.cfg.Overlay[name]; ok {
		return b, nil
	}
	b, err := host.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("file %s has vanished while it was loaded", name)
	}
	return b, err
}

// Listing keeps the go command's answer about a package, for loads of the same package one after
// the other. The answer has its files, its imports, and the files with the export data of its
// imports. A load asks the go command again if the overlay has a file that the package did not
// have. It also asks again if the overlay changes build constraints or imports, the part before the
// first other declaration. The zero value is ready to use. Files on disk must not change between
// the loads.
type Listing struct {
	dir, path string
	env       []string
	root      *packages.Package
	exports   map[string]string
	heads     map[string]string // of the files of all packages that are analysed
	overlay   map[string][]byte // of the load that filled the listing
}

// fits reports whether the listing is that of a load.
func (x *Listing) fits(cfg Config) bool {
	if x == nil || x.root == nil || x.dir != cfg.Dir || x.path != cfg.Package || !slices.Equal(x.env, cfg.Env) {
		return false
	}
	for file, text := range cfg.Overlay {
		if head, ok := x.heads[file]; !ok || head != headOf(text) {
			return false
		}
	}
	for file := range x.overlay {
		if _, ok := cfg.Overlay[file]; !ok {
			if text, err := host.ReadFile(file); err != nil || x.heads[file] != headOf(text) {
				return false
			}
		}
	}
	return true
}

// keep fills the listing from a load that succeeded.
func (x *Listing) keep(l *loader, root *packages.Package, exports map[string]string) {
	if x == nil {
		return
	}
	heads := map[string]string{}
	for _, s := range l.sources {
		for _, file := range s.files {
			text, err := l.read(file)
			if err != nil {
				return
			}
			heads[file] = headOf(text)
		}
	}
	*x = Listing{l.cfg.Dir, l.cfg.Package, l.cfg.Env, root, exports, heads, l.cfg.Overlay}
}

// headOf returns the text of a file up to the end of its imports.
func headOf(text []byte) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ImportsOnly|parser.SkipObjectResolution)
	if err != nil {
		return string(text)
	}
	end := f.Name.End()
	if n := len(f.Decls); n > 0 {
		end = f.Decls[n-1].End()
	}
	return string(text[:fset.File(f.Pos()).Offset(end)])
}

// CheckImportPath returns why a name is not the import path of one package. The error is a part of
// a sentence, such as "it starts with a hyphen". A name that passes is neither a flag nor several
// packages to the go command, wherever it stands in a command line.
func CheckImportPath(name string) error { return importpath.Check(name) }

// CheckPattern returns why a name is no pattern of packages: an import path, or a path that starts
// with a dot, each perhaps with three dots. The error is a part of a sentence.
func CheckPattern(name string) error { return importpath.CheckPattern(name) }
