package diagnostics

import (
	"bytes"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/junit"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/sarif"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

// rangeOf returns the range of a part of a text that is in one line.
func rangeOf(name, src, part string) hcl.Range {
	at := strings.Index(src, part)
	pos := func(b int) hcl.Pos {
		return hcl.Pos{Line: 1 + strings.Count(src[:b], "\n"), Column: 1 + len([]rune(src[strings.LastIndex(src[:b], "\n")+1:b])), Byte: b}
	}
	return hcl.Range{Filename: name, Start: pos(at), End: pos(at + len(part))}
}

// formats writes diagnostics in each format.
func formats(diags []result.Diagnostic) map[string]string {
	d := &result.Document{}
	d.Start("validate")
	empty := len(written(d))
	d.Diagnostics = diags
	shown := text.Diagnostics{}.All(diags)
	var out bytes.Buffer
	w := terminal.Writer{To: &out}
	fmt.Fprint(&w, shown)
	terminal := out.String()
	out.Reset()
	w.To = &out
	fmt.Fprint(&w, written(d))
	return map[string]string{
		"text": terminal, "JSON": written(d)[min(empty, len(written(d))):], "JSON on a terminal": out.String()[min(empty, out.Len()):],
		"SARIF": string(sarif.Of(d, sarif.Info{})), "JUnit": string(junit.OfCheck(d)), "HTML": template.HTMLEscapeString(shown),
	}
}

func written(d *result.Document) string {
	var b bytes.Buffer
	d.Write(&b)
	return b.String()
}

// TestLargeDiagnostic: a diagnostic takes at most 8 KiB in each format, whatever is long in it and
// whatever characters are in it. SARIF and JUnit have a frame of at most 1 KiB.
func TestLargeDiagnostic(t *testing.T) {
	t.Parallel()
	for _, c := range []string{"x", "<", "&", "\"", "\x1b", "\u202e", "\x00", "\t", "\xff", "é", "漢", "😀", "\u2028", "\\"} {
		long := strings.Repeat(c, 300_000)
		src := "a\n" + long + "HERE" + long + "\n" + long + "\n" + long + "\n" + long + "\n" + long + "\n"
		at := rangeOf(long, src, "HERE")
		at.End = hcl.Pos{Line: 6, Column: 2, Byte: len(src)}
		d := configs.Errorf("MG014", long, at, "%s", long)
		for range 50 {
			configs.WithRelated(d, at, "%s", long)
		}
		all := All(hcl.Diagnostics{d}, map[string]*hcl.File{long: {Bytes: []byte(src)}})
		if x := all[0].Excerpt; len(x) != result.MaxExcerpt || !strings.Contains(x[0], "HERE") || !strings.HasPrefix(x[0], sign) || !strings.HasSuffix(x[0], sign) {
			t.Errorf("%q: the excerpt is %q", c, x)
		}
		for format, shown := range formats(all) {
			if limit := 8<<10 + 1<<10; len(shown) > limit || (format == "text" || format == "HTML") && len(shown) > 8<<10 {
				t.Errorf("%q as %s: %d bytes", c, format, len(shown))
			}
		}
	}
}

// TestPlainDiagnostic: what has the usual length is shown whole.
func TestPlainDiagnostic(t *testing.T) {
	t.Parallel()
	line := `  invariants = ["` + strings.Repeat(`Some", "`, 20) + "last\"]\t# é"
	src := "check {\n" + line + "\n}\n"
	d := All(hcl.Diagnostics{configs.Errorf("MG014", "Unknown name", rangeOf("m.hcl", src, "last"), "%s", strings.Repeat("word ", 100))},
		map[string]*hcl.File{"m.hcl": {Bytes: []byte(src)}})[0]
	if want := strings.ReplaceAll(line, "\t", "    "); len(d.Excerpt) != 1 || d.Excerpt[0] != want || len(d.Detail) != 500 {
		t.Errorf("%+v", d)
	}
}

// TestManyDiagnostics: of many mistakes the first are shown, and the first of each code, so that
// the exit code does not change. The others are counted.
func TestManyDiagnostics(t *testing.T) {
	t.Parallel()
	var diags hcl.Diagnostics
	for k := range 10_000 {
		diags = append(diags, configs.Errorf("MG014", "Unknown name", hcl.Range{}, "number %d", k))
	}
	diags = append(diags, configs.Warnf("MG117", "No effect", hcl.Range{}, "first"), configs.Warnf("MG117", "No effect", hcl.Range{}, "second"),
		configs.Errorf("MG301", "No Go", hcl.Range{}, "last"))
	all := All(diags, nil)
	if len(all) != Most+2 || all[Most].Code != "MG117" || all[Most+1].Code != "MG301" {
		t.Fatalf("%d are shown, the last %+v", len(all), all[len(all)-1])
	}
	if want := "9900 errors and 1 warning"; !strings.Contains(strings.ReplaceAll(all[Most+1].Detail, ",", ""), want) {
		t.Errorf("%q does not count %s", all[Most+1].Detail, want)
	}
}

// TestForeignLines: a position in Go code names any file that a comment gives (//line). Only Go
// files are read for an excerpt, and no links.
func TestForeignLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	code, secret, link := filepath.Join(dir, "a.go"), filepath.Join(dir, "shadow"), filepath.Join(dir, "b.go")
	for _, name := range []string{code, secret} {
		if err := os.WriteFile(name, []byte("package a\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, link); err != nil {
		t.Skip(err)
	}
	for name, lines := range map[string]int{code: 1, secret: 0, link: 0} {
		at := hcl.Range{Filename: name, Start: hcl.Pos{Line: 1, Column: 1}, End: hcl.Pos{Line: 1, Column: 8}}
		if d := All(hcl.Diagnostics{configs.Errorf("MG401", "Wrong", at, "it is")}, nil)[0]; len(d.Excerpt) != lines {
			t.Errorf("%s: %q", name, d.Excerpt)
		}
	}
}
