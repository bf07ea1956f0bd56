package configs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// TestReference compares docs/reference/manifest.md with the schema: each block has a heading, each
// attribute a row in the table below it and a place in an example, and each example loads.
func TestReference(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/reference/manifest.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, examples := readReference(string(text))
	shown := map[string]bool{}
	for _, example := range examples {
		noteShown(loadExample(t, example), "", shown)
	}
	var compare func(path string, s *schema)
	compare = func(path string, s *schema) {
		title := strings.TrimPrefix(path, " / ")
		if title == "" {
			title = "Top level"
		}
		have, found := rows[title]
		if !found {
			t.Errorf("block %s has no heading", title)
		}
		if want := slices.Sorted(slices.Values(s.attrs)); !slices.Equal(slices.Sorted(slices.Values(have)), want) {
			t.Errorf("%s: the table has the attributes %q, want %q", title, have, want)
		}
		delete(rows, title)
		for _, name := range s.attrs {
			if !shown[path+" / "+name] {
				t.Errorf("%s: no example has the attribute %s", title, name)
			}
		}
		if path != "" && !shown[path] {
			t.Errorf("%s: no example has the block", title)
		}
		for name, inner := range s.blocks {
			compare(path+" / "+name, inner)
		}
	}
	compare("", manifestSchema)
	for title := range rows {
		t.Errorf("heading %q stands for no block", title)
	}
}

// readReference returns the attributes in the table below each heading, and the examples.
func readReference(text string) (rows map[string][]string, examples []string) {
	attribute := regexp.MustCompile("^\\| `([a-z_]+)` \\|")
	rows = map[string][]string{}
	heading, fence := "", false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "```"):
			if fence = !fence; fence {
				examples = append(examples, "")
			}
		case fence:
			examples[len(examples)-1] += line
		case strings.HasPrefix(line, "## "), strings.HasPrefix(line, "### "):
			heading = strings.TrimSpace(strings.TrimLeft(line, "#"))
			rows[heading] = nil
		default:
			if m := attribute.FindStringSubmatch(line); m != nil {
				rows[heading] = append(rows[heading], m[1])
			}
		}
	}
	return rows, examples
}

// loadExample loads an example as a whole manifest, which gets a system and a module where it has
// none, and returns it with its blocks.
func loadExample(t *testing.T, text string) *block {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("base.hcl", "system \"zab\" {\n  source = \"../zab\"\n}\n")
	path := write("example.hcl", text)
	if !strings.Contains(text, "system \"") && !strings.Contains(text, "extends = ") {
		path = write("example.hcl", "extends = \"base.hcl\"\n"+text)
	}
	if _, diags := Load(path, Options{}); diags.HasErrors() {
		t.Errorf("%v\n%s", diags, text)
	}
	file, diags := hclsyntax.ParseConfig([]byte(text), path, hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	root := &block{schema: manifestSchema}
	if diags := root.readBody(file.Body.(*hclsyntax.Body)); diags.HasErrors() {
		t.Error(diags)
	}
	return root
}

// noteShown notes the blocks and attributes of an example.
func noteShown(b *block, path string, shown map[string]bool) {
	for name := range b.attrs {
		shown[path+" / "+name] = true
	}
	for _, inner := range b.blocks {
		shown[path+" / "+inner.kind] = true
		noteShown(inner, path+" / "+inner.kind, shown)
	}
}
