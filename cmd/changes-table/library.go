package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
)

// library is a module whose changes are measured.
type library struct {
	module string
	// home is the folder of the module with the adapter, manifests the one with the manifests. Both
	// are below the checkout.
	home, manifests string
	manifest        string // where a row names none
	// realManifest is the manifest of all commits. Git compares paths of them.
	realManifest   string
	paths          []string
	harmless, real []byte
}

//go:embed harmless-etcd.hcl
var harmlessEtcd []byte

//go:embed real-etcd.hcl
var realEtcd []byte

//go:embed real-hashicorp.hcl
var realHashicorp []byte

var libraries = map[string]library{
	"etcd": {module: mutants.Module, home: ".", manifests: "configs/raft", manifest: "etcd", harmless: harmlessEtcd,
		realManifest: "etcd-full", real: realEtcd, paths: []string{"*.go", "go.mod", ":!*_test.go", ":!cmd", ":!tools", ":!rafttest"}},
}

// row is a change with its result.
type row struct {
	name, what, manifest string
	*outcome
}

// dir returns the folder of the library in the module cache.
func (l library) dir() (string, error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", l.module)
	cmd.Dir = l.home
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s: %w", l.module, err)
	}
	dir := strings.TrimSpace(string(out))
	if dir == "" {
		return "", fmt.Errorf("%s is not in the module cache: run go mod download in %s", l.module, l.home)
	}
	return dir, nil
}

// manifestOf returns the manifest of a row.
func (l library) manifestOf(name string) string { return cmp.Or(name, l.manifest) }

// planted runs the mutants of the library.
func (a *asked) planted(l library) (rows []row, err error) {
	all, err := mutants.All()
	if err != nil {
		return nil, err
	}
	dir, err := l.dir()
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(m.File)))
		if err != nil {
			return nil, err
		}
		after, err := m.Change(text)
		if err != nil {
			return nil, err
		}
		diff, err := unified(map[string]string{m.File: string(text)}, map[string]string{m.File: string(after)})
		if err != nil {
			return nil, err
		}
		if rows, err = a.diff(rows, l, row{name: m.Name, what: m.Mistake, manifest: m.Manifest}, diff); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// harmless runs the refactorings of the library.
func (a *asked) harmless(l library) (rows []row, err error) {
	all, err := refactorings("harmless-"+a.library+".hcl", l.harmless)
	if err != nil {
		return nil, err
	}
	dir, err := l.dir()
	if err != nil {
		return nil, err
	}
	for k := range all {
		diff, err := all[k].diff(dir)
		if err != nil {
			return nil, err
		}
		if rows, err = a.diff(rows, l, row{name: all[k].Name, what: all[k].What, manifest: all[k].Manifest}, diff); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// diff runs a change of the library that is a diff, and adds its row.
func (a *asked) diff(rows []row, l library, r row, diff string) ([]row, error) {
	r.manifest = l.manifestOf(r.manifest)
	if !strings.Contains(r.name, a.only) {
		return rows, nil
	}
	path := filepath.Join(a.runner.keep, "diffs", r.name+".diff")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, []byte(diff), 0o644); err != nil {
		return nil, err
	}
	manifest := filepath.Join(l.manifests, r.manifest+".hcl")
	var err error
	if r.outcome, err = a.runner.change(r.name+"\x00"+diff, ".", manifest, "-diff", path); err != nil || r.outcome == nil {
		return rows, err
	}
	r.print()
	return append(rows, r), nil
}

// print prints the result of a change, for those who wait for the page.
func (r *row) print() {
	fmt.Fprintf(os.Stderr, "%s: %s, exit code %d, %.0f s (%.0f s of processors); %s %s\n", r.name, r.verdict(), r.Exit, r.Wall, r.CPU,
		strings.Join(r.broken(), ", "), r.where())
}
