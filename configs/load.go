package configs

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// Options are the inputs of loading, apart from the manifest's file.
type Options struct {
	// Assignments are the -var, -var-file and -set options in the order in which they
	// were given; a later one wins.
	Assignments []Assignment
	// Environ holds NAME=value pairs as os.Environ returns them. Only those
	// named MULTIGRAIN_VAR_x are looked at.
	Environ []string
	// ReadFile reads a file instead of the file system. May be nil.
	ReadFile func(path string) ([]byte, error)
}

// loader is the state of one call of Load.
type loader struct {
	m        *Manifest
	readFile func(string) ([]byte, error)
	diags    hcl.Diagnostics
	// damaged is set when part of a file could not be read, so that nothing
	// can be stated about what seems to be missing.
	damaged bool
	total   int // bytes read
}

func (l *loader) report(diags ...*hcl.Diagnostic) {
	l.diags = append(l.diags, diags...)
}

// secondary are the codes of mistakes that may be mere consequences of a part
// of the manifest that could not be read.
var secondary = []Code{
	CodeMissingAttribute, CodeMissingBlock, CodeUnknownReference, CodeUndeclaredVariable, CodeMissingVariable,
}

// Load reads the manifest at path and all it extends, gives its variables
// their values, and decodes it. The path is relative to the working directory
// and appears in the ranges as it was given.
//
// The manifest returned is never nil. With errors among the diagnostics it
// holds what could be decoded and must not be composed; its Sources serve to
// show excerpts. The diagnostics are in the order of Files and lines, those
// without a place first; all carry a code.
func Load(path string, opt Options) (*Manifest, hcl.Diagnostics) {
	l := &loader{
		m:        &Manifest{Path: path, Sources: make(map[string]*hcl.File)},
		readFile: opt.ReadFile,
	}
	if l.readFile == nil {
		l.readFile = readFile
	}
	if files := l.chain(path); len(files) > 0 {
		root := files[len(files)-1]
		for i := len(files) - 2; i >= 0; i-- {
			root = overlay(root, files[i])
		}
		l.decode(root, opt)
	}
	if l.damaged {
		l.diags = slices.DeleteFunc(l.diags, func(d *hcl.Diagnostic) bool {
			return slices.Contains(secondary, CodeOf(d))
		})
	}
	for _, d := range l.diags {
		mend(d)
	}
	order := position(l.m.Files)
	slices.SortStableFunc(l.diags, func(a, b *hcl.Diagnostic) int { return order(a.Subject, b.Subject) })
	return l.m, l.diags
}

// mend repairs the ranges that the HCL parser leaves for a call without a closing parenthesis, so
// that code that shows an excerpt need not know. A range without an end gets one, and the range of
// a missing part is removed.
func mend(d *hcl.Diagnostic) {
	if d.Subject != nil && d.Subject.Filename == "" {
		d.Subject, d.Context = nil, nil
	}
	ranges := []*hcl.Range{d.Subject, d.Context}
	for i := range RelatedOf(d) {
		ranges = append(ranges, &RelatedOf(d)[i].At)
	}
	for _, r := range ranges {
		if r != nil && r.End.Byte < r.Start.Byte {
			r.End = r.Start
		}
	}
	if d.Context != nil && d.Context.Filename == "" {
		d.Context = nil
	}
}

// decode turns the merged manifest into its typed form.
func (l *loader) decode(root *block, opt Options) {
	s := newScope()
	d := &decoder{scope: s}
	l.m.Variables = d.variables(root.of("variable"))
	l.assign(l.m.Variables, opt)
	d.values(l.m.Variables)
	d.locals(root.first("locals"))
	d.validate(l.m.Variables)

	l.m.System = d.system(root)
	for _, b := range root.of("module") {
		if m := d.module(b, l.m.System); m != nil {
			l.m.Modules = append(l.m.Modules, m)
		} else {
			l.m.LeftOut = append(l.m.LeftOut, b.labels[0])
		}
	}
	l.m.Bounds = d.bounds(root.first("bounds"))
	l.m.Options = d.settings(root.first("options"))
	l.m.Check = d.check(root.first("check"))
	l.m.Interaction = d.interaction(root.first("interaction"))
	for _, b := range root.of("refines") {
		l.m.Refines = append(l.m.Refines, d.refines(b, l.m.Sources))
	}
	for _, b := range root.of("implementation") {
		l.m.Implementations = append(l.m.Implementations, d.implementation(b, l.m.Sources))
	}
	l.m.Simulate = d.simulate(root.first("simulate"), l.m.Sources)
	l.m.Trace = d.trace(root.first("trace"), l.m.Sources)
	l.m.Expect = d.expect(root.first("expect"))
	l.report(d.diags...)
}
