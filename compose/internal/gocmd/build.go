package gocmd

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/configs"
)

// patience is how long somebody waits for a program without a word.
const patience = 2 * time.Second

// Program returns the path of the cached program of a key. If the program is missing, or is not as
// it was built, build makes it again in a folder of its own.
func (e Env) Program(key string, build func(work string) (string, hcl.Diagnostics)) (string, hcl.Diagnostics) {
	if d := e.refusal(); d != nil {
		return "", hcl.Diagnostics{d}
	}
	program := filepath.Join(e.CacheDir, "programs", key)
	if intact(program) {
		return program, nil
	}
	if err := host.MkdirAll(filepath.Dir(program), 0o755); err != nil {
		return "", hcl.Diagnostics{e.CacheError(err)}
	}
	work, err := host.MkdirTemp(filepath.Dir(program), ".build-*")
	if err != nil {
		return "", hcl.Diagnostics{e.CacheError(err)}
	}
	defer host.RemoveAll(work)
	if e.Building != nil {
		defer time.AfterFunc(patience, e.Building).Stop()
	}
	built, diags := build(work)
	if diags.HasErrors() {
		return "", diags
	}
	sum, err := sumLine(built, key)
	if err == nil {
		err = replace(built, program)
	}
	if err == nil {
		err = e.Store(sumOf(program), []byte(sum))
	}
	if err != nil {
		return "", hcl.Diagnostics{e.CacheError(err)}
	}
	return program, diags
}

// replace moves a file. A folder in the place of its new name, which nobody needs, is removed.
func replace(from, to string) error {
	if info, err := os.Lstat(to); err == nil && info.IsDir() {
		if err := host.RemoveAll(to); err != nil {
			return err
		}
	}
	return host.Rename(from, to)
}

// withoutDebugger returns flags that leave out the debuggers' data of the packages that an edit
// changes. That data takes a sixth of the time to compile them, and half of the time to link. Stack
// traces and profiles do without. Flags that the user set stay.
func (s *Source) withoutDebugger(module string) (flags []string) {
	environ := s.Environ
	if environ == nil {
		environ = os.Environ()
	}
	set := func(flag string) bool {
		return slices.ContainsFunc(environ, func(e string) bool { return strings.HasPrefix(e, "GOFLAGS=") && strings.Contains(e, flag) })
	}
	if !set("-gcflags") {
		flags = append(flags, "-gcflags="+s.Path+"=-dwarf=false", "-gcflags="+module+"/multigrain-...=-dwarf=false")
	}
	if !set("-ldflags") {
		flags = append(flags, "-ldflags=-w")
	}
	return flags
}

// buildMemory is the memory from which on the compiler and the linker collect garbage.
const buildMemory = "GOMEMLIMIT=1GiB"

// buildEnviron returns the environment of go build. The compiler and the linker keep most of what
// they allocate until they end. So they collect no garbage until they have buildMemory: that saves
// a quarter of their time. What the user set stays.
func (s *Source) buildEnviron() []string {
	environ := s.Environ
	if environ == nil {
		environ = os.Environ()
	}
	set := func(e string) bool { return strings.HasPrefix(e, "GOGC=") || strings.HasPrefix(e, "GOMEMLIMIT=") }
	if slices.ContainsFunc(environ, set) {
		return environ
	}
	return append(slices.Clone(environ), "GOGC=off", buildMemory)
}

// Build runs go build in work, with files by path over those on disk, and returns the program
// there. The file with the path "" is that of the main package, which lies in a folder that
// exists in the overlay only.
func (s *Source) Build(ctx context.Context, work string, files map[string][]byte, flags ...string) (string, hcl.Diagnostics) {
	main, diag := s.mainModule()
	if diag != nil {
		return "", hcl.Diagnostics{diag}
	}
	const folder = "multigrain-assembled"
	files[filepath.Join(main.Dir, folder, "main.go")] = files[""]
	delete(files, "")
	overlay, err := writeOverlay(work, files)
	if err != nil {
		return "", hcl.Diagnostics{s.Env.CacheError(err)}
	}
	built := filepath.Join(work, "program")
	// With -buildvcs the go command would run git in the folder of the manifest.
	args := slices.Concat([]string{"build", "-buildvcs=false", "-overlay=" + overlay, "-o", built}, s.withoutDebugger(main.Path), flags)
	cmd := exec.CommandContext(ctx, "go", append(args, "--", "./"+folder)...)
	together(cmd)
	cmd.Dir, cmd.Env = main.Dir, s.buildEnviron()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", hcl.Diagnostics{configs.Errorf(CodeBuild, "Build interrupted", hcl.Range{}, "The program was being built.")}
		}
		return "", buildErrors(stderr.String(), err)
	}
	return built, nil
}
