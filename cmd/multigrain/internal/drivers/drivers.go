// Package drivers prepares the processes that connect implementations in other languages than Go:
// what a driver requires, where it is built, and how it is started.
//
// Each version of an implementation has an environment of its own in the cache. It holds a virtual
// environment of Python if the driver requires Python packages, and what the build command makes.
// Prepare makes it. Everything else reads it, and installs nothing.
package drivers

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	kits "github.com/multigrain/multigrain/checker/conform/drivers"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/configs"
)

// Folder is the folder of the cache that has the environments of drivers.
const Folder = "drivers"

// ready is a file of an environment: its parts are complete.
const ready = "ready"

const (
	// usualPython is the interpreter of virtual environments, unless requires names a version of it
	// such as python3.7.
	usualPython = "python3"
	// noDependencies is a word of requires: pip installs what requires names, and nothing else.
	noDependencies = "--no-deps"
	// headerOf is between a header of C and the package of Debian that has it: raft.h:libraft-dev.
	headerOf = ".h:"
)

// environment is where a driver of one version runs.
type environment struct {
	impl        *configs.Implementation
	manifest    string // with which it is made
	programs    []configs.Text
	headers     []configs.Text // of C, as HEADER:PACKAGE
	packages    []configs.Text // of Python
	interpreter string         // the interpreter that makes the virtual environment
	alone       bool           // packages are installed without what they depend on
	venv        string         // the virtual environment; "": none is needed
	out         string         // the folder of the build's result; "": there is no build
}

// environmentOf returns the environment of a driver. The error says which files cannot be read.
func environmentOf(impl *configs.Implementation, manifest, cache string) (*environment, hcl.Diagnostics) {
	e := &environment{impl: impl, manifest: manifest, interpreter: usualPython}
	for _, r := range impl.Requires.Value {
		r.Value = e.filled(r.Value)
		switch {
		case r.Value == noDependencies:
			e.alone = true
		case strings.Contains(r.Value, "=="):
			e.packages = append(e.packages, r)
		case strings.Contains(r.Value, headerOf):
			e.headers = append(e.headers, r)
		default:
			e.programs = append(e.programs, r)
			if strings.HasPrefix(r.Value, usualPython) {
				e.interpreter = r.Value
			}
		}
	}
	if len(e.packages) > 0 {
		var all []string
		for _, p := range e.packages {
			all = append(all, p.Value)
		}
		if e.interpreter != usualPython {
			all = append(all, e.interpreter)
		}
		if e.alone {
			all = append(all, noDependencies)
		}
		slices.Sort(all)
		e.venv = filepath.Join(cache, Folder, "python-"+hashOf(all...))
	}
	if impl.DriverBuild.IsSet() {
		hash, err := e.files()
		if err != nil {
			return nil, hcl.Diagnostics{impl.DriverBuild.Errorf(codes.DriverBuild, "Driver cannot be built", "The files of the driver cannot be read: %v.", err)}
		}
		e.out = filepath.Join(cache, Folder, "built-"+hashOf(append([]string{hash, impl.Version.Value, e.venv}, valuesOf(impl.DriverBuild)...)...))
	}
	return e, nil
}

// filled replaces the placeholders of a text. They are {version}, of the implementation, and {out},
// the folder for what build makes.
func (e *environment) filled(text string) string {
	return strings.NewReplacer("{version}", e.impl.Version.Value, "{out}", e.out).Replace(text)
}

// Command returns how the process of an implementation's driver is started. It runs nothing. What
// is missing is among the diagnostics, with the command that makes it.
func Command(impl *configs.Implementation, manifest, cache, transcript string) (*wire.Driver, hcl.Diagnostics) {
	e, diags := environmentOf(impl, manifest, cache)
	if diags.HasErrors() {
		return nil, diags
	}
	if diags := e.missing(); diags.HasErrors() {
		return nil, diags
	}
	d := &wire.Driver{Name: impl.Name, Env: e.variables(), Transcript: transcript, Names: impl.Names}
	var err error
	if d.Dir, err = filepath.Abs(impl.Dir); err != nil {
		return nil, hcl.Diagnostics{impl.Driver.Errorf(codes.DriverStart, "Driver cannot be started", "%v.", err)}
	}
	for _, w := range valuesOf(impl.Driver) {
		d.Command = append(d.Command, e.filled(w))
	}
	return d, nil
}

