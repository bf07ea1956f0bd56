package configs

import (
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// Manifest is a manifest with all it extends merged in and every expression
// evaluated. Parts that the manifest does not write have nil pointers, empty
// lists, or attributes that are not set.
type Manifest struct {
	// Path is the path that was loaded.
	Path string
	// Files are the manifests that went into this one: Path, what that extends,
	// and so on. They are keys of Sources.
	Files []string
	// Sources holds the text of every file that a range of the manifest or of a diagnostic may
	// name. These are manifests, files of values, and the values of options and environment
	// variables. The key of a value is the option or environment variable. Parsed forms may be nil.
	Sources map[string]*hcl.File

	// System is nil only if there were errors.
	System *System
	// Variables and Modules are in the order of their first declaration, those
	// of an extended manifest first.
	Variables []*Variable
	Modules   []*Module
	LeftOut   []string // modules whose grain is null
	// Bounds are whole numbers that are not negative; see Setting.Int.
	Bounds Settings
	// Options have values of any type.
	Options Settings
	Check   *Check
	// Overrides are the -set options, each name once. Package compose puts their values into
	// Bounds, Options and Check, since only the catalog knows the names.
	Overrides []Override

	Interaction     *Interaction
	Refines         []*Refines
	Implementations []*Implementation
	Simulate        *Simulate
	Trace           *Trace
	Expect          *Expect
}

// Name returns the name of the manifest: its file's without folder and .hcl.
func (m *Manifest) Name() string {
	return strings.TrimSuffix(filepath.Base(m.Path), ".hcl")
}

// Module returns the module with the given name, or nil.
func (m *Manifest) Module(name string) *Module {
	for _, mod := range m.Modules {
		if mod.Name == name {
			return mod
		}
	}
	return nil
}

// Implementation returns the implementation with the given name, or nil.
func (m *Manifest) Implementation(name string) *Implementation {
	for _, impl := range m.Implementations {
		if impl.Name == name {
			return impl
		}
	}
	return nil
}

// RefinesSystem returns the block about the abstract system of that name, or nil.
func (m *Manifest) RefinesSystem(name string) *Refines {
	for _, r := range m.Refines {
		if r.System == name {
			return r
		}
	}
	return nil
}

// System is the block that names the system to be composed.
type System struct {
	Name      string
	NameRange hcl.Range
	// Source is an import path or a path that starts with a dot or a slash. A
	// relative one is relative to Dir.
	Source Attr[string]
	// Dir is the folder of the file in which Source is written, relative to the
	// working directory or absolute as the manifest's path was.
	Dir string
	// Node picks the grain NodeGrain for every module that has one, unless a block of the module
	// names another.
	Node      Attr[bool]
	DeclRange hcl.Range
}

// NodeGrain is the name of the grains that also run next to a live node.
const NodeGrain = "node"

// NodeModule returns the block that the attribute node stands for: module NAME with its grain.
func (s *System) NodeModule(name string) *Module {
	a := Attr[string]{Value: NodeGrain, Range: s.Node.Range, NameRange: s.Node.NameRange, ValueRange: s.Node.ValueRange,
		Origins: s.Node.Origins}
	return &Module{Name: name, NameRange: s.Node.NameRange, Grain: a, DeclRange: s.DeclRange}
}

var systemSchema = &schema{labels: []string{"the name of a system"}, attrs: []string{"source", "node"}}

// system decodes the one system block of a manifest.
func (d *decoder) system(root *block) *System {
	blocks := root.of("system")
	if len(blocks) == 0 {
		d.report(Errorf(CodeMissingBlock, "Missing system block", root.whole,
			`A manifest says which system it composes: system "name" { source = "..." }, with an import path `+
				"or a path relative to the manifest."))
		return nil
	}
	for _, b := range blocks[1:] {
		e := Errorf(CodeDuplicate, "More than one system", b.header,
			"A manifest composes one system, and %s is declared already. Remove one of the two.", blocks[0])
		d.report(WithRelated(e, blocks[0].header, "the other system"))
	}
	b := blocks[0]
	s := &System{Name: b.labels[0], NameRange: b.labelRanges[0], DeclRange: b.header}
	if d.require(b, "source", "the import path of the system's package, or a path relative to this file") {
		s.Source = d.text(b, "source")
		s.Dir = s.Source.Dir()
	}
	s.Node = d.flag(b, "node")
	return s
}

// Module is the choice of a grain for one module.
type Module struct {
	Name      string
	NameRange hcl.Range
	// Grain is always set.
	Grain Attr[string]
	// Target says that the module is one of those under test.
	Target Attr[bool]
	// Accept are gaps of interaction preservation that are accepted for this
	// module's grain.
	Accept    []*Acceptance
	DeclRange hcl.Range
}

var moduleSchema = &schema{
	labels: []string{"the name of a module"}, attrs: []string{"grain", "target", "accept"},
	blocks: map[string]*schema{"accept": acceptSchema},
}

// module decodes a module block of a manifest with system s. It returns nil if the grain is null.
func (d *decoder) module(b *block, s *System) *Module {
	m := &Module{Name: b.labels[0], NameRange: b.labelRanges[0], DeclRange: b.header}
	m.Target = d.flag(b, "target")
	m.Accept = d.accepts(b)
	if b.attrs["grain"] == nil {
		if s != nil && s.Node.Value {
			m.Grain = s.NodeModule(m.Name).Grain
			return m
		}
		d.require(b, "grain", "the grain that the module has in this composition")
		return m
	}
	grain, null := d.textOrNull(b, "grain")
	if null {
		return nil
	}
	m.Grain = grain
	return m
}
