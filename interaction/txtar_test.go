package interaction

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/txtar"

	"github.com/multigrain/multigrain/grains"
)

var update = flag.Bool("update", false, "write what the analysis reports into the WANT sections of testdata/report")

// TestReports runs the archives of testdata/report. The comment of an archive says in plain English
// what the report shows. Its file spec.go is a specification, the section CHOICE names the
// composition, in lines:
//
//	grains     the chosen grains, as module/grain
//	targets    the modules under test
//	invariants the selected invariants
//
// The section WANT is the report. To add a case, write an archive without WANT and run the test
// with -update.
func TestReports(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/report/*.txtar")
	if err != nil || len(files) < 12 {
		t.Fatalf("found only %d archives: %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(strings.TrimSpace(string(ar.Comment))) == 0 {
				t.Error("the archive has no comment: say what its report shows")
			}
			got := runArchive(t, name, ar)
			want := section(ar, "WANT")
			switch {
			case got == string(want.Data):
			case *update:
				want.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("the report differs:\n%s\nthe section as it would be:\n-- WANT --\n%s",
					udiff.Unified(file, "report", string(want.Data), got), got)
			}
		})
	}
}

// section finds a section of an archive and adds it if it is missing.
func section(ar *txtar.Archive, name string) *txtar.File {
	for k := range ar.Files {
		if ar.Files[k].Name == name {
			return &ar.Files[k]
		}
	}
	ar.Files = append(ar.Files, txtar.File{Name: name})
	return &ar.Files[len(ar.Files)-1]
}

// runArchive analyses the specification of an archive and writes the report.
func runArchive(t *testing.T, name string, ar *txtar.Archive) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("testdata", "report", name))
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string][]byte{}
	var c grains.Choice
	var targets []string
	for _, f := range ar.Files {
		switch {
		case strings.HasSuffix(f.Name, ".go"):
			overlay[filepath.Join(dir, f.Name)] = f.Data
		case f.Name == "CHOICE":
			c, targets = parseChoice(t, string(f.Data))
		}
	}
	p, findings, err := Load(Config{Dir: ".", Package: "./testdata/report/" + name, Overlay: overlay})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if p != nil {
		var rep *Report
		if rep, findings = p.Analyze(c, targets); rep != nil {
			writeReport(&b, rep)
		}
	}
	for _, f := range findings {
		writeFinding(&b, f)
	}
	return b.String()
}

func parseChoice(t *testing.T, text string) (c grains.Choice, targets []string) {
	t.Helper()
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "grains":
			c.Grains = choice(strings.Join(words[1:], " ")).Grains
		case "targets":
			targets = words[1:]
		case "invariants":
			c.Invariants = words[1:]
		default:
			t.Fatalf("CHOICE has the line %q: write grains, targets or invariants", line)
		}
	}
	return c, targets
}

// writeReport writes a report: what the modules depend on, what must be kept and why, and the
// coarse grains with findings.
func writeReport(b *strings.Builder, rep *Report) {
	fmt.Fprintf(b, "verdict %s\n", rep.Verdict)
	for _, m := range rep.Modules {
		fmt.Fprintf(b, "D(%s) = %s\n", m.Name, strings.Join(m.Dependency, " "))
	}
	var interaction []string
	for _, v := range rep.Variables {
		if v.Interaction {
			interaction = append(interaction, v.Name)
		}
	}
	fmt.Fprintf(b, "I = %s\n", orNothing(interaction))
	for _, v := range rep.Variables {
		for k, step := range v.Why {
			lead := strings.Repeat("  ", k) + "keep " + v.Name
			if k > 0 {
				lead = strings.Repeat("  ", k) + "since"
			}
			fmt.Fprintf(b, "%s: %s: %s\n", lead, short(step.Place), step.Text)
		}
	}
	for _, g := range rep.Grains {
		fmt.Fprintf(b, "grain %s/%s for %s: %s\n", g.Module, g.Grain, strings.Join(g.Coarsens, " "), g.Verdict)
		fmt.Fprintf(b, "  keeps %s\n  drops %s\n", orNothing(g.Keeps), orNothing(g.Drops))
		for _, f := range g.Findings {
			writeFinding(b, f)
		}
	}
	if len(rep.Never) > 0 {
		fmt.Fprintf(b, "never enabled: %s\n", strings.Join(rep.Never, " "))
	}
}

// orNothing writes a list of names.
func orNothing(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, " ")
}

func writeFinding(b *strings.Builder, f Finding) {
	fmt.Fprintf(b, "%s: %s %s %s\n  %s\n", short(f.Place), f.Severity, f.Code, f.Kind, f.Message)
	if f.Remedy != "" {
		fmt.Fprintf(b, "  remedy: %s\n", f.Remedy)
	}
	for _, r := range f.Related {
		fmt.Fprintf(b, "  %s: %s\n", short(r.Place), r.Message)
	}
}
