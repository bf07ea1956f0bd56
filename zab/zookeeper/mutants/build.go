package mutants

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/javac"
)

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
	if err := javac.Look(); err != nil {
		return nil, err
	}
	in := control.Places{}
	sources, err := jars.Sources(in)
	if err != nil {
		return nil, err
	}
	libraries, err := control.Compiling(in)
	if err == nil && len(libraries) == 0 {
		err = errors.New("the sources of ZooKeeper need its annotations, which are not on this machine: run `make zookeeper-jars`")
	}
	return &Builder{Jars: jars, Sources: sources, Libraries: libraries}, err
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
	name, _, text, err = b.Sides(m)
	return name, text, err
}

// Sides is Mutate, with the text before the change.
func (b *Builder) Sides(m Mutant) (name, before, after string, err error) {
	name, before, err = b.source(m.Class)
	if err == nil {
		after, err = replace(before, m.Method, m.Line, m.Becomes)
	}
	if err != nil {
		return "", "", "", fmt.Errorf("mutant %q of ZooKeeper %s, class %s: %w", m.Name, b.Jars.Version, m.Class, err)
	}
	return name, before, after, nil
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
	return javac.Compile(context.Background(), slices.Concat(b.Jars.Path, b.Libraries), dir, sources)
}
