// Package assemble writes the Go source of the programs that a composition becomes. It edits the
// files of a specification's package in memory (constants, hoisted functions, noted conditions). It
// generates the next-state function and the main package, and says which constants and names the
// code uses.
//
// It decides nothing about a manifest: package compose resolves the manifest and hands the choice
// over. Package gocmd builds what this package writes.
package assemble

import (
	"maps"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/compose/internal/noting"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// Program describes the program of a composition.
type Program struct {
	Source  *gocmd.Source
	Catalog *grains.Catalog
	Chosen  []*grains.GrainDecl // the grains of the composition, in the order of the choice
	// Others are further grains that the program may be asked to compose: those of the other side
	// of a comparison. Their actions stay in the program.
	Others []*grains.GrainDecl
	// Constants and Capacities are constants of the specification and the Go expressions that they
	// get. Capacities are those that the composition does without.
	Constants, Capacities map[string]string
	// Sides are constants that differ between the two sides of a comparison: the value of the fine
	// side and that of the other one. They are variables of the program.
	Sides map[string][2]string
	// Started are constants that get their values as the program starts, with the Go expressions of
	// all their values: see package setting. They are variables of the program.
	Started map[string][]string
	// Invariants are those that the composition checks.
	Invariants []grains.PropertyDecl

	// Contents replace those of some files of the specification's package, by path.
	Contents map[string][]byte
	// Mutant is the variable of the package that chooses a mutant; "" where it has none.
	Mutant string

	// Verbs are those that the program answers. A program with an implementation has its own.
	Verbs []Verb

	LeastBudgets int    // the number of budgets that a node has at least room for
	Adapter      string // import path of the package that connects an implementation; "" for none
	// Driven says that processes of a driver run an implementation. There is no adapter then.
	Driven bool
	Notes  Notes
	// Changed is the changed code of the implementation that Adapter connects; nil for none.
	Changed *noting.Changed
}

// Verb is a kind of request that a program answers. Each costs the compilation of the packages that
// it needs.
type Verb string

// The verbs of a wire.Request.
const (
	Check    Verb = "check"
	Simulate Verb = "simulate"
	Step     Verb = "explore"
	Find     Verb = "find"
	Explain  Verb = "explain"
	Trace    Verb = "trace"
	Compare  Verb = "preserve"
)

// answering are the calls of package program that make a program answer verbs. A main package names
// the types of a specification: TYPES are its State and its counters.
var answering = map[Verb]string{
	Check:    "program.Check(program.Search[checker.Node[TYPES]])",
	Simulate: "program.Simulate[TYPES]()",
	Step:     "program.Step[TYPES]()",
	Find:     "program.Find(program.Search[checker.Node[TYPES]])",
	Explain:  "program.Explain[TYPES]()",
	Trace:    "program.Trace[TYPES]()",
	Compare:  "program.Compare(program.Comparing[checker.Node[TYPES]]())",
}

// answers returns the calls for the program's verbs. Types are its State and its counters.
func (p *Program) answers(types string) (calls []string) {
	for _, v := range p.Verbs {
		calls = append(calls, strings.ReplaceAll(answering[v], "TYPES", types))
	}
	return calls
}

// Notes says what a program notes about the specification's code as it runs.
type Notes int

const (
	NoNotes    Notes = iota
	Conditions       // the value of every condition: see checker.Probe
	Branches         // which branches were taken: see checker.Branches
)

// Overlay returns the files of the specification's package that differ from those on disk, by
// path: the package with the program's constants.
func (p *Program) Overlay() (map[string][]byte, hcl.Diagnostics) {
	r, diags := p.rewrite(false)
	if diags.HasErrors() {
		return nil, diags
	}
	return r.Changed(), diags
}

// Files returns the overlay with the hoisted functions and the generated files. The main package
// has the path "".
func (p *Program) Files() (map[string][]byte, hcl.Diagnostics) {
	switch p.Notes {
	case Conditions:
		return p.instrumentedProgram()
	case Branches:
		return p.coveringProgram()
	}
	r, diags := p.rewritten()
	if diags.HasErrors() {
		return nil, diags
	}
	next, err := p.generate(r)
	if err != nil {
		return nil, append(diags, notGenerated(err))
	}
	alone := p.Adapter == "" && !p.Driven
	if p.Adapter == "" { // an adapter calls what it likes
		p.emptyUnreached(r, false)
	}
	watched, branches := false, []byte(nil)
	if alone { // conform notes branches of its own
		if watched, branches, err = p.watchInvariants(r); err != nil {
			return nil, append(diags, notGenerated(err))
		}
	}
	files := r.Changed()
	if watched {
		files[p.branchesFile()] = branches
	}
	var e *engine
	if alone && len(p.Sides) == 0 { // an adapter's types are the specification's
		if e, err = p.engine(files); err != nil {
			return nil, append(diags, notGenerated(err))
		}
	}
	files[filepath.Join(p.Source.Folder, "multigrain_gen.go")] = next
	if files[""], err = p.directMain(e, watched); err != nil {
		return nil, append(diags, notGenerated(err))
	}
	if p.Changed != nil {
		maps.Copy(files, p.Changed.Files)
	}
	return files, diags
}

// MonitorFiles returns the overlay with the main package, which has the path "", of the program
// that checks a running node.
func (p *Program) MonitorFiles() (map[string][]byte, hcl.Diagnostics) {
	r, diags := p.rewritten()
	if diags.HasErrors() {
		return nil, diags
	}
	main, err := p.main(mainPackage{call: "MonitorMain", kind: "Monitor", fields: []string{"Runtime: &spec.Runtime"}})
	if err != nil {
		return nil, append(diags, notGenerated(err))
	}
	files := r.Changed()
	files[""] = main
	return files, diags
}

// rewritten returns the specification's package with the program's constants and capacities.
func (p *Program) rewritten() (*Rewriting, hcl.Diagnostics) { return p.rewrite(true) }

// rewrite is rewritten for a program that runs, or for the analysis of the package.
func (p *Program) rewrite(runs bool) (*Rewriting, hcl.Diagnostics) {
	r, diags := readWith(p.Source, p.Contents)
	if diags.HasErrors() {
		return nil, diags
	}
	for _, values := range []map[string]string{p.Constants, p.Capacities} {
		for name, value := range values {
			if _, varies := p.Sides[name]; varies || p.Started[name] != nil {
				continue
			}
			if err := r.SetConstant(name, value); err != nil {
				diags = append(diags, configs.Errorf(gocmd.CodeConstant, "Catalog names no constant", hcl.Range{},
					"A bound or an option of the catalog sets it: %v.", err))
			}
		}
	}
	if err := r.varySides(p.Sides, runs); err != nil {
		diags = append(diags, notGenerated(err))
	}
	if err := r.start(p.Started); err != nil {
		diags = append(diags, notGenerated(err))
	}
	return r, diags
}

func notGenerated(err error) *hcl.Diagnostic {
	return configs.Errorf(gocmd.CodeBuild, "Program cannot be generated", hcl.Range{}, "%v.", err)
}
