// Package kept names files that keep results of commands. A name has a digest of everything that
// the result depends on, so that a result is made again when one of these has changed.
package kept

import (
	"crypto/sha256"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Sources returns the digest of the Go files that a pattern of package path/filepath names, without
// tests. Comments do not count. An error is one of the pattern, or of reading a file.
func Sources(pattern string) ([]byte, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		var s scanner.Scanner // skips comments
		s.Init(token.NewFileSet().AddFile(f, -1, len(text)), text, nil, 0)
		for {
			_, tok, literal := s.Scan()
			if tok == token.EOF {
				break
			}
			fmt.Fprintf(h, "%s %s\n", tok, literal)
		}
	}
	return h.Sum(nil), nil
}

// Manifest returns the lines of a manifest and of those that it extends, without comments, spaces
// at their ends and empty lines. An error is one of reading a file.
func Manifest(path string) (lines []string, err error) {
	for path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		from := filepath.Dir(path)
		path = ""
		for line := range strings.Lines(string(text)) {
			line, _, _ := strings.Cut(line, "#")
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			lines = append(lines, line)
			if name, ok := strings.CutPrefix(line, "extends = "); ok {
				path = filepath.Join(from, strings.Trim(name, "\""))
			}
		}
	}
	return lines, nil
}

// Command builds multigrain from the checkout in the working directory. An error has what the
// compiler says. The file has no stamp of the commit, so equal sources give equal files.
func Command(file string) error {
	text, err := exec.Command("go", "build", "-buildvcs=false", "-o", file, "./cmd/multigrain").CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build ./cmd/multigrain: %w\n%s", err, text)
	}
	return nil
}
