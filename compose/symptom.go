package compose

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// vocabulary is the constant in which an adapter lists the symptoms that it looks for. Each line
// has a word, the names of its settings in brackets, a colon, and what is seen.
//
//	const Symptoms = `
//	lost-write: a write that a client was told is done is at no server
//	log-line(text): a server has logged the text
//	`
const vocabulary = "Symptoms"

// words reads a vocabulary: the settings of each word.
func words(text string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(text) {
		head, _, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		word, settings, _ := strings.Cut(strings.TrimSuffix(head, ")"), "(")
		out[word] = strings.FieldsFunc(settings, func(r rune) bool { return r == ',' || r == ' ' })
	}
	return out
}

// symptoms compares the symptom blocks with the vocabulary of the adapter, and the constraints of
// implementation blocks with those that the grains offer.
func (r *resolver) symptoms() {
	_, offered := r.c.Offered()
	for _, impl := range r.m.Implementations {
		r.names(impl.Constraints, offered, CodeUnknownConstraint, "constraint")
		if len(impl.Symptoms) == 0 || !impl.Adapter.IsSet() {
			continue
		}
		text, diags := vocabularyOf(impl, r.c.source.Env)
		if r.diags = append(r.diags, diags...); diags.HasErrors() {
			continue
		}
		known := words(text)
		for _, s := range impl.Symptoms {
			r.symptom(impl, s, known)
		}
	}
}

// symptom checks the word and the settings of a block.
func (r *resolver) symptom(impl *configs.Implementation, s *configs.Symptom, known map[string][]string) {
	settings, ok := known[s.Word]
	if !ok {
		hint := configs.Hint(s.Word, slices.Sorted(maps.Keys(known)))
		if len(known) == 0 {
			hint = " It declares no constant " + vocabulary + ", so it has none."
		}
		r.report(configs.WithContext(configs.Errorf(CodeUnknownSymptom, "Unknown symptom", s.WordRange,
			"The adapter %s has no symptom %q.%s", impl.Adapter.Value, s.Word, hint), s.DeclRange))
		return
	}
	for _, x := range s.Settings {
		if !slices.Contains(settings, x.Name) {
			hint := configs.Hint(x.Name, settings)
			if len(settings) == 0 {
				hint = " It takes none."
			}
			r.report(configs.WithContext(configs.Errorf(CodeUnknownSymptom, "Unknown setting of a symptom", x.NameRange,
				"Symptom %q has no setting %q.%s", s.Word, x.Name, hint), x.Range))
		}
	}
	for _, name := range settings {
		if _, ok := s.Settings.Get(name); !ok {
			r.report(configs.Errorf(CodeUnknownSymptom, "Missing setting of a symptom", s.DeclRange,
				"Symptom %q needs the setting %q. Write %[2]s = ... in the block.", s.Word, name))
		}
	}
}

// vocabularyOf reads the constant Symptoms of an adapter; "" where it has none. An adapter that is
// a folder is read without the go command.
func vocabularyOf(impl *configs.Implementation, env Env) (string, hcl.Diagnostics) {
	if from := impl.Adapter.Value; gocmd.IsPath(from) {
		folder := filepath.FromSlash(from)
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(impl.Dir, folder)
		}
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			return "", hcl.Diagnostics{impl.Adapter.Errorf(CodeNoPackage, "Source not found",
				"%s has no Go files. Give the folder of the adapter's package, relative to this file, or its import path.", folder)}
		}
		return gocmd.Constant(files, vocabulary), nil
	}
	a, diags := gocmd.Open(impl.Dir, impl.Adapter.Value, impl.Adapter.Range, env)
	if diags.HasErrors() {
		return "", diags
	}
	return gocmd.Constant(a.Files(), vocabulary), diags
}

// AdapterPath returns the import path of an implementation's adapter.
func (c *Composition) AdapterPath(impl *configs.Implementation) (string, hcl.Diagnostics) {
	a, diags := gocmd.Open(impl.Dir, impl.Adapter.Value, impl.Adapter.Range, c.source.Env)
	if diags.HasErrors() {
		return "", diags
	}
	return a.Path, diags
}

// variantOption is the option of a specification whose values are versions of the implementation,
// as v3.8.0.
const variantOption = "variant"

