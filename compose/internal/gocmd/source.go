package gocmd

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
	"github.com/multigrain/multigrain/interaction"
)

// Env describes the surroundings of composing.
type Env struct {
	// CacheDir holds programs and analyses, by content. It can be deleted at any time.
	CacheDir string
	// Workspace is the path of a go.work file that the go command uses; "" for what it finds.
	Workspace string
	// Building is called when a program has been built for some seconds. It may be nil.
	Building func()
}

// Framework is the module path of this project.
const Framework = "github.com/multigrain/multigrain"

// programPackage is the package that an assembled program is built on.
const programPackage = Framework + "/checker/program"

// Source is the package of a specification as the go command sees it.
type Source struct {
	Env    Env
	At     hcl.Range // where the manifest names it
	Dir    string    // absolute folder in which the go command runs
	Path   string    // import path
	Name   string    // package name
	Folder string    // absolute folder of the package
	// Environ is the environment of the go command; nil means that of this process.
	Environ []string

	module *goModule // that holds the package
	main   *goModule // the module that Dir is in
	deps   []*goPackage
	sum    []byte // of the content of all files of deps, once a key was made
	// sets is the number of identities that sets distinguish. 0 stands for the smallest, and then
	// plain is nil. Else plain is the environment without the tag for the sets.
	sets  int
	plain []string
	// goVersion is the version of the toolchain that builds.
	goVersion string
}

// goPackage and goModule mirror the output of go list -json.
type goPackage struct {
	Dir, ImportPath, Name string
	GoFiles, Imports      []string
	Standard              bool
	Module                *goModule
	// Other files that a program is built from.
	CgoFiles, CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles, SysoFiles, EmbedFiles []string
	Error                                                                             *struct{ Pos, Err string }
	DepsErrors                                                                        []*struct{ Pos, Err string }
}

type goModule struct {
	Path, Version, Dir, GoMod, GoVersion string
	Main                                 bool
	Replace                              *goModule
}

// inWorkspace returns an environment in which the go command uses a workspace file. With that it
// refuses -mod=mod, which users may have in GOFLAGS.
func inWorkspace(environ []string, file string) []string {
	environ = append(slices.Clone(environ), "GOWORK="+file)
	flags := strings.Fields(valueOf(environ, "GOFLAGS="))
	kept := slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return f == "-mod=mod" || f == "--mod=mod" })
	if len(kept) < len(flags) {
		environ = append(environ, "GOFLAGS="+strings.Join(append(kept, "-mod=readonly"), " "))
	}
	return environ
}

// Open finds the package that from names, as seen from the folder dir.
func Open(dir, from string, at hcl.Range, env Env) (*Source, hcl.Diagnostics) {
	if d := env.refusal(); d != nil {
		return nil, hcl.Diagnostics{d}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, hcl.Diagnostics{configs.Errorf(CodeNoPackage, "Source not found", at, "%v.", err)}
	}
	s := &Source{Env: env, At: at, Dir: abs}
	if env.Workspace != "" {
		s.Environ = inWorkspace(os.Environ(), env.Workspace)
	}
	if IsPath(from) {
		folder := filepath.FromSlash(from)
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(abs, folder)
		}
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, hcl.Diagnostics{configs.Errorf(CodeNoPackage, "Source not found", at,
				"%s is not a folder. Give the folder of the specification's Go package, relative to this file, or its import path.", folder)}
		}
		s.Dir, from = folder, "."
	} else if err := interaction.CheckImportPath(from); err != nil {
		return nil, hcl.Diagnostics{configs.Errorf(CodeName, "Not an import path", at,
			"The go command cannot take %q as the import path of a package: %v. Give an import path, or a folder that starts with ./ or ../.", from, err)}
	} else if strings.HasPrefix(from, Framework+"/") && !inModule(abs) {
		// A manifest that was handed on names packages of this project and is in no module.
		home, diags := Home(env)
		if diags.HasErrors() {
			return nil, diags
		}
		s.Dir = home
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

// inModule reports whether a folder is in a Go module or workspace.
func inModule(dir string) bool {
	for above := ""; dir != above; above, dir = dir, filepath.Dir(dir) {
		for _, name := range []string{"go.mod", "go.work"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
	}
	return false
}

// listed are the fields of packages that list asks for.
const listed = "-json=Dir,ImportPath,Name,GoFiles,Imports,CgoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SysoFiles,EmbedFiles,Standard,Module,Error,DepsErrors"

// list asks the go command for the package and all that an assembled program needs.
func (s *Source) list(from string) *hcl.Diagnostic {
	out, diag := s.command("list", "-e", "-deps", listed, "--", from, programPackage)
	if diag != nil {
		return diag
	}
	return s.read(out, from)
}

// IsPath reports whether a source is a path and not an import path.
func IsPath(from string) bool {
	return from == "." || from == ".." || strings.HasPrefix(from, "./") || strings.HasPrefix(from, "../") || filepath.IsAbs(filepath.FromSlash(from))
}

// command runs the go command in the source's folder.
func (s *Source) command(args ...string) ([]byte, *hcl.Diagnostic) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = s.Dir, s.Environ
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, configs.Errorf(CodeNoGo, "Go toolchain not found", s.At,
			"Specifications are Go packages and the command %q is not on the PATH. Install Go 1.26 or later.", "go")
	case err != nil:
		if d := machineFault(s.At, fmt.Sprintf("%s\n%v", stderr.String(), err)); d != nil {
			return nil, d
		}
		if stderr.Len() == 0 { // the go command explains what it finds; something else ended it
			return nil, configs.Errorf(CodeNoGo, "Go command cannot be run", s.At,
				"go %s in %s: %v. It gave no reason. Raise the limits of this process, see ulimit -a, and try again.", args[0], s.Dir, err)
		}
		return nil, configs.Errorf(CodeNoPackage, "Source not found", s.At, "go %s in %s: %s%s",
			args[0], s.Dir, strings.TrimSpace(stderr.String()), noModule(s.Dir, stderr.String()))
	}
	return out, nil
}

