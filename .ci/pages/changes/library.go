package changes

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
	"time"

	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
	java "github.com/multigrain/multigrain/zab/zookeeper/mutants"
)

// library is a module whose changes are measured.
type library struct {
	module string
	// home is the folder of the module with the adapter, manifests the one with the manifests. Both
	// are below the checkout.
	home, manifests string
	manifest        string // where a row names none
	// realManifest is the manifest of all commits. Git compares paths of them.
	realManifest string
	paths        []string
	// older are releases with adapters of their own, newest first: values of the manifest's
	// variable version. A commit that does not compile with the manifest's adapter is run with
	// theirs.
	older          []string
	harmless, real []byte
	// flags are those of real alone: commits are read as they are in the repository, and run on the
	// release whose flags are onRelease. The archive of its sources belongs into folder.
	flags, onRelease []string
	sources          func() (archive string, err error)
	folder           string
	// longer is the time of walks for mutants that the command's own time does not show; 0: none.
	longer  time.Duration
	mutants func() ([]mutant, error)
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
const (
	hashicorpModule = "github.com/hashicorp/raft"
	hashicorpHome   = "raft/hashicorpraft/testdata/library"
)

var libraries = map[string]library{
	"etcd": {module: mutants.Module, home: ".", manifests: "configs/raft", manifest: "etcd", harmless: harmlessEtcd, mutants: mutantsOfEtcd,
		realManifest: "etcd-full", real: realEtcd, older: []string{"v3.6.0"}, paths: []string{"*.go", "go.mod", ":!*_test.go", ":!cmd", ":!tools", ":!rafttest"}},
	"hashicorp": {module: hashicorpModule, home: hashicorpHome, manifests: hashicorpHome, manifest: "hashicorp", harmless: harmlessHashicorp, mutants: mutantsOfHashicorp,
		realManifest: "hashicorp", real: realHashicorp, paths: []string{"*.go", "go.mod", ":!*_test.go", ":!fuzzy", ":!bench", ":!raft-compat"}},
	// Servers run each change for minutes. So the table says also what is decided without a run.
	"zookeeper": {home: ".", manifests: "configs/zab/changes", manifest: "zookeeper", longer: 15 * time.Minute, mutants: mutantsOfZooKeeper, realManifest: "zookeeper", real: realZookeeper, flags: []string{"-n", "-var", "version=master"},
		onRelease: []string{"-var", "version=" + zookeeperRelease}, sources: zookeeperSources, folder: zookeeperFolder,
		paths: []string{zookeeperFolder}},
}

const (
	zookeeperFolder  = "zookeeper-server/src/main/java" // of the sources, in the repository
	zookeeperRelease = "3.9.5"                          // the newest that the specification knows
	zookeeperMutated = "3.9.1"                          // that of configs/zab/changes/zookeeper.hcl
)

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
	missing              string // why conform cannot find a mutant; "" where it can
	*outcome
	longer *outcome // with the library's longer time; nil where it was not needed
}

// dir returns the folder of the library in the module cache.
func (l library) dir() (string, error) { return moduleDir(l.module, l.home) }

// moduleDir returns the folder of a module in the module cache. Home is the folder of the module
// that requires it.
func moduleDir(path, home string) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", path)
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if e := json.Unmarshal(out, &module); e != nil || module.Error != "" {
		return "", fmt.Errorf("go mod download %s in %s: %w", path, home, cmp.Or(err, e, errors.New(module.Error)))
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
	all, err := l.mutants()
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		if !strings.Contains(m.name, a.only) {
			continue
		}
		file, before, after, err := m.sides()
		if err != nil {
			return nil, err
		}
		diff, err := unified(map[string]string{file: before}, map[string]string{file: after})
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
	sides func() (file, before, after string, err error)
}

// inModule returns the sides of a change of a file in the module cache.
func inModule(path, home, file string, change func(text []byte) ([]byte, error)) func() (string, string, string, error) {
	return func() (string, string, string, error) {
		dir, err := moduleDir(path, home)
		if err != nil {
			return "", "", "", err
		}
		before, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			return "", "", "", err
		}
		after, err := change(before)
		return file, string(before), string(after), err
	}
}

func mutantsOfEtcd() (out []mutant, err error) {
	all, err := mutants.All()
	for _, m := range all {
		out = append(out, mutant{row{name: m.Name, what: m.Mistake, manifest: m.Manifest}, inModule(mutants.Module, ".", m.File, m.Change)})
	}
	return out, err
}

// mutantsOfZooKeeper are those of the release of the manifest's default.
func mutantsOfZooKeeper() (out []mutant, err error) {
	jars, err := control.Find(control.Places{}, zookeeperMutated)
	if err != nil {
		return nil, err
	}
	b, err := java.NewBuilder(jars)
	if err != nil {
		return nil, err
	}
	all, err := java.All()
	for _, m := range all {
		out = append(out, mutant{row{name: m.Name, what: m.Mistake, missing: m.Missing}, func() (string, string, string, error) {
			name, before, after, err := b.Sides(m)
			return zookeeperFolder + "/" + name, before, after, err
		}})
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
		out = append(out, mutant{row{name: strings.ReplaceAll(f[0], " ", "-"), what: f[0]}, inModule(hashicorpModule, hashicorpHome, f[1], func(text []byte) ([]byte, error) {
			after := bytes.Replace(text, []byte(f[2]), []byte(f[3]), 1)
			if bytes.Equal(after, text) {
				return nil, fmt.Errorf("%s does not have %q", f[1], f[2])
			}
			return after, nil
		})})
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
		return append(rows, r), nil
	}
	r.print()
	if l.longer > 0 && !r.seen() {
		budget := a.runner.budget
		a.runner.budget = l.longer
		r.longer, err = a.runner.change(r.name+"\x00"+r.manifest+"\x00"+diff, ".", manifest, "-diff", path)
		a.runner.budget = budget
		if err != nil {
			return nil, err
		}
		if r.longer != nil {
			again := row{name: r.name + ", " + minutes(l.longer), outcome: r.longer}
			again.print()
		}
	}
	return append(rows, r), nil
}

// print prints the result of a change, for those who wait for the page.
func (r *row) print() {
	fmt.Fprintf(os.Stderr, "%s: %s, exit code %d, %.0f s (%.0f s of processors); %s %s\n", r.name, r.verdict(), r.Exit, r.Wall, r.CPU,
		strings.Join(r.broken(), ", "), r.where())
}
