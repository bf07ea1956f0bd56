package configs

import (
	"io/fs"
	"strings"
	"testing"
)

// variablesManifest declares one variable of each sort of type.
const variablesManifest = `
system "zab" {
  source = "."
}
variable "servers" {
  type    = number
  default = 3
  validation {
    condition     = var.servers < 10
    error_message = "At most nine servers."
  }
}
variable "variant" {
  type    = string
  default = "v1"
}
variable "untyped" {
  default = null
}
variable "inferred" {
  default = 1
}
variable "sizes" {
  type    = list(number)
  default = []
}
variable "shape" {
  default = [1]
}
`

// memory returns a ReadFile over the given contents.
func memory(files map[string]string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
}

func TestAssign(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"m.hcl":        variablesManifest,
		"nothing.hcl":  "system \"zab\" {\n  source = \".\"\n}\n",
		"needs.hcl":    "system \"zab\" {\n  source = \".\"\n}\nvariable \"needed\" {}\n",
		"four.hcl":     "servers = 4\n",
		"five.json":    `{"servers": 5, "sizes": [1, 2]}`,
		"wrong.hcl":    "server = 4\nservers = \"x\"\nb {}\nsizes = [servers]\n",
		"broken.hcl":   "servers = = 4\n",
		"broken.json":  `{"servers": `,
		"latin1.hcl":   "# \xe9\nservers = 4\n",
		"relative.hcl": "servers = var.servers\n",
	}
	v := func(s string) Assignment { return Assignment{Var: s} }
	f := func(s string) Assignment { return Assignment{File: s} }
	tests := []struct {
		name     string
		manifest string // m.hcl if empty
		env      []string
		assign   []Assignment
		want     map[string]string // values by variable
		from     map[string]string // where the values stand
		errors   []string          // code, a blank, and part of the message
	}{
		{name: "defaults", want: map[string]string{"servers": "number 3", "variant": `string "v1"`, "inferred": "number 1"}},
		{
			name: "the environment overrides the default", env: []string{"MULTIGRAIN_VAR_servers=7", "HOME=/", "MULTIGRAIN_VAR_other=1"},
			want: map[string]string{"servers": "number 7"}, from: map[string]string{"servers": "MULTIGRAIN_VAR_servers:1,1-2"},
		},
		{
			name: "a file overrides the environment", env: []string{"MULTIGRAIN_VAR_servers=7"}, assign: []Assignment{f("four.hcl")},
			want: map[string]string{"servers": "number 4"}, from: map[string]string{"servers": "four.hcl:1,11-12"},
		},
		{
			name: "the later option wins: -var after file", assign: []Assignment{f("four.hcl"), v("servers=6")},
			want: map[string]string{"servers": "number 6"}, from: map[string]string{"servers": "-var servers:1,9-10"},
		},
		{name: "the later option wins: file after -var", assign: []Assignment{v("servers=6"), f("four.hcl")}, want: map[string]string{"servers": "number 4"}},
		{name: "the later option wins: -var twice", assign: []Assignment{v("servers=6"), v("servers=8")}, want: map[string]string{"servers": "number 8"}},
		{name: "a bad value that is overridden does not matter", assign: []Assignment{v("servers=x"), v("servers=8")}, want: map[string]string{"servers": "number 8"}},
		{name: "JSON files", assign: []Assignment{f("five.json")}, want: map[string]string{"servers": "number 5", "sizes": "list of number [1,2]"}},
		{name: "text is literal", assign: []Assignment{v(`variant=a = "b" ${c}`)}, want: map[string]string{"variant": `string "a = \"b\" ${c}"`}},
		{name: "text may be empty", assign: []Assignment{v("variant=")}, want: map[string]string{"variant": `string ""`}},
		{name: "untyped is text", assign: []Assignment{v("untyped=3")}, want: map[string]string{"untyped": `string "3"`}},
		{name: "the type of a default counts", assign: []Assignment{v("inferred=3")}, want: map[string]string{"inferred": "number 3"}},
		{name: "expressions", assign: []Assignment{v("sizes=[1, 2 + 3]"), v(`shape={ a = "x" }`)}, want: map[string]string{
			"sizes": "list of number [1,5]", "shape": `object {"a":"x"}`,
		}},
		{name: "number in quotes", assign: []Assignment{v(`servers="4"`)}, want: map[string]string{"servers": "number 4"}},
		{name: "undeclared", assign: []Assignment{v("sevrers=4"), v("sevrers=4")}, errors: []string{
			`MG021 variable "sevrers", which the manifest does not declare. Did you mean "servers"?`, "MG021 sevrers",
		}},
		{name: "undeclared where there are none", manifest: "nothing.hcl", assign: []Assignment{v("servers=4")}, errors: []string{"MG021 no variables at all"}},
		{name: "case matters", assign: []Assignment{v("Servers=4")}, errors: []string{`MG021 Did you mean "servers"?`}},
		{name: "no equals sign", assign: []Assignment{v("servers"), v("=3"), v("")}, errors: []string{
			"MG025 an equals sign between them", "MG025 =3", "MG025 name and a value",
		}},
		{name: "not of the type", assign: []Assignment{v("servers=true"), v(`sizes=["a"]`)}, errors: []string{
			`MG022 Variable "servers" is declared as number`, `MG022 "sizes" is declared as list(number): at [0], a number is required`,
		}},
		{name: "not an expression", assign: []Assignment{v("servers=3 3"), v("sizes=[")}, errors: []string{"MG022 Extra characters", "MG022 Missing"}},
		{name: "a bare word", assign: []Assignment{v("servers=three"), v("sizes=[var.servers]")}, errors: []string{"MG022 is a number, and three is none", "MG022 must not refer"}},
		{name: "a function", assign: []Assignment{v("servers=min(1, 2)")}, errors: []string{"MG022 Function calls not allowed"}},
		{name: "nested too deep", assign: []Assignment{v("servers=" + strings.Repeat("(", 1000))}, errors: []string{"MG022 nested too deep"}},
		{name: "validation", env: []string{"MULTIGRAIN_VAR_servers=12"}, errors: []string{`MG024 Variable "servers": At most nine servers.`}},
		{name: "several mistakes in a file", assign: []Assignment{f("wrong.hcl")}, errors: []string{
			"MG004 A file of values has no blocks", `MG021 Did you mean "servers"?`, "MG022 a number is required", "MG022 must not refer",
		}},
		{name: "unreadable file", assign: []Assignment{f("none.hcl")}, errors: []string{"MG001 none.hcl does not exist"}},
		{name: "what an unreadable file may give", manifest: "needs.hcl", assign: []Assignment{f("none.hcl")}, errors: []string{"MG001 none.hcl"}},
		{name: "no value", manifest: "needs.hcl", errors: []string{"MG023 -var needed=..."}},
		{name: "not UTF-8", assign: []Assignment{f("latin1.hcl")}, errors: []string{"MG002 0xe9"}},
		{name: "syntax", assign: []Assignment{f("broken.hcl")}, errors: []string{"MG003 Invalid expression"}},
		{name: "JSON syntax", assign: []Assignment{f("broken.json")}, errors: []string{"MG003 Root value", "MG003 Missing value", "MG003 Unclosed object"}},
		{name: "values are constants", assign: []Assignment{f("relative.hcl")}, errors: []string{"MG022 must not refer to anything"}},
		{name: "bytes that are not UTF-8", env: []string{"MULTIGRAIN_VAR_servers=\xff"}, assign: []Assignment{v("\xff=\xfe"), v("\xfd")}, errors: []string{
			"MG022 Invalid character", "MG022 Invalid expression", "MG021 variable", "MG025 equals sign",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.manifest == "" {
				test.manifest = "m.hcl"
			}
			m, diags := Load(test.manifest, Options{Assignments: test.assign, Environ: test.env, ReadFile: memory(files)})
			wanted := append([]string{}, test.errors...)
		found:
			for _, d := range diags {
				checkForm(t, d, m)
				for i, w := range wanted {
					code, text, _ := strings.Cut(w, " ")
					if CodeOf(d) == Code(code) && strings.Contains(d.Summary+"; "+d.Detail, text) {
						wanted = append(wanted[:i], wanted[i+1:]...)
						continue found
					}
				}
				t.Errorf("unexpected: %s [%s]", d, CodeOf(d))
			}
			if len(wanted) > 0 {
				t.Errorf("missing: %q", wanted)
			}
			for _, v := range m.Variables {
				if want, ok := test.want[v.Name]; ok && show(v.Value) != want {
					t.Errorf("var.%s = %s, want %s", v.Name, show(v.Value), want)
				}
				if want, ok := test.from[v.Name]; ok && v.ValueRange.String() != want {
					t.Errorf("var.%s is from %s, want %s", v.Name, v.ValueRange, want)
				}
			}
		})
	}
}

