package confirm

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/configs"
)

// Files of a folder that is handed on.
const (
	manifestFile = "manifest.hcl"
	traceFile    = "trace.itf.json"
	symptomFile  = "symptom.txt"
	readmeFile   = "README.md"
)

// HandOn writes a folder with which others repeat a confirmed result: the trace, a manifest of its
// own, what was seen, and a README of one command. Errors are among the diagnostics of r.
func HandOn(r *session.Run, impl *configs.Implementation, d *result.Confirmation, folder string) {
	trace, err := files.Read(d.Trace)
	if err != nil {
		r.Add(configs.Errorf(codes.Write, "Confirmed trace cannot be written", hcl.Range{}, "%v.", err))
		return
	}
	if impl.Driver.IsSet() { // its command runs in the folder of the manifest
		r.Add(impl.Driver.Errorf(codes.Write, "Confirmed trace cannot be written",
			"The folder of -out has a manifest of its own, and a driver runs in the folder of its manifest. Hand on the folder of the driver with the trace %s.", d.Trace))
		return
	}
	adapter, diags := r.Composition.AdapterPath(impl)
	if r.Add(diags...); diags.HasErrors() {
		return
	}
	for name, text := range map[string][]byte{
		manifestFile: manifest(r, impl, adapter), traceFile: trace, symptomFile: []byte(seen(d)), readmeFile: []byte(readme(r, impl, d)),
	} {
		if err := files.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			r.Add(configs.Errorf(codes.Write, "Confirmed trace cannot be written", hcl.Range{}, "%v. Name another folder with -out.", err))
			return
		}
	}
	d.Folder = folder
}

// seen describes what each run showed.
func seen(d *result.Confirmation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, violation of %s\n", d.Implementation, d.Version, d.Property)
	for k, a := range d.Attempts {
		kind := "run"
		if a.Control {
			kind = "control"
		}
		fmt.Fprintf(&b, "\n%s, attempt %d: %s after %d steps\n", kind, k+1, a.Outcome, a.Steps)
		for _, s := range a.Sightings {
			fmt.Fprintf(&b, "  %s: %s\n", s.Word, s.Text)
		}
	}
	return b.String()
}

func readme(r *session.Run, impl *configs.Implementation, d *result.Confirmation) string {
	words := []string{}
	for _, s := range d.Symptoms {
		words = append(words, s.Word)
	}
	return fmt.Sprintf(`# %s on %s %s

A behaviour of %d steps that violates %s, found in the manifest %s. It was driven to its end on %s
%s in %d of %d runs, and the symptoms were seen: %s. symptom.txt has the details.

In this folder, with multigrain and the jars of that version on the machine:

    multigrain confirm %s -trace %s -impl %s@%s

The exit code is 12 if the symptoms are seen again. manifest.hcl is the composition, trace.itf.json
the behaviour; multigrain show prints it step by step.
`, d.Property, d.Implementation, d.Version, d.Length, d.Property, r.Manifest.Name(), d.Implementation, d.Version, d.Runs.Shown, d.Runs.Begun(),
		strings.Join(words, ", "), manifestFile, traceFile, impl.Name, d.Version)
}

// manifest writes the composition as a manifest that extends no other and has no variables.
func manifest(r *session.Run, impl *configs.Implementation, adapter string) []byte {
	m := r.Composition.Manifest
	f := hclwrite.NewEmptyFile()
	body := f.Body()
	block := func(kind string, labels ...string) *hclwrite.Body {
		if len(body.Blocks()) > 0 {
			body.AppendNewline()
		}
		return body.AppendNewBlock(kind, labels).Body()
	}
	settings := func(to *hclwrite.Body, all configs.Settings) {
		for _, s := range all {
			to.SetAttributeValue(s.Name, s.Value)
		}
	}
	lists := func(to *hclwrite.Body, name string, list configs.Attr[[]configs.Text]) {
		if list.IsSet() {
			var all []cty.Value
			for _, t := range list.Value {
				all = append(all, cty.StringVal(t.Value))
			}
			to.SetAttributeValue(name, cty.TupleVal(all))
		}
	}
	system := block("system", m.System.Name)
	system.SetAttributeValue("source", cty.StringVal(r.Composition.Catalog.Package))
	if m.System.Node.Value {
		system.SetAttributeValue("node", cty.True)
	}
	for _, x := range m.Modules {
		b := block("module", x.Name)
		b.SetAttributeValue("grain", cty.StringVal(x.Grain.Value))
		if x.Target.Value {
			b.SetAttributeValue("target", cty.True)
		}
	}
	settings(block("bounds"), m.Bounds)
	settings(block("options"), m.Options)
	check := block("check")
	lists(check, "invariants", m.Check.Invariants)
	lists(check, "except", m.Check.Except)
	lists(check, "constraints", m.Check.Constraints)
	if m.Check.Deadlock.IsSet() {
		check.SetAttributeValue("deadlock", cty.BoolVal(m.Check.Deadlock.Value))
	}
	check.SetAttributeValue("stop", cty.StringVal("first"))
	b := block("implementation", impl.Name)
	b.SetAttributeValue("adapter", cty.StringVal(adapter))
	within := func(kind string, labels ...string) *hclwrite.Body {
		b.AppendNewline()
		return b.AppendNewBlock(kind, labels).Body()
	}
	if len(impl.Settings) > 0 {
		portable := within("settings")
		for _, s := range impl.Settings {
			if s.Name != "zookeeper" { // a folder of this machine, from a flag
				portable.SetAttributeValue(s.Name, s.Value)
			}
		}
	}
	for _, s := range impl.SymptomsOn(impl.Version.Value) {
		settings(within("symptom", s.Word), s.Settings)
	}
	for kind, c := range map[string]*configs.Control{"schedule": impl.Schedule, "control": impl.Control} {
		if c == nil {
			continue
		}
		x := within(kind)
		lists(x, "without", c.Without)
		lists(x, "insert", c.Insert)
		if c.Before.IsSet() {
			x.SetAttributeValue("before", cty.StringVal(c.Before.Value))
		}
	}
	return hclwrite.Format(f.Bytes())
}