// ForVersion returns the composition for a search of counterexamples that a version of the
// implementation can be brought to. The option variant has the value that the catalog states for
// the version, or else the nearest one, and the constraints of the implementation block are added.
// It returns the variant, "" where the specification has no such option. A version without a
// variant is an error.
func (c *Composition) ForVersion(impl *configs.Implementation) (*Composition, string, hcl.Diagnostics) {
	m := *c.Manifest
	check := *m.Check
	if impl.Constraints.IsSet() {
		if !check.Constraints.IsSet() {
			check.Constraints = impl.Constraints
		} else {
			check.Constraints.Value = slices.Concat(check.Constraints.Value, impl.Constraints.Value)
		}
	}
	m.Check = &check
	at := slices.IndexFunc(c.Catalog.Options, func(o grains.Option) bool { return o.Name == variantOption })
	variant := ""
	if at >= 0 {
		option := &c.Catalog.Options[at]
		values := option.Allowed()
		if variant = released(option, impl.Version.Value); variant == "" {
			return nil, "", hcl.Diagnostics{configs.Errorf(CodeVariant, "Version without a variant", impl.Version.ValueRange,
				"System %q has no variant for version %q of %s: a variant has the same first two numbers. The variants are %s.",
				c.Catalog.System, impl.Version.Value, impl.Name, strings.Join(values, ", "))}
		}
		s := configs.Setting{Name: variantOption, Attr: configs.Attr[cty.Value]{Value: cty.StringVal(variant)}}
		m.Options = append(slices.DeleteFunc(slices.Clone(m.Options), func(s configs.Setting) bool { return s.Name == variantOption }), s)
	}
	b := &Composition{Manifest: &m, Catalog: c.Catalog, Constants: map[string]string{}, source: c.source, loaded: c.loaded}
	r := &resolver{c: b, m: &m, cat: c.Catalog}
	r.resolve()
	return b, variant, r.diags
}

// VersionVariable returns the variable of the manifest that gives option variant its value, as
// var.version does, and the value that stands for the version of an implementation block. The name
// is "" if the manifest has no such variable, if the variable has a value that is not its default,
// or if no variant stands for the version.
func (c *Composition) VersionVariable(impl *configs.Implementation) (name, value string) {
	k := slices.IndexFunc(c.Manifest.Options, func(s configs.Setting) bool { return s.Name == variantOption })
	at := slices.IndexFunc(c.Catalog.Options, func(o grains.Option) bool { return o.Name == variantOption })
	if k < 0 || at < 0 {
		return "", ""
	}
	written := c.Manifest.Options[k].ValueRange
	file := c.Manifest.Sources[written.Filename]
	if file == nil || !written.CanSliceBytes(file.Bytes) {
		return "", ""
	}
	name, refers := strings.CutPrefix(string(written.SliceBytes(file.Bytes)), "var.")
	v := slices.IndexFunc(c.Manifest.Variables, func(v *configs.Variable) bool { return v.Name == name })
	value = released(&c.Catalog.Options[at], impl.Version.Value)
	if !refers || v < 0 || c.Manifest.Variables[v].Given || value == "" {
		return "", ""
	}
	return name, value
}

// released returns the variant of a version: the one that the option states, or else the nearest.
func released(o *grains.Option, version string) string {
	plain, _, _ := strings.Cut(version, "-")
	for _, r := range o.Releases {
		if r.Version == version || r.Version == plain {
			return r.Value
		}
	}
	return nearest(version, o.Allowed())
}

// nearest returns the variant of the same minor version that is nearest to a version: the newest
// that is not newer, or else the oldest. It returns "" if there is none. Both are three numbers,
// the variant after the letter v. A version of a Go module has that letter, too.
func nearest(version string, variants []string) (out string) {
	want := numbers(strings.TrimPrefix(version, "v"))
	if want == nil {
		return ""
	}
	oldest := ""
	for _, v := range variants {
		have := numbers(strings.TrimPrefix(v, "v"))
		if have == nil || have[0] != want[0] || have[1] != want[1] {
			continue
		}
		if have[2] <= want[2] && (out == "" || numbers(strings.TrimPrefix(out, "v"))[2] < have[2]) {
			out = v
		}
		if oldest == "" || have[2] < numbers(strings.TrimPrefix(oldest, "v"))[2] {
			oldest = v
		}
	}
	if out == "" {
		return oldest
	}
	return out
}

// numbers returns the three numbers of a version; nil if it is none.
func numbers(version string) []int {
	plain, _, _ := strings.Cut(version, "-")
	parts := strings.Split(plain, ".")
	if len(parts) != 3 {
		return nil
	}
	out := make([]int, len(parts))
	for k, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil {
			return nil
		}
		out[k] = n
	}
	return out
}
