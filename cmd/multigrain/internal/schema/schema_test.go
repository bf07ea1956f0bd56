package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/schema"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/schematest"
)

// TestPublished makes the schema again, and compares it with the published one.
func TestPublished(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..", "..")
	comments, err := schema.Comments(root)
	if err != nil {
		t.Fatal(err)
	}
	published, err := os.ReadFile(filepath.Join(root, "docs", "reference", "result.schema.json"))
	if err != nil || !bytes.Equal(published, schema.Of(comments)) {
		t.Errorf("docs/reference/result.schema.json is not what the types say (%v): run go generate ./cmd/multigrain/internal/schema", err)
	}
	published, err = os.ReadFile(filepath.Join(root, "docs", "reference", "driver.schema.json"))
	if err != nil || !bytes.Equal(published, schema.Driver(comments)) {
		t.Errorf("docs/reference/driver.schema.json is not what the types say (%v): run go generate ./cmd/multigrain/internal/schema", err)
	}
	if len(comments) < 100 {
		t.Errorf("%d comments", len(comments))
	}
}

// encoded returns a document of a verb as -json prints it.
func encoded(verb string, fill func(*result.Document)) string {
	var d result.Document
	d.Start(verb)
	fill(&d)
	var b strings.Builder
	d.Write(&b)
	return b.String()
}

func explored(d *result.Document) {
	d.Exploration = &result.Exploration{Verdict: "holds", Actions: []result.Action{{Name: "A", Module: "m"}}, Violations: []result.Violation{}}
}

// TestAccepted checks documents that verbs make against the schema.
func TestAccepted(t *testing.T) {
	t.Parallel()
	nothing := func(*result.Document) {}
	for _, v := range append(schema.Verbs(), "tap", "", "chek") {
		if err := schematest.Check([]byte(encoded(v, nothing))); err != nil {
			t.Errorf("verb %q: %v", v, err)
		}
	}
	checked := new(result.Document)
	checked.Start("check")
	explored(checked)
	valid := true
	for verb, fill := range map[string]func(*result.Document){
		"check":    explored,
		"validate": func(d *result.Document) { d.Valid = &valid },
		"test": func(d *result.Document) {
			d.Tests = []result.Test{{Manifest: "m.hcl", Differences: []string{}, Result: checked}}
		},
		"trace": func(d *result.Document) {
			explored(d)
			d.Validation = &result.Validation{Validation: &wire.Validation{Actions: map[string]int{"A": 1}}, Last: []result.LoggedStep{{Call: "A()"}}}
		},
	} {
		if err := schematest.Check([]byte(encoded(verb, fill))); err != nil {
			t.Errorf("verb %s: %v", verb, err)
		}
	}
}

// TestRefused: the schema fails on what documents never hold.
func TestRefused(t *testing.T) {
	t.Parallel()
	good := encoded("check", explored)
	for name, text := range map[string]string{
		"no JSON":                 "x",
		"no verb":                 `{"format_version": "1", "diagnostics": []}`,
		"another format":          strings.Replace(good, `"format_version": "1"`, `"format_version": "2"`, 1),
		"an unknown field":        strings.Replace(good, `"verb"`, `"colour": "red", "verb"`, 1),
		"an unknown field inside": strings.Replace(good, `"module": "m"`, `"module": "m", "modul": "m"`, 1),
		"a wrong type":            strings.Replace(good, `"distinct": 0`, `"distinct": "0"`, 1),
		"a missing field":         strings.Replace(good, `"module": "m",`, ``, 1),
		"an unknown verdict":      strings.Replace(good, `"holds"`, `"held"`, 1),
		"half an exploration":     `{"format_version": "1", "verb": "check", "diagnostics": [], "verdict": "holds"}`,
		"a field of another verb": encoded("check", func(d *result.Document) { d.Usage = "x" }),
		"a result of no verb":     encoded("chek", explored),
	} {
		if text == good {
			t.Errorf("%s: the document is as before", name)
		}
		if schematest.Check([]byte(text)) == nil {
			t.Errorf("%s passes:\n%s", name, text)
		}
	}
}

// TestEveryField: the schema knows every field of a document by the name that encoding/json gives
// it.
func TestEveryField(t *testing.T) {
	t.Parallel()
	var names map[string]json.RawMessage
	if err := json.Unmarshal([]byte(encoded("check", explored)), &names); err != nil {
		t.Fatal(err)
	}
	var whole struct {
		Defs map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	if err := json.Unmarshal(schema.Of(nil), &whole); err != nil {
		t.Fatal(err)
	}
	for name := range names {
		if whole.Defs["fields"].Properties[name] == nil {
			t.Errorf("no field %s", name)
		}
	}
}