// A bound that comes from a variable tells where the variable has its value from, so that a later
// error about the bound can name that place.
func TestOrigins(t *testing.T) {
	t.Parallel()
	src := variablesManifest + "bounds {\n  servers = var.servers + 1\n}\n"
	m, diags := Load("m.hcl", Options{
		Assignments: []Assignment{{Var: "servers=9"}},
		ReadFile:    memory(map[string]string{"m.hcl": src}),
	})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	s, ok := m.Bounds.Get("servers")
	if n, whole := s.Int(); !ok || !whole || n != 10 {
		t.Fatalf("bounds.servers = %d, %t, %t", n, whole, ok)
	}
	d := s.Errorf("MG100", "Bound out of range", "Found %d.", 10)
	if d.Subject.Start.Line != 31 || CodeOf(d) != "MG100" || d.Detail != "Found 10." {
		t.Errorf("diagnostic %s [%s]", d, CodeOf(d))
	}
	related := RelatedOf(d)
	if len(related) != 1 || related[0].At.String() != "-var servers:1,9-10" || related[0].Message != "var.servers has its value from here" {
		t.Errorf("related %v", related)
	}
}

// TestChanged: a variable whose given value is its default has not changed, whatever types the two
// were written with.
func TestChanged(t *testing.T) {
	t.Parallel()
	const text = `
system "counter" {
  source = "./spec"
}

variable "mode" {
  type    = string
  default = null
}

variable "size" {
  type    = number
  default = "3"
}

variable "names" {
  type    = list(string)
  default = ["a"]
}
`
	values := `
mode  = null
size  = 3
names = ["a"]
`
	for file, want := range map[string]bool{values: false, "mode = \"x\"\nsize = 4\nnames = []\n": true} {
		read := memory(map[string]string{"m.hcl": text, "v.hcl": file})
		m, diags := Load("m.hcl", Options{Assignments: []Assignment{{File: "v.hcl"}}, ReadFile: read})
		if len(m.Variables) != 3 {
			t.Fatalf("%d variables: %v", len(m.Variables), diags)
		}
		for _, v := range m.Variables {
			if !v.Given || v.Changed() != want {
				t.Errorf("%s: given %v, changed %v, want %v", v.Name, v.Given, v.Changed(), want)
			}
		}
	}
}
