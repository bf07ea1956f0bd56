package configs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// small is the part of a manifest that every test of this file has.
const small = "system \"s\" {\n  source = \"./s\"\n}\nmodule \"m\" {\n  grain = \"g\"\n}\n"

// loadText loads a manifest that has also what is given.
func loadText(t *testing.T, text string) (*Manifest, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.hcl")
	if err := os.WriteFile(path, []byte(small+text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, diags := Load(path, Options{})
	var b strings.Builder
	for _, d := range diags {
		fmt.Fprintf(&b, "%s: %s [%s]\n", d.Summary, d.Detail, CodeOf(d))
	}
	return m, b.String()
}

// chain returns locals. Each refers to the one before.
func chain(n int) string {
	var b strings.Builder
	b.WriteString("locals {\n  l0 = 1\n")
	for k := 1; k < n; k++ {
		fmt.Fprintf(&b, "  l%d = local.l%d + 1\n", k, k-1)
	}
	fmt.Fprintf(&b, "}\nbounds {\n  n = local.l%d\n}\n", n-1)
	return b.String()
}

// TestChainOfLocals: the allocations for a chain of locals grow in proportion to its length. They
// grew with the square when each reference listed all names.
func TestChainOfLocals(t *testing.T) {
	cost := func(n int) float64 {
		text := chain(n)
		if m, wrong := loadText(t, text); wrong != "" || len(m.Bounds) != 1 {
			t.Fatalf("a chain of %d: %s", n, wrong)
		}
		return float64(testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				loadText(t, text)
			}
		}).AllocedBytesPerOp())
	}
	if once, eight := cost(250), cost(2000); eight > 16*once {
		t.Errorf("250 locals take %.0f bytes, 2000 take %.0f", once, eight)
	}
}

// TestWork: many small expressions are bounded together, and so are the parts of formulas after
// names of let are replaced.
func TestWork(t *testing.T) {
	t.Parallel()
	loops := "locals {\n  a = [for x in range(100) : [for y in range(100) : y]]\n"
	for k := range 100 {
		loops += fmt.Sprintf("  b%d = length(local.a)\n", k)
	}
	nested := "locals {\n  l0 = []\n"
	for k := 1; k < 3500; k++ {
		nested += fmt.Sprintf("  l%d = [local.l%d]\n", k, k-1)
	}
	let := "trace {\n  format = \"ndjson\"\n  let {\n    a0 = x\n"
	for k := 1; k < 19; k++ {
		let += fmt.Sprintf("    a%d = a%d && a%d && a%d && a%d\n", k, k-1, k-1, k-1, k-1)
	}
	let += "  }\n  event \"E\" {\n    action = [\"A\"]\n    check  = [a18]\n  }\n}\n"
	for name, c := range map[string]struct{ text, want string }{
		"many loops": {loops + "}\n", "Evaluation too long"},
		"nested":     {nested + "}\n", "Evaluation too long"},
		"let":        {let, "Formula too long"},
		"long list":  {"check {\n  invariants = [" + strings.Repeat("\"I\",", 30_000) + "]\n}\n", "Value too large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, wrong := loadText(t, c.text); !strings.Contains(wrong, c.want) || !strings.Contains(wrong, "[MG013]") {
				t.Errorf("%.2000s", wrong)
			}
		})
	}
}

// TestLargeChain: files that are small each can be too large together.
func TestLargeChain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for k := range 6 {
		text := "# " + strings.Repeat("x", 200<<10) + "\n"
		if k < 5 {
			text = fmt.Sprintf("extends = \"m%d.hcl\"\n", k+1) + text
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("m%d.hcl", k)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, diags := Load(filepath.Join(dir, "m0.hcl"), Options{})
	if !diags.HasErrors() || CodeOf(diags[0]) != CodeUnreadable || !strings.Contains(diags[0].Detail, "together") {
		t.Errorf("%v", diags)
	}
}