// variables are those of the environment in which the driver and its build run.
func (e *environment) variables() (env []string) {
	env = append(env, "PYTHONUNBUFFERED=1", "PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0", "MULTIGRAIN_VERSION="+e.impl.Version.Value)
	if e.venv != "" {
		env = append(env, "VIRTUAL_ENV="+e.venv, "PATH="+filepath.Join(e.venv, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	if e.out != "" {
		env = append(env, "MULTIGRAIN_OUT="+e.out, "CARGO_TARGET_DIR="+filepath.Join(e.out, "target"))
	}
	return env
}

// missing reports what the driver needs and does not have.
func (e *environment) missing() (diags hcl.Diagnostics) {
	for _, p := range e.programs {
		if _, err := exec.LookPath(p.Value); err != nil {
			diags = append(diags, configs.Errorf(codes.DriverRequires, "Requirement is missing", p.Range,
				"The driver of %s requires the program %s, which is not in PATH. Install it with the package manager of your system.", e.impl.Name, p.Value))
		}
	}
	for _, h := range e.headers {
		file, debian, _ := strings.Cut(h.Value, ":")
		if dirs := includes(); !slices.ContainsFunc(dirs, func(dir string) bool { return isFile(filepath.Join(dir, filepath.FromSlash(file))) }) {
			diags = append(diags, configs.Errorf(codes.DriverRequires, "Requirement is missing", h.Range,
				"The driver of %s requires the header %s of C, which is in none of the folders %s. On Debian, install it with: apt-get install %s",
				e.impl.Name, file, strings.Join(dirs, ", "), debian))
		}
	}
	setup := "multigrain conform -setup " + e.manifest
	if len(e.impl.Version.Value) > 0 {
		setup += " -impl " + e.impl.Name + "@" + e.impl.Version.Value
	}
	if e.venv != "" && !isReady(e.venv) {
		for _, p := range e.packages {
			diags = append(diags, configs.Errorf(codes.DriverRequires, "Requirement is missing", p.Range,
				"The driver of %s requires the Python package %s, which is not installed in the cache. Install it with: %s", e.impl.Name, p.Value, setup))
		}
	}
	if e.out != "" && !isReady(e.out) {
		diags = append(diags, e.impl.DriverBuild.Errorf(codes.DriverRequires, "Driver is not built",
			"The driver of %s is not built from its files of today. Build it with: %s", e.impl.Name, setup))
	}
	return diags
}

// includes are the folders in which a compiler of C looks for the headers of libraries.
func includes() (dirs []string) {
	for _, name := range []string{"CPATH", "C_INCLUDE_PATH"} {
		for _, dir := range filepath.SplitList(os.Getenv(name)) {
			if dir != "" {
				dirs = append(dirs, dir)
			}
		}
	}
	return append(dirs, "/usr/local/include", "/usr/include")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isReady(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, ready))
	return err == nil
}

func valuesOf(a configs.Attr[[]configs.Text]) (out []string) {
	for _, t := range a.Value {
		out = append(out, t.Value)
	}
	return out
}

// hashOf returns the name of something that texts determine: 32 hexadecimal digits.
func hashOf(texts ...string) string {
	sum := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(sum, "%q ", t)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// files returns a hash of the files that a build depends on: those in the folders of the files that
// its command names, or else those next to the manifest. The kits count, too.
func (e *environment) files() (string, error) {
	hashes := []string{kits.Hash()}
	for _, w := range valuesOf(e.impl.DriverBuild) {
		path := filepath.Join(e.impl.Dir, filepath.FromSlash(w))
		info, err := os.Stat(path)
		if err != nil || !strings.ContainsAny(w, "/.") {
			continue
		}
		if !info.IsDir() {
			path = filepath.Dir(path)
		}
		hash, err := filesOf(path)
		if err != nil {
			return "", err
		}
		hashes = append(hashes, hash)
	}
	if len(hashes) == 1 {
		hash, err := filesOf(e.impl.Dir)
		return hashOf(append(hashes, hash)...), err
	}
	return hashOf(hashes...), nil
}

// filesOf returns a hash of the files in a folder. Hidden folders, and those in which languages
// leave what they build, are left out.
func filesOf(dir string) (string, error) {
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != dir && (strings.HasPrefix(name, ".") || name == "target" || name == "__pycache__") {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || strings.HasSuffix(name, ".hcl") || strings.HasSuffix(name, ".lock") {
			return nil
		}
		text, err := host.ReadFile(path)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(text)
		rel, err := filepath.Rel(dir, path)
		all = append(all, rel, hex.EncodeToString(sum[:]))
		return err
	})
	return hashOf(all...), err
}
