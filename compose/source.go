package compose

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

// Env is what composing needs of its surroundings.
type Env struct {
	// CacheDir holds programs and analyses, by content. It can be deleted at any time.
	CacheDir string
	// Building is called when a program has been built for some seconds. It may be nil.
	Building func()
}

// framework is the module path of this project, and the package that an assembled program is built on.
const (
	framework      = "github.com/multigrain/multigrain"
	programPackage = framework + "/checker/program"
)

// source is the package of a specification as the go command sees it.
type source struct {
	env    Env
	at     hcl.Range // where the manifest names it
	dir    string    // absolute folder in which the go command runs
	path   string    // import path
	name   string    // package name
	folder string    // of the package
	module *goModule // that holds the package
	main   *goModule // the module that dir is in
	deps   []*goPackage
	sum    []byte // of the content of all files of deps, once a key was made
	// goVersion is the version of the toolchain that builds.
	goVersion string
	environ   []string // of the go command; nil: that of this process
}

// goPackage and goModule are what go list -json prints of them.
type goPackage struct {
	Dir, ImportPath, Name string
	GoFiles               []string
	SFiles                []string
	Standard              bool
	Module                *goModule
	Error                 *struct{ Pos, Err string }
	DepsErrors            []*struct{ Pos, Err string }
}

type goModule struct {
	Path, Version, Dir, GoMod, GoVersion string
	Main                                 bool
	Replace                              *goModule
}

// open finds the package that from names, as seen from the folder dir.
func open(dir, from string, at hcl.Range, env Env) (*source, hcl.Diagnostics) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, hcl.Diagnostics{configs.Errorf(CodeNoPackage, "Source not found", at, "%v.", err)}
	}
	s := &source{env: env, at: at, dir: abs}
	if isPath(from) {
		folder := filepath.FromSlash(from)
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(abs, folder)
		}
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, hcl.Diagnostics{configs.Errorf(CodeNoPackage, "Source not found", at,
				"%s is not a folder. Give the folder of the specification's Go package, relative to this file, or its import path.", folder)}
		}
		s.dir, from = folder, "."
	}
	go tool() // it takes as long as the go command does
	var version []byte
	var failed *hcl.Diagnostic
	var wait sync.WaitGroup
	wait.Go(func() { version, failed = s.command("env", "GOVERSION") })
	diag := s.list(from)
	wait.Wait()
	if diag = cmp.Or(failed, diag); diag != nil {
		return nil, hcl.Diagnostics{diag}
	}
	s.goVersion = strings.TrimSpace(string(version))
	if s.module.locked() {
		if diag := s.unlock(); diag != nil {
			return nil, hcl.Diagnostics{diag}
		}
		if diag := s.list(from); diag != nil {
			return nil, hcl.Diagnostics{diag}
		}
	}
	return s, nil
}

// list asks the go command for the package and all that an assembled program needs.
func (s *source) list(from string) *hcl.Diagnostic {
	out, diag := s.command("list", "-e", "-deps", "-json=Dir,ImportPath,Name,GoFiles,SFiles,Standard,Module,Error,DepsErrors", from, programPackage)
	if diag != nil {
		return diag
	}
	return s.read(out, from)
}

// isPath reports whether a source is a path and not an import path.
func isPath(from string) bool {
	return from == "." || from == ".." || strings.HasPrefix(from, "./") || strings.HasPrefix(from, "../") || filepath.IsAbs(filepath.FromSlash(from))
}

// command runs the go command in the source's folder.
func (s *source) command(args ...string) ([]byte, *hcl.Diagnostic) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = s.dir, s.environ
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, configs.Errorf(CodeNoGo, "Go toolchain not found", s.at,
			"Specifications are Go packages and the command %q is not on the PATH. Install Go 1.26 or later.", "go")
	case err != nil:
		return nil, configs.Errorf(CodeNoPackage, "Source not found", s.at, "go %s in %s: %s%s",
			args[0], s.dir, strings.TrimSpace(stderr.String()), noModule(stderr.String()))
	}
	return out, nil
}

// noModule is the remedy for a folder outside any module.
func noModule(stderr string) string {
	if !strings.Contains(stderr, "go.mod") {
		return ""
	}
	return fmt.Sprintf("\nThe manifest's folder must be in a Go module that requires %s: run go mod init, then go get %s.", framework, framework)
}

// read takes in what go list printed.
func (s *source) read(out []byte, from string) *hcl.Diagnostic {
	var pkg *goPackage
	s.deps, s.sum = nil, nil
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(goPackage)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return configs.Errorf(CodeNoPackage, "Source not found", s.at, "go list: %v.", err)
		}
		if p.ImportPath == programPackage && p.Error != nil {
			return configs.Errorf(CodeNoPackage, "Framework not found", s.at,
				"The module of %s cannot import %s: %s%s", s.dir, programPackage, p.Error.Err, cmp.Or(noModule(p.Error.Err), fmt.Sprintf("\nRun go get %s there.", framework)))
		}
		if !p.Standard {
			s.deps = append(s.deps, p)
		}
		if p.ImportPath == from || from == "." && p.Dir == s.dir {
			pkg = p
		}
	}
	switch {
	case pkg == nil:
		return configs.Errorf(CodeNoPackage, "Source not found", s.at, "%s has no Go package.", s.dir)
	case pkg.Error != nil && pkg.Name == "":
		return configs.Errorf(CodeNoPackage, "Source not found", s.at, "The package %s cannot be loaded: %s", from, pkg.Error.Err)
	case pkg.Module == nil:
		return configs.Errorf(CodeNoPackage, "Source not found", s.at, "The package %s is in no module.", from)
	}
	s.path, s.name, s.folder, s.module = pkg.ImportPath, pkg.Name, pkg.Dir, pkg.Module
	return nil
}

// mainModule finds the module that the source's folder is in.
func (s *source) mainModule() (*goModule, *hcl.Diagnostic) {
	if s.main != nil {
		return s.main, nil
	}
	if s.module.Main {
		s.main = s.module
		return s.main, nil
	}
	out, diag := s.command("list", "-m", "-json")
	if diag != nil {
		return nil, diag
	}
	m := new(goModule)
	if err := json.Unmarshal(out, m); err != nil || m.Dir == "" {
		return nil, configs.Errorf(CodeNoPackage, "No module here", s.at, "%s is in no Go module.%s", s.dir, noModule("go.mod"))
	}
	s.main = m
	return m, nil
}

// files are the Go files of the specification's package, absolute, in a fixed order.
func (s *source) files() []string {
	i := slices.IndexFunc(s.deps, func(p *goPackage) bool { return p.ImportPath == s.path })
	out := make([]string, len(s.deps[i].GoFiles))
	for k, f := range s.deps[i].GoFiles {
		out[k] = filepath.Join(s.folder, f)
	}
	return out
}
