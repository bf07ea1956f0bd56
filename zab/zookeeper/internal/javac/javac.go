// Package javac compiles changed sources of Java over the jars of a release.
//
// Only the given sources are compiled: their text is all that may differ from the jars. The folder
// with the classes then comes first in a class path. What the sources name otherwise is read from
// the jars, so a class that inlined a constant of a changed source keeps the old value.
package javac

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ErrMissing says that there is no compiler.
var ErrMissing = errors.New("javac is not on the PATH: install a JDK, version 11 or later, such as with `apt-get install openjdk-17-jdk-headless`")

// Release is the version of Java for which classes are made: that of ZooKeeper's releases.
const Release = "8"

// Message is an error of the compiler.
type Message struct {
	File string // as the source is named
	Line int    // from 1; 0: of no line
	Text string
}

func (m Message) String() string {
	switch {
	case m.File == "":
		return m.Text
	case m.Line == 0:
		return m.File + ": " + m.Text
	}
	return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Text)
}

// Error says that the compiler refuses the sources.
type Error struct {
	Messages []Message // at least one
	Output   string    // all that the compiler has written
}

func (e *Error) Error() string { return "javac: " + e.Output }

// Look fails with ErrMissing if there is no compiler.
func Look() error {
	if _, err := exec.LookPath("javac"); err != nil {
		return ErrMissing
	}
	return nil
}

// Compile compiles sources, by their names with slashes, into the folder dir, which it makes. The
// error is an *Error if the compiler refuses them, or says why it does not run.
func Compile(ctx context.Context, classPath []string, dir string, sources map[string]string) error {
	if err := Look(); err != nil {
		return err
	}
	from, err := os.MkdirTemp("", "multigrain-javac-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(from)
	args := []string{"-J-Duser.language=en", "-nowarn", "-Xlint:none", "-proc:none", "-implicit:none", "-g", "-encoding", "UTF-8", "--release", Release,
		"-sourcepath", "", "-cp", strings.Join(classPath, string(os.PathListSeparator)), "-d", dir}
	files, err := write(from, sources)
	if err != nil {
		return err
	}
	args = append(args, files...)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "javac", args...).CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil:
		return nil
	}
	text := strings.ReplaceAll(string(out), from+string(filepath.Separator), "")
	refused := &Error{Messages: messages(text), Output: strings.TrimSpace(text)}
	if len(refused.Messages) == 0 {
		refused.Messages = []Message{{Text: strings.TrimSpace(err.Error() + " " + text)}}
	}
	return refused
}

// write writes sources into a folder. It returns their files, in order.
func write(dir string, sources map[string]string) (files []string, err error) {
	for _, name := range names(sources) {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("the source %q is outside of the folder", name)
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, []byte(sources[name]), 0o644); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// names returns the keys of a map in order.
func names[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }

// header matches the first line of an error: file, line and text.
var header = regexp.MustCompile(`^(.+\.java):([0-9]+): error: (.*)$`)

// messages returns the errors in the compiler's output, each with the lines that explain it. The
// source's line and the mark below it are left out.
func messages(output string) (out []Message) {
	lines := strings.Split(output, "\n")
	for k := 0; k < len(lines); k++ {
		line := strings.TrimRight(lines[k], "\r")
		if m := header.FindStringSubmatch(line); m != nil {
			number, _ := strconv.Atoi(m[2])
			text := m[3]
			for _, detail := range lines[k+1:] {
				if header.MatchString(detail) {
					break
				}
				if d := strings.TrimSpace(detail); strings.HasPrefix(d, "symbol:") || strings.HasPrefix(d, "location:") || strings.HasPrefix(d, "required:") || strings.HasPrefix(d, "found:") || strings.HasPrefix(d, "class file for ") {
					text += "; " + strings.Join(strings.Fields(d), " ")
				}
			}
			out = append(out, Message{filepath.ToSlash(m[1]), number, text})
		} else if text, ok := strings.CutPrefix(line, "error: "); ok {
			out = append(out, Message{Text: text})
		}
	}
	return out
}
