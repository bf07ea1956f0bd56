package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// readmeExits are the exit codes of the commands that the README shows, by verb. A verb that is not
// among them has 0.
var readmeExits = map[string]int{"check": 12, "change": 12, "monitor": 30}

// notRun are the lines of commands that the test of the README does not run: the whole test suite,
// which has this test, and an installation.
var notRun = []string{"go test ./...", "go install ./cmd/multigrain"}

// TestReadme runs the commands of the README. The first one prints the text that the README shows,
// with ends of lines where the README has them and without what it leaves out at "...".
func TestReadme(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds a program to check and one to run next to a node; set MULTIGRAIN_SLOW=1")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "multigrain")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	commands, shown := readReadme(t, filepath.Join(root, "README.md"))
	if len(commands) != 4 || len(shown) < 15 {
		t.Fatalf("the README has %d commands and shows %d lines: %q", len(commands), len(shown), commands)
	}
	for k, command := range commands {
		args := strings.Fields(command)
		cmd := exec.Command(bin, args...)
		cmd.Dir, cmd.Env = root, os.Environ()
		out, err := cmd.Output()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Fatal(err)
		}
		if have, want := cmd.ProcessState.ExitCode(), readmeExits[args[0]]; have != want {
			t.Errorf("%s: exit code %d, want %d\n%s", command, have, want, out)
		}
		if k > 0 {
			continue
		}
		rest := strings.Join(strings.Fields(string(out)), " ")
		for _, line := range shown {
			at := strings.Index(rest, line)
			if at < 0 {
				t.Fatalf("%s does not print %q after the lines before it\n%s", command, line, out)
			}
			rest = rest[at+len(line):]
		}
	}
}

// readReadme returns the commands of the README, without the name of the program, and the lines of
// the output that it shows, with single spaces. Both are indented.
func readReadme(t *testing.T, name string) (commands, shown []string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	continued := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line, indented := strings.CutPrefix(lines.Text(), "    ")
		if !indented {
			continued = false
			continue
		}
		line, more := strings.CutSuffix(strings.Join(strings.Fields(line), " "), ` \`)
		own, ours := strings.CutPrefix(strings.TrimPrefix(line, "go run ./cmd/"), "multigrain ")
		switch {
		case continued:
			commands[len(commands)-1] += " " + line
		case ours:
			commands = append(commands, own)
		case line != "" && line != "..." && !isNotRun(line):
			shown = append(shown, line)
		}
		continued = more
	}
	return commands, shown
}

func isNotRun(line string) bool {
	for _, x := range notRun {
		if line == x {
			return true
		}
	}
	return false
}
