package javac

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Extent is a statement: its lines, from 1. See Statements.java.
type Extent struct{ First, Last int }

//go:embed Statements.java
var statements string

// ExtentsFile is the name of the file, in a folder or jar with classes, that has the statements of
// their sources: see WriteExtents.
const ExtentsFile = "META-INF/multigrain/statements.tsv"

// ExtentsIn reads the statements of the sources of classes; nil where they are not there.
func ExtentsIn(classes fs.FS) (map[string][]Extent, error) {
	text, err := fs.ReadFile(classes, ExtentsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return ReadExtents(string(text))
}

// Around returns the smallest statement that a line is in; nil: there is none. A line before which
// others are gone is in one that has begun before it.
func Around(all []Extent, line int, gone bool) (found *Extent) {
	for _, e := range all {
		begun := e.First <= line
		if gone {
			begun = e.First < line
		}
		if begun && line <= e.Last && (found == nil || e.Last-e.First < found.Last-found.First) {
			found = &e
		}
	}
	return found
}

// Statements returns the statements of sources, by their names with slashes. The compiler's own
// syntax tree gives them, so the JDK must be of version 11 or later, as for Compile.
func Statements(ctx context.Context, sources map[string]string) (map[string][]Extent, error) {
	if err := Look(); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "multigrain-javac-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	program, root := filepath.Join(work, "Statements.java"), filepath.Join(work, "sources")
	if _, err := write(root, sources); err != nil {
		return nil, err
	}
	if err := os.WriteFile(program, []byte(statements), 0o644); err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, "java", "-XX:TieredStopAtLevel=1", program, root).Output()
	if err != nil {
		if x, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(x.Stderr)))
		}
		return nil, fmt.Errorf("the statements of the sources: %w", err)
	}
	return ReadExtents(string(out))
}

// ReadExtents reads what WriteExtents has written, or Statements.java.
func ReadExtents(text string) (map[string][]Extent, error) {
	out, file := map[string][]Extent{}, ""
	for row := range strings.Lines(text) {
		words := strings.Split(strings.TrimRight(row, "\r\n"), "\t")
		switch {
		case len(words) == 2 && words[0] == "file":
			file = filepath.ToSlash(words[1])
			out[file] = nil
		case len(words) == 3 && words[0] == "lines":
			first, bad := strconv.Atoi(words[1])
			last, worse := strconv.Atoi(words[2])
			if err := errors.Join(bad, worse); err != nil {
				return nil, err
			}
			out[file] = append(out[file], Extent{first, last})
		default:
			return nil, fmt.Errorf("%q is no row of Statements.java", row)
		}
	}
	return out, nil
}

// WriteExtents writes statements as Statements.java does.
func WriteExtents(all map[string][]Extent) string {
	var b strings.Builder
	for _, file := range names(all) {
		fmt.Fprintf(&b, "file\t%s\n", file)
		for _, e := range all[file] {
			fmt.Fprintf(&b, "lines\t%d\t%d\n", e.First, e.Last)
		}
	}
	return b.String()
}
