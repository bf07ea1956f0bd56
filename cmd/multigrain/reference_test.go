package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
)

var updateReference = flag.Bool("reference", false, "write "+commandReference)

const commandReference = "../../docs/reference/commands.md"

// TestCommandReference compares docs/reference/commands.md with the verbs and their flags.
//
//	go test ./cmd/multigrain -run TestCommandReference -reference    writes it
func TestCommandReference(t *testing.T) {
	var want strings.Builder
	want.WriteString("# Command line\n\nMade from the help of the command, which `multigrain help VERB` prints. A test compares both.\n" +
		"[Verdicts](verdicts.md) has the exit codes.\n")
	for _, v := range verbs() {
		var out bytes.Buffer
		a := &command.App{Verbs: verbs(), In: strings.NewReader(""), Out: &out, Err: &out}
		if code := a.Run([]string{"help", v.Name}); code != 0 {
			t.Fatalf("help %s: exit code %d\n%s", v.Name, code, out.String())
		}
		want.WriteString(referenceOf(t, v.Name, out.String()))
	}
	if *updateReference {
		if err := os.WriteFile(commandReference, []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(commandReference)
	if err != nil || string(have) != want.String() {
		t.Errorf("%s is not what the verbs say: run go test ./cmd/multigrain -run TestCommandReference -reference (%v)", commandReference, err)
	}
}

// referenceOf returns the section of a verb, made from its help: paragraphs are wrapped, and flags
// become a table.
func referenceOf(t *testing.T, verb, help string) string {
	t.Helper()
	about, flags, found := strings.Cut(help, "\nFlags:\n")
	if !found {
		t.Fatalf("the help of %s has no flags:\n%s", verb, help)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "\n## %s\n", verb)
	usage, about, _ := strings.Cut(about, "\n")
	fmt.Fprintf(&out, "\n    %s\n", strings.TrimPrefix(usage, "Usage: "))
	for part := range strings.SplitSeq(strings.Trim(about, "\n"), "\n\n") {
		if part = strings.Trim(part, "\n"); !strings.HasPrefix(part, "    ") {
			part = text.Wrap(strings.Join(strings.Fields(part), " "), 0)
		}
		out.WriteString("\n" + part + "\n")
	}
	out.WriteString("\n| flag | meaning |\n|---|---|\n")
	name := ""
	for line := range strings.Lines(flags) {
		switch line = strings.TrimRight(line, "\n"); {
		case strings.HasPrefix(line, "   "):
			fmt.Fprintf(&out, "| `%s` | %s |\n", strings.ReplaceAll(name, "|", "\\|"), strings.ReplaceAll(strings.TrimSpace(line), "|", "\\|"))
		default:
			name = strings.TrimSpace(line)
		}
	}
	return out.String()
}
