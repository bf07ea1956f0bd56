//go:build !multigrain_runtime

package replay

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/javac"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/noted"
)

// changed is the code that takes the place of a part of the servers' own, with its places.
type changed struct {
	path   string // a folder or a jar; "" where the servers' own code runs
	places []noted.Place
	spots  []noted.Spot
}

// changedOf finds the places of changed code.
func changedOf(code *conform.Code) (*changed, error) {
	if code == nil {
		return nil, nil
	}
	c := &changed{path: code.Path}
	if code.Path == "" {
		return c, nil
	}
	var lines []noted.Line
	for _, l := range code.Lines {
		lines = append(lines, noted.Line(l))
	}
	var err error
	c.places, c.spots, err = noted.Find(code.Path, lines)
	return c, err
}

// notes returns what notes the places in an ensemble; nil where there are none.
func (c *changed) notes() *noted.Taken {
	if c == nil || len(c.spots) == 0 {
		return nil
	}
	return noted.NewTaken(c.spots, len(c.places))
}

// Places are those of the changed lines.
func (a *adapter) Places() (out []checker.Point) {
	if a.changed == nil {
		return nil
	}
	for _, p := range a.changed.places {
		point := checker.Point{Func: p.Func, File: p.File, Line: p.Number, Text: strings.TrimSpace(p.Text), Kind: string(p.Kind), Column: p.Column}
		if p.Kind == noted.Jump {
			point.Text = fmt.Sprintf("condition %d of %d in %s", p.Column, p.Of, point.Text)
		}
		out = append(out, point)
	}
	return out
}

// Ran says which places the servers of this walk have run, from their start on.
func (a *adapter) Ran() []bool {
	if a.ensemble.Notes == nil {
		return nil
	}
	return a.ensemble.Notes.Ran()
}

// archived is the name of the jar in the folder of a result. It has the statements, too.
const archived = "compiled.jar"

// build compiles changed sources over the jars of the version, or writes the version's own sources.
func build(ctx context.Context, setup conform.Setup, s conform.Sources) (string, error) {
	set, err := settingsOf(setup.Settings)
	if err != nil {
		return "", err
	}
	jars, err := control.Find(set.places, setup.Version)
	if err != nil {
		return "", err
	}
	if s.Original {
		return s.To, originals(jars, set.places, s)
	}
	jar := filepath.Join(s.To, archived)
	if _, err := os.Stat(jar); err == nil { // the folder is named by what it is made of
		return jar, nil
	}
	libraries, err := control.Compiling(set.places)
	if err != nil {
		return "", err
	}
	texts := map[string]string{}
	for _, name := range s.Files {
		text, err := os.ReadFile(filepath.Join(s.Dir, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		texts[name] = string(text)
	}
	work, err := os.MkdirTemp(filepath.Dir(s.To), ".classes-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	err = javac.Compile(ctx, slices.Concat(jars.Path, libraries), filepath.Join(work, "classes"), texts)
	if refused, ok := errors.AsType[*javac.Error](err); ok {
		out := &conform.BuildError{}
		for _, m := range refused.Messages {
			if jar := control.Missing(set.places, m.Text); jar != "" {
				return "", fmt.Errorf("%s:%d: %s; %s is not in the Maven repository: run `make zookeeper-jars`", m.File, m.Line, m.Text, jar)
			}
			out.Messages = append(out.Messages, conform.BuildMessage(m))
		}
		return "", out
	}
	if err == nil {
		err = compatible(jars, os.DirFS(filepath.Join(work, "classes")))
	}
	if err == nil {
		err = keepStatements(ctx, filepath.Join(work, "classes"), texts)
	}
	if err == nil {
		err = pack(filepath.Join(work, "classes"), filepath.Join(work, archived))
	}
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(s.To, 0o755); err != nil {
		return "", err
	}
	return jar, os.Rename(filepath.Join(work, archived), jar)
}

// keepStatements writes the statements of sources to their classes, which do not have them.
func keepStatements(ctx context.Context, classes string, sources map[string]string) error {
	all, err := javac.Statements(ctx, sources)
	if err != nil {
		return err
	}
	file := filepath.Join(classes, filepath.FromSlash(javac.ExtentsFile))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(javac.WriteExtents(all)), 0o644)
}

// pack writes the files of a folder into a jar: a JVM keeps the classes of jars in archives, and
// servers start faster then.
func pack(dir, jar string) error {
	out, err := os.Create(jar)
	if err != nil {
		return err
	}
	defer out.Close()
	z := zip.NewWriter(out)
	if err := z.AddFS(os.DirFS(dir)); err != nil {
		return err
	}
	return errors.Join(z.Close(), out.Close())
}

// originals writes the version's sources of some files, under the names of these. A file that the
// version does not have is left out.
func originals(jars *control.Jars, in control.Places, s conform.Sources) error {
	jar, err := jars.Sources(in)
	if err != nil {
		return err
	}
	z, err := zip.OpenReader(jar)
	if err != nil {
		return fmt.Errorf("%s: %w", jar, err)
	}
	defer z.Close()
	for _, name := range s.Files {
		text, found := sourceIn(z, name)
		if !found {
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("the file %q is outside of the folder", name)
		}
		to := filepath.Join(s.To, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// sourceIn reads a file whose folder ends in that of its package, as the jar names it.
func sourceIn(z fs.FS, name string) ([]byte, bool) {
	for rest := name; ; {
		if text, err := fs.ReadFile(z, rest); err == nil && strings.Contains(rest, "/") {
			return text, true
		}
		_, below, more := strings.Cut(rest, "/")
		if !more {
			return nil, false
		}
		rest = below
	}
}
