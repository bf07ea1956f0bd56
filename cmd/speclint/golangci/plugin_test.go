package golangci

import (
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// specs are specifications with known findings, which the tests of package vettest use too.
const specs = "../../../interaction/vettest/testdata/"

// TestPlugin does with the plugin what golangci-lint does: it looks it up by name, makes it from
// settings, and runs its analyzers on packages with types.
func TestPlugin(t *testing.T) {
	t.Parallel()
	make, err := register.GetPlugin("speclint")
	if err != nil {
		t.Fatal(err)
	}
	p, err := make(nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.GetLoadMode() != register.LoadModeTypesInfo {
		t.Errorf("load mode %q: the analyzer needs types", p.GetLoadMode())
	}
	analyzers, err := p.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spec string
		want []string // codes
	}{
		{"good", nil},
		{"bad", []string{"MG401", "MG421"}},
		{"plain", nil},
	} {
		pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, specs+c.spec)
		if err != nil {
			t.Fatal(err)
		}
		graph, err := checker.Analyze(analyzers, pkgs, nil)
		if err != nil {
			t.Fatal(err)
		}
		var codes []string
		for action := range graph.All() {
			for _, d := range action.Diagnostics {
				codes = append(codes, d.Category)
			}
		}
		slices.Sort(codes)
		if codes = slices.Compact(codes); !slices.Equal(codes, c.want) {
			t.Errorf("%s: found %v, want %v", c.spec, codes, c.want)
		}
	}
}

// TestSettings: there are none, and settings of golangci-lint's users are an error.
func TestSettings(t *testing.T) {
	t.Parallel()
	if _, err := New(map[string]any{}); err != nil {
		t.Error(err)
	}
	if _, err := New(map[string]any{"strict": true}); err == nil || !strings.Contains(err.Error(), "speclint has no settings") {
		t.Errorf("a setting is accepted: %v", err)
	}
}