// noModule returns the remedy for a folder outside any module, or in one that lacks requirements.
func noModule(dir, stderr string) string {
	switch {
	case strings.Contains(stderr, "; to update it:"):
		return fmt.Sprintf("\nRun that command in %s: go.mod does not list all that the module needs.", dir)
	case !strings.Contains(stderr, "go.mod"):
		return ""
	}
	return fmt.Sprintf("\nThe manifest's folder must be in a Go module that requires %s: run go mod init, then go get %s.", Framework, Framework)
}

// read takes in what go list printed.
func (s *Source) read(out []byte, from string) *hcl.Diagnostic {
	var pkg *goPackage
	s.deps, s.sum = nil, nil
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(goPackage)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return configs.Errorf(CodeNoPackage, "Source not found", s.At, "go list: %v.", err)
		}
		if p.Error != nil {
			if d := machineFault(s.At, p.ImportPath+": "+p.Error.Err); d != nil {
				return d
			}
		}
		if p.ImportPath == programPackage && p.Error != nil {
			return configs.Errorf(CodeNoPackage, "Framework not found", s.At,
				"The module of %s cannot import %s: %s%s", s.Dir, programPackage, p.Error.Err, cmp.Or(noModule(s.Dir, p.Error.Err), fmt.Sprintf("\nRun go get %s there.", Framework)))
		}
		if !p.Standard {
			s.deps = append(s.deps, p)
		}
		if p.ImportPath == from || from == "." && p.Dir == s.Dir {
			pkg = p
		}
	}
	switch {
	case pkg == nil:
		return configs.Errorf(CodeNoPackage, "Source not found", s.At, "%s has no Go package.", s.Dir)
	case pkg.Error != nil && pkg.Name == "":
		return configs.Errorf(CodeNoPackage, "Source not found", s.At, "The package %s cannot be loaded: %s", from, pkg.Error.Err)
	case pkg.Module == nil:
		return configs.Errorf(CodeNoPackage, "Source not found", s.At, "The package %s is in no module.", from)
	}
	if err := interaction.CheckImportPath(pkg.ImportPath); err != nil {
		return configs.Errorf(CodeName, "Not an import path", s.At,
			"The package in %s has the import path %q: %v. Rename its folder or its module.", pkg.Dir, pkg.ImportPath, err)
	}
	s.Path, s.Name, s.Folder, s.module = pkg.ImportPath, pkg.Name, pkg.Dir, pkg.Module
	return nil
}

// mainModule finds the module that the source's folder is in.
func (s *Source) mainModule() (*goModule, *hcl.Diagnostic) {
	if s.main != nil {
		return s.main, nil
	}
	if s.module.Main {
		return s.accept(s.module)
	}
	out, diag := s.command("list", "-m", "-json")
	if diag != nil {
		return nil, diag
	}
	m := new(goModule)
	if err := json.Unmarshal(out, m); err != nil || m.Dir == "" {
		return nil, configs.Errorf(CodeNoPackage, "No module here", s.At, "%s is in no Go module.%s", s.Dir, noModule(s.Dir, "go.mod"))
	}
	return s.accept(m)
}

// accept sets the main module, whose path becomes part of flags.
func (s *Source) accept(m *goModule) (*goModule, *hcl.Diagnostic) {
	if err := interaction.CheckImportPath(m.Path); err != nil {
		return nil, configs.Errorf(CodeName, "Not an import path", s.At, "The module in %s has the path %q: %v. Rename it in %s.", m.Dir, m.Path, err, m.GoMod)
	}
	s.main = m
	return m, nil
}

// Files returns the Go files of the specification's package, absolute, in a fixed order.
func (s *Source) Files() []string {
	i := slices.IndexFunc(s.deps, func(p *goPackage) bool { return p.ImportPath == s.Path })
	out := make([]string, len(s.deps[i].GoFiles))
	for k, f := range s.deps[i].GoFiles {
		out[k] = filepath.Join(s.Folder, f)
	}
	return out
}
