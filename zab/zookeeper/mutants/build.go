package mutants

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// annotations are the annotations that ZooKeeper's sources name and its classes do not need.
const annotations = "org/apache/yetus/audience-annotations"

// Builder compiles mutants of one version.
type Builder struct {
	Jars *control.Jars
	// Sources is the jar with the sources of that version.
	Sources string
	// Libraries are jars that the compiler needs in addition to those of the servers.
	Libraries []string
}

// NewBuilder finds the sources of a version and the compiler. The error names what is missing.
func NewBuilder(jars *control.Jars) (*Builder, error) {
	if _, err := exec.LookPath("javac"); err != nil {
		return nil, errors.New("javac is not on the PATH: install a JDK, version 11 or later")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	maven := filepath.Join(home, ".m2", "repository")
	v := jars.Version.String()
	b := &Builder{Jars: jars, Sources: filepath.Join(maven, "org/apache/zookeeper/zookeeper", v, "zookeeper-"+v+"-sources.jar")}
	if _, err := os.Stat(b.Sources); err != nil {
		return nil, fmt.Errorf("the sources of ZooKeeper %s are not on this machine: %w; run `make zookeeper-jars`", v, err)
	}
	b.Libraries, err = filepath.Glob(filepath.Join(maven, annotations, "*", "*.jar"))
	if err == nil && len(b.Libraries) == 0 {
		err = fmt.Errorf("%s has no jar of %s, which the sources of ZooKeeper need: run `make zookeeper-jars`", maven, annotations)
	}
	return b, err
}

// source reads the source of a class, as quorum.Learner, and returns its path in the jar, too.
func (b *Builder) source(class string) (name, text string, err error) {
	z, err := zip.OpenReader(b.Sources)
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", b.Sources, err)
	}
	defer z.Close()
	name = strings.ReplaceAll(control.FullClass(class), ".", "/") + ".java"
	out, err := fs.ReadFile(z, name)
	if err != nil {
		return "", "", fmt.Errorf("%s has no source of the class %s: %w", b.Sources, class, err)
	}
	return name, string(out), nil
}

// Mutate returns the path of a mutant's source in the jar, and its text.
func (b *Builder) Mutate(m Mutant) (name, text string, err error) {
	name, text, err = b.source(m.Class)
	if err == nil {
		text, err = replace(text, m.Method, m.Line, m.Becomes)
	}
	if err != nil {
		return "", "", fmt.Errorf("mutant %q of ZooKeeper %s, class %s: %w", m.Name, b.Jars.Version, m.Class, err)
	}
	return name, text, nil
}

// Build compiles a mutant into the folder dir. It fails if the class, the method or the line does
// not exist or is not unique, or if javac refuses the result.
func (b *Builder) Build(m Mutant, dir string) error {
	name, text, err := b.Mutate(m)
	if err != nil {
		return err
	}
	if err := b.compile(dir, map[string]string{name: text}); err != nil {
		return fmt.Errorf("mutant %q of ZooKeeper %s: %w", m.Name, b.Jars.Version, err)
	}
	return nil
}

// BuildOriginals compiles the unchanged sources of the given mutants' classes into the folder dir.
// Servers with these classes differ from the release by the compiler alone.
func (b *Builder) BuildOriginals(of []Mutant, dir string) error {
	sources := map[string]string{}
	for _, m := range of {
		name, text, err := b.source(m.Class)
		if err != nil {
			return err
		}
		sources[name] = text
	}
	return b.compile(dir, sources)
}

// compile compiles sources, by their paths, against the jars.
func (b *Builder) compile(dir string, sources map[string]string) error {
	from, err := os.MkdirTemp("", "multigrain-mutant-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(from)
	// Only the given sources are compiled: their text is all that may differ from the jar.
	path := strings.Join(append(append([]string{}, b.Jars.Path...), b.Libraries...), ":")
	args := []string{"-nowarn", "-Xlint:none", "-proc:none", "-implicit:none", "-g", "--release", "8", "-sourcepath", "", "-cp", path, "-d", dir}
	for name, text := range sources {
		file := filepath.Join(from, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
		args = append(args, file)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if out, err := exec.Command("javac", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("javac: %w\n%s", err, out)
	}
	return nil
}
