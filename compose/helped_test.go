package compose

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose/internal/assemble"
)

// TestImportedConstants: a state shows the constants of an imported package by name, as those of
// the specification's own package, whether or not the program has an engine.
func TestImportedConstants(t *testing.T) {
	t.Parallel()
	c, program := mustAssemble(t, "testdata/helped/helped.hcl")
	if got := c.Catalog.Enums["github.com/multigrain/multigrain/compose/testdata/helped/light.Colour"][1]; got != "GREEN" {
		t.Errorf("the catalog has %q for colour 1: %v", got, c.Catalog.Enums)
	}
	instrumented, diags := c.assemble(t.Context(), assemble.Program{Verbs: []assemble.Verb{assemble.Check}, Notes: assemble.Conditions}, "instrumented")
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, program := range []string{program, instrumented} {
		r := run(t, c, program, wire.Options{Stop: 1})
		if len(r.Violations) != 1 {
			t.Fatalf("%s, violations %v", r.Verdict, r.Violations)
		}
		trace, err := json.Marshal(r.Violations[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"GREEN"`, `"RED"`, `"EAST"`} {
			if !strings.Contains(string(trace), want) {
				t.Errorf("the trace lacks %s: %s", want, trace)
			}
		}
	}
}
