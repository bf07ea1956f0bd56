package drivers

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/configs"
)

// commandTime bounds each command of Prepare.
const commandTime = 30 * time.Minute

// lastOutput is how many lines of a failed command are shown.
const lastOutput = 20

// Prepare makes in the cache what an implementation's driver needs: a virtual environment with its
// Python packages, and the result of its build command. It returns what it made or found, a line
// each. Programs that are missing are among the diagnostics, as is a command that fails.
func Prepare(ctx context.Context, impl *configs.Implementation, manifest, cache string) (done []string, diags hcl.Diagnostics) {
	e, diags := environmentOf(impl, manifest, cache)
	if diags.HasErrors() {
		return nil, diags
	}
	for _, d := range e.missing() {
		if d.Summary == "Requirement is missing" && !strings.Contains(d.Detail, "Python package") {
			diags = append(diags, d)
		}
	}
	if diags.HasErrors() {
		return nil, diags
	}
	if e.venv != "" {
		line, d := e.python(ctx)
		if d != nil {
			return done, append(diags, d)
		}
		done = append(done, line)
	}
	if e.out != "" {
		line, d := e.build(ctx)
		if d != nil {
			return done, append(diags, d)
		}
		done = append(done, line)
	}
	return done, diags
}

// python makes the virtual environment, or finds it.
func (e *environment) python(ctx context.Context) (string, *hcl.Diagnostic) {
	all := []string{}
	for _, p := range e.packages {
		all = append(all, p.Value)
	}
	about := fmt.Sprintf("Python packages %s: %s", strings.Join(all, ", "), e.venv)
	if isReady(e.venv) {
		return about + " (was there)", nil
	}
	failed := func(err error) *hcl.Diagnostic {
		return configs.Errorf(codes.DriverRequires, "Requirement is not installed", e.packages[0].Range, "%v", err)
	}
	if err := host.RemoveAll(e.venv); err != nil { // what an interrupted run left
		return "", failed(err)
	}
	if err := run(ctx, filepath.Dir(e.venv), nil, e.interpreter, "-m", "venv", e.venv); err != nil {
		return "", failed(err)
	}
	args := []string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check"}
	if e.alone {
		args = append(args, noDependencies)
	}
	args = append(append(args, "--"), all...)
	if err := run(ctx, e.venv, nil, filepath.Join(e.venv, "bin", "python3"), args...); err != nil {
		return "", failed(err)
	}
	if err := host.WriteFile(filepath.Join(e.venv, ready), nil, 0o644); err != nil {
		return "", failed(err)
	}
	return about, nil
}

// build runs the build command, unless its result is there.
func (e *environment) build(ctx context.Context) (string, *hcl.Diagnostic) {
	about := "driver built: " + e.out
	if isReady(e.out) {
		return about + " (was there)", nil
	}
	failed := func(err error) *hcl.Diagnostic {
		return e.impl.DriverBuild.Errorf(codes.DriverBuild, "Driver cannot be built", "%v", err)
	}
	if err := host.MkdirAll(e.out, 0o755); err != nil {
		return "", failed(err)
	}
	words := valuesOf(e.impl.DriverBuild)
	for k := range words {
		words[k] = e.filled(words[k])
	}
	if err := run(ctx, e.impl.Dir, e.variables(), words[0], words[1:]...); err != nil {
		return "", failed(err)
	}
	if err := host.WriteFile(filepath.Join(e.out, ready), nil, 0o644); err != nil {
		return "", failed(err)
	}
	return about, nil
}

// run runs a command. The error has its last lines.
func run(ctx context.Context, dir string, env []string, program string, args ...string) error {
	if err := host.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.WaitDelay = dir, 5*time.Second
	cmd.Env = append(cmd.Environ(), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		return fmt.Errorf("%q fails: %v. Its last lines are\n%s", strings.Join(append([]string{program}, args...), " "), err,
			strings.Join(lines[max(0, len(lines)-lastOutput):], "\n"))
	}
	return nil
}
