package configs

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestBombs: a few characters that stand for more than a machine has room for. All are refused
// before they are evaluated; without that the test does not end.
func TestBombs(t *testing.T) {
	t.Parallel()
	doubled := "l0 = \"0123456789\"\n"
	for k := range 60 {
		doubled += fmt.Sprintf("l%d = \"${local.l%d}${local.l%d}\"\n", k+1, k, k)
	}
	for name, locals := range map[string]string{
		"doubled":   doubled,
		"loops":     `x = [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : [for d in range(1000) : a]]]]`,
		"replace":   "a = join(\"\", [for x in range(1000) : \"0123456789\"])\nb = replace(replace(local.a, \"\", local.a), \"\", local.a)",
		"join":      "a = join(\"\", [for x in range(1000) : \"0123456789\"])\nb = join(local.a, [for x in range(1000) : local.a])",
		"width":     `x = format("%999999999d", 1)`,
		"precision": `x = format("%.999999999f", 1)`,
		"list":      `x = formatlist("%0999999999d", range(9))`,
		"exponent":  `x = "${1e99999999}"`,
		"converted": `x = tostring(tonumber("1e99999999"))`,
		"implied":   `x = "${"1e99999999" + 0}"`,
		"composed":  `x = "${"1e${9}9999999" + 0}"`,
		"negated":   `x = "${-"1e${9}9999999"}"`,
		"splat":     "a = [for x in range(1000) : range(1000)]\nb = local.a[*][*]\nc = [for x in local.b : local.b]",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "bomb.hcl")
			text := "system \"s\" {\n  source = \"./s\"\n}\nmodule \"m\" {\n  grain = \"g\"\n}\nlocals {\n" + locals + "\n}\n"
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			_, diags := Load(path, Options{})
			if !diags.HasErrors() || CodeOf(diags[0]) != CodeEvaluation || diags[0].Subject == nil {
				t.Errorf("%v", diags)
			}
		})
	}
}

// TestDigestsLikeNumbers: a digest that reads as a number with a large exponent is a text. Where a
// number is asked for, it is refused.
func TestDigestsLikeNumbers(t *testing.T) {
	t.Parallel()
	const digest = "12345e7890000000000000000000000000000000"
	accept := "interaction {\n  accept {\n    action    = \"A\"\n    reason    = \"r\"\n    missed    = 1\n    views     = 2\n    digest    = \"" +
		digest + "\"\n    sequences = \"" + digest + "\"\n  }\n}\n"
	for text, refused := range map[string]bool{accept: false, "bounds {\n  servers = \"" + digest + "\"\n}\n": true} {
		path := filepath.Join(t.TempDir(), "digest.hcl")
		text = "system \"s\" {\n  source = \"./s\"\n}\nmodule \"m\" {\n  grain = \"g\"\n}\n" + text
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		m, diags := Load(path, Options{})
		if diags.HasErrors() != refused {
			t.Errorf("%s%v", text, diags)
		} else if !refused && m.Interaction.Accept[0].Sequences.Value != digest {
			t.Errorf("%q", m.Interaction.Accept[0].Sequences.Value)
		}
	}
}
