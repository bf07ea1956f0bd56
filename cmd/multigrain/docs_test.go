package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// followed lists the documents whose files and commands TestDocs writes and runs. The documents of
// one row continue each other in one folder.
var followed = [][]string{
	{"tutorial/1-lock-service.md", "tutorial/2-coarse-grain.md", "tutorial/3-implementation.md"},
	{"tutorial/4-unordered-network.md"},
	{"explanation/interaction.md"},
}

// TestDocs does what documents tell a reader to do: it writes every file and runs every command, in
// order, in a module of its own outside this repository.
//
// A line `name` announces the file in the next code block, which replaces what it was. In a
// console block "$ " starts a command, "? N" is its exit code where it is not 0, and the other
// lines are found in its output in that order. A text block is a drawing.
func TestDocs(t *testing.T) {
	for _, names := range followed {
		t.Run(filepath.Base(filepath.Dir(names[0])), func(t *testing.T) { follow(t, names) })
	}
}

func follow(t *testing.T, names []string) {
	t.Helper()
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it follows the document in a module of its own, with all that it builds; set MULTIGRAIN_SLOW=1")
	}
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	env := append(os.Environ(), "MULTIGRAIN_CACHE="+t.TempDir(), "GOFLAGS=")
	for _, name := range names {
		ok := t.Run(strings.TrimSuffix(filepath.Base(name), ".md"), func(t *testing.T) {
			f, err := os.Open(filepath.Join(root, "docs", filepath.FromSlash(name)))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r := &reader{t: t, root: root, dir: dir, env: env}
			r.read(bufio.NewScanner(f))
			if r.commands == 0 {
				t.Fatal("the document has no commands")
			}
		})
		if !ok {
			return // the next document continues this one
		}
	}
}

// reader follows a document.
type reader struct {
	t         *testing.T
	root, dir string
	env       []string
	commands  int
}

func (r *reader) read(lines *bufio.Scanner) {
	name := ""
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "```console"):
			r.console(block(lines))
		case line == "```text":
			block(lines)
		case strings.HasPrefix(line, "```"):
			if name == "" {
				r.t.Fatalf("a block has no file name: %s", line)
			}
			text := strings.Join(block(lines), "\n") + "\n"
			path := filepath.Join(r.dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				r.t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				r.t.Fatal(err)
			}
			name = ""
		case len(line) > 2 && line[0] == '`' && line[len(line)-1] == '`' && !strings.Contains(line, " "):
			name = strings.Trim(line, "`")
		}
	}
}

// block returns the lines up to the end of a code block.
func block(lines *bufio.Scanner) (out []string) {
	for lines.Scan() && lines.Text() != "```" {
		out = append(out, lines.Text())
	}
	return out
}

func (r *reader) console(lines []string) {
	for k := 0; k < len(lines); {
		command := strings.TrimPrefix(lines[k], "$ ")
		want, code := []string{}, 0
		for k++; k < len(lines) && !strings.HasPrefix(lines[k], "$ "); k++ {
			if n, ok := strings.CutPrefix(lines[k], "? "); ok {
				code, _ = strconv.Atoi(n)
			} else if lines[k] != "..." {
				want = append(want, lines[k])
			}
		}
		r.Run(command, code, want)
	}
}

func (r *reader) Run(command string, code int, want []string) {
	r.t.Helper()
	r.commands++
	args := strings.Fields(command)
	// The version under test replaces a published one.
	if command == "go get github.com/multigrain/multigrain" {
		args = []string{"go", "mod", "edit", "-require=github.com/multigrain/multigrain@v0.0.0", "-replace=github.com/multigrain/multigrain=" + r.root}
	}
	cmd := exec.Command("sh", "-c", `exec "$@"`, "sh")
	cmd.Args = append(cmd.Args, args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.CombinedOutput()
	have := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		have = exit.ExitCode()
	} else if err != nil {
		r.t.Fatal(err)
	}
	if have != code {
		r.t.Fatalf("%s: exit code %d, want %d\n%s", command, have, code, out)
	}
	rest := string(out)
	for _, w := range want {
		at := strings.Index(rest, w)
		if at < 0 {
			r.t.Fatalf("%s: output lacks %q\n%s", command, w, out)
		}
		rest = rest[at+len(w):]
	}
}
