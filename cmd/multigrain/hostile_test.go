package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
)

// evil is a name that a terminal would obey: it clears the line, sets the title, turns the text and
// begins a line of its own.
const evil = "a\x1b[2K\x1b]0;b\x07\u009b31m\u202ec\nholds\rd"

// ran runs the command in this process and returns what it wrote. A width is that of a terminal.
func ran(t *testing.T, width int, input string, args ...string) (out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := &command.App{Verbs: verbs(), In: strings.NewReader(input), Out: &stdout, Err: &stderr, OutWidth: width, ErrWidth: width,
		Environ: []string{"MULTIGRAIN_CACHE=" + os.Getenv("MULTIGRAIN_CACHE")}}
	a.Run(args)
	return stdout.String(), stderr.String()
}

// TestHostileOutput gives names and values to the command that a terminal would obey. Nothing of
// that reaches the standard output or error.
func TestHostileOutput(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	quoted, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.ReplaceAll(evil, "\n", "") // of files: tests list them by lines
	inHCL := strings.NewReplacer("\x1b", `\u001b`, "\x07", `\u0007`, "\u009b", `\u009b`, "\u202e", `\u202e`, "\n", `\n`, "\r", `\r`).Replace(evil)
	write := func(file, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("t.itf.json", strings.ReplaceAll(`{"#meta": {"format": "ITF", "multigrain": {"spec": NAME, "invariant": NAME, "kind": NAME}}, "vars": ["x", NAME],
		"states": [{"x": NAME, NAME: 1}, {"x": {NAME: [NAME]}, NAME: 2}]}`, "NAME", string(quoted)))
	write("m.hcl", "system \""+inHCL+"\" {\n  source = \""+inHCL+"\"\n}\n"+evil+" {\n}\nmodule \"a\" { "+strings.ReplaceAll(evil, "\n", "")+" = 1 }\n")
	write(name+".hcl", "system \"x\" {}\n")
	write("format.hcl", "# "+name+"\nsystem   \"x\" {}\n")
	write(".multigrain/.made-by-multigrain", "")
	write(".multigrain/"+name, "")
	write("log.hcl", "system \"x\" { source = \"./"+inHCL+"\" }\nmodule \"m\" { grain = \"g\" }\ncheck {}\n")
	for _, width := range []int{0, 80} {
		for _, args := range [][]string{
			{"show", "t.itf.json"}, {"show", "-full", "t.itf.json"}, {"show", "-json", "t.itf.json"}, {"show", "-format", "mermaid", "t.itf.json"},
			{"show", name + ".itf.json"}, {"validate", "m.hcl"}, {"validate", "m.hcl", "-json"}, {"validate", name + ".hcl"}, {"validate", "log.hcl"},
			{"test", name + ".hcl"}, {"list", "./" + name}, {"list", "example.com/" + evil}, {evil}, {"check", "-" + evil}, {"check", "log.hcl", "-var", evil},
			{"check", "log.hcl", "-stop", evil}, {"explain", evil}, {"fmt", "-check", name + ".hcl", "format.hcl"}, {"clean", "-n"}, {"clean", name},
			{"tap", evil}, {"conform", "log.hcl", "-impl", evil}, {"replay", "t.itf.json"}, {"change", "log.hcl", "-repo", name}, {"help", evil},
		} {
			out, errs := ran(t, width, "", args...)
			if out+errs == "" {
				t.Errorf("%q prints nothing", args)
			}
			if strings.HasPrefix(out, "holds") || strings.Contains(out, "\nholds") {
				t.Errorf("%q on %d columns has a forged line: %q", args, width, out)
			}
			for _, text := range []string{out, errs} {
				text = unstyled(text)
				if terminal.Visible(text) != text {
					t.Errorf("%q on %d columns: %q", args, width, text)
				}
			}
		}
	}
}

// TestFormattedFile formats a file with characters that a terminal obeys. A file or a pipe gets
// them as they are. A terminal does not.
func TestFormattedFile(t *testing.T) {
	t.Parallel()
	text := "# \u202e\x1b[2J\n"
	if out, _ := ran(t, 0, text, "fmt", "-"); out != text {
		t.Errorf("a file becomes %q", out)
	}
	if out, _ := ran(t, 80, text, "fmt", "-"); out != "# \\u202e\\u001b[2J\n" {
		t.Errorf("a terminal gets %q", out)
	}
}

// unstyled returns a text without the styles of terminals.
func unstyled(text string) string {
	for _, style := range []string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[4m", "\x1b[1;31m", "\x1b[32m", "\x1b[33m"} {
		text = strings.ReplaceAll(text, style, "")
	}
	return text
}

// TestWidth: no line of help and of lists is wider than the terminal, or than 100 columns where
// there is none. A catalog of many grains has at most 100 lines.
func TestWidth(t *testing.T) {
	wide := func(width int, args ...string) (lines int) {
		out, errs := ran(t, width, "", args...)
		for line := range strings.Lines(unstyled(out)) {
			lines++
			columns := terminal.Columns(strings.TrimSuffix(line, "\n"))
			// Names and paths stay whole on narrow terminals.
			if most := max(width, 100); columns > most || width >= 80 && columns > width {
				t.Errorf("%q on %d columns: %d columns: %s", args, width, columns, line)
			}
		}
		if lines == 0 || errs != "" {
			t.Errorf("%q on %d columns: %d lines, %s", args, width, lines, errs)
		}
		return lines
	}
	for _, width := range []int{0, 120} {
		wide(width, "help")
		for _, v := range verbs() {
			wide(width, "help", v.Name)
		}
		if n := wide(width, "list", "zab"); n > 100 {
			t.Errorf("the list of zab has %d lines", n)
		}
		for _, name := range []string{"raft", "ccf", "hashicorp-raft"} {
			wide(width, "list", name)
		}
		wide(width, "list", "raft", "election/baseline", "mistake", "LeaderCompleteness")
	}
}

// TestHelpKeepsCommands: no line of help ends within a command, or between a flag and the name in
// capitals that stands for its value.
func TestHelpKeepsCommands(t *testing.T) {
	t.Parallel()
	for _, v := range verbs() {
		whole, _ := ran(t, 10000, "", "help", v.Name)
		for _, width := range []int{0, 80} {
			out, _ := ran(t, width, "", "help", v.Name)
			if broken := brokenCommands(whole, out); len(broken) > 0 {
				t.Errorf("help %s on %d columns breaks %q", v.Name, width, broken)
			}
		}
	}
	if broken := brokenCommands("To see it, multigrain show TRACE prints it.", "To see it, multigrain\nshow TRACE prints it."); len(broken) != 1 {
		t.Errorf("a command on two lines is not seen: %q", broken)
	}
	if broken := brokenCommands("To see it, multigrain show TRACE prints it.", "To see it,\nmultigrain show TRACE prints it."); len(broken) != 0 {
		t.Errorf("a command on one line is reported: %q", broken)
	}
}

var commandInHelp = regexp.MustCompile(`(?:^|[^./\w-])(multigrain [a-z]+(?: -[a-z-]+| [A-Z]+\b)*|-[a-z][a-z-]* [A-Z]{2,}\b)`)

// brokenCommands returns the commands of a text that the same text in lines does not have whole.
func brokenCommands(whole, lines string) (broken []string) {
	for _, m := range commandInHelp.FindAllStringSubmatch(whole, -1) {
		if c := m[1]; strings.Count(whole, c) != strings.Count(lines, c) && !slices.Contains(broken, c) {
			broken = append(broken, c)
		}
	}
	return broken
}
