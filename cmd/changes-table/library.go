package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
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
	// flags are those of real alone: commits are read as they are in the repository, and run on the
	// release whose flags are onRelease. The archive of its sources belongs into folder.
	flags, onRelease []string
	sources          func() (archive string, err error)
	folder           string
	mutants          func() ([]mutant, error)
}

//go:embed harmless-etcd.hcl
var harmlessEtcd []byte

//go:embed real-etcd.hcl
var realEtcd []byte

//go:embed real-hashicorp.hcl
var realHashicorp []byte

//go:embed real-zookeeper.hcl
var realZookeeper []byte

//go:embed harmless-hashicorp.hcl
var harmlessHashicorp []byte

// hashicorpHome is a module of its own.
const hashicorpHome = "raft/hashicorpraft/testdata/library"

var libraries = map[string]library{
	"etcd": {module: mutants.Module, home: ".", manifests: "configs/raft", manifest: "etcd", harmless: harmlessEtcd, mutants: mutantsOfEtcd,
		realManifest: "etcd-full", real: realEtcd, paths: []string{"*.go", "go.mod", ":!*_test.go", ":!cmd", ":!tools", ":!rafttest"}},
	"hashicorp": {module: "github.com/hashicorp/raft", home: hashicorpHome, manifests: hashicorpHome, manifest: "hashicorp", harmless: harmlessHashicorp, mutants: mutantsOfHashicorp,
		realManifest: "hashicorp", real: realHashicorp, paths: []string{"*.go", "go.mod", ":!*_test.go", ":!fuzzy", ":!bench", ":!raft-compat"}},
	// Servers run each change for minutes. So the table says also what is decided without a run.
	"zookeeper": {home: ".", manifests: "configs/zab/changes", realManifest: "zookeeper", real: realZookeeper, flags: []string{"-n", "-var", "version=master"},
		onRelease: []string{"-var", "version=" + zookeeperRelease}, sources: zookeeperSources, folder: "zookeeper-server/src/main/java",
		paths: []string{"zookeeper-server/src/main/java"}},
}

// zookeeperRelease is the newest release of ZooKeeper that the specification knows.
const zookeeperRelease = "3.9.5"

// zookeeperSources returns the archive with its sources.
func zookeeperSources() (string, error) {
	in := control.Places{}
	jars, err := control.Find(in, zookeeperRelease)
	if err != nil {
		return "", err
	}
	return jars.Sources(in)
}

// row is a change with its result.
type row struct {
	name, what, manifest string
	*outcome
}

// dir returns the folder of the library in the module cache.
func (l library) dir() (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", l.module)
	cmd.Dir = l.home
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if e := json.Unmarshal(out, &module); e != nil || module.Error != "" {
		return "", fmt.Errorf("go mod download %s in %s: %w", l.module, l.home, cmp.Or(err, e, errors.New(module.Error)))
	}
	return module.Dir, nil
}

// files returns the files of the release that commits are applied to.
func (l library) files() (fs.FS, error) {
	if l.sources != nil {
		archive, err := l.sources()
		if err != nil {
			return nil, err
		}
		return zip.OpenReader(archive)
	}
	dir, err := l.dir()
	return os.DirFS(dir), err
}

// manifestOf returns the manifest of a row.
func (l library) manifestOf(name string) string { return cmp.Or(name, l.manifest) }

// planted runs the mutants of the library.
func (a *asked) planted(l library) (rows []row, err error) {
	dir, err := l.dir()
	if err != nil {
		return nil, err
	}
	all, err := l.mutants()
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(m.file)))
		if err != nil {
			return nil, err
		}
		after, err := m.change(text)
		if err != nil {
			return nil, err
		}
		diff, err := unified(map[string]string{m.file: string(text)}, map[string]string{m.file: string(after)})
		if err != nil {
			return nil, err
		}
		if rows, err = a.diff(rows, l, m.row, diff); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// mutant is a planted mistake in one line.
type mutant struct {
	row
	file   string
	change func(text []byte) ([]byte, error)
}

func mutantsOfEtcd() (out []mutant, err error) {
	all, err := mutants.All()
	for _, m := range all {
		out = append(out, mutant{row{name: m.Name, what: m.Mistake, manifest: m.Manifest}, m.File, m.Change})
	}
	return out, err
}

// mutantsOfHashicorp reads the table of the adapter's module. The first place of a text is changed.
func mutantsOfHashicorp() (out []mutant, err error) {
	table, err := os.ReadFile(filepath.Join(hashicorpHome, "mutants.tsv"))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(table)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("mutants.tsv: %q has %d fields and not a name, a file, a text and its replacement", f[0], len(f))
		}
		out = append(out, mutant{row{name: strings.ReplaceAll(f[0], " ", "-"), what: f[0]}, f[1], func(text []byte) ([]byte, error) {
			after := bytes.Replace(text, []byte(f[2]), []byte(f[3]), 1)
			if bytes.Equal(after, text) {
				return nil, fmt.Errorf("%s does not have %q", f[1], f[2])
			}
			return after, nil
		}})
	}
	return out, nil
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
	if r.outcome, err = a.runner.change(r.name+"\x00"+r.manifest+"\x00"+diff, ".", manifest, "-diff", path); err != nil {
		return nil, err
	}
	if r.outcome == nil {
		a.notRun++
		return rows, nil
	}
	r.print()
	return append(rows, r), nil
}

// print prints the result of a change, for those who wait for the page.
func (r *row) print() {
	fmt.Fprintf(os.Stderr, "%s: %s, exit code %d, %.0f s (%.0f s of processors); %s %s\n", r.name, r.verdict(), r.Exit, r.Wall, r.CPU,
		strings.Join(r.broken(), ", "), r.where())
}
