// Package compose resolves a manifest against the catalog of its system, checks that the
// composition preserves the interactions with the modules under test, and assembles it into a
// program.
//
// The catalog is read from the package's code by package interaction, with the manifest's sizes in
// place, so that the analysed code is the code that runs. Assembling writes nothing into the user's
// folders: sizes, hoisted functions and the main package reach the go command as an overlay.
// Programs and analyses are cached by the content of all that they depend on.
//
// Package assemble writes the source of programs, package gocmd runs the go command and keeps the
// cache.
package compose

import (
	"encoding/json"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/compose/internal/capacity"
	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/compose/internal/noting"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
)

// The codes of this package: MG1xx for the manifest against the catalog, MG3xx, which package gocmd
// declares, for loading and building.
const (
	// the system block names another system than its source declares
	CodeSystemName        configs.Code = "MG101"
	CodeUnknownModule     configs.Code = "MG102"
	CodeUnknownGrain      configs.Code = "MG103"
	CodeCoveredTwice      configs.Code = "MG104"
	CodeNotCovered        configs.Code = "MG105"
	CodeRequires          configs.Code = "MG106" // a grain needs another grain next to it
	CodeTarget            configs.Code = "MG107" // no target, or a module that cannot be one
	CodeUnknownBound      configs.Code = "MG108"
	CodeBoundRange        configs.Code = "MG109"
	CodeUnknownOption     configs.Code = "MG110"
	CodeOptionValue       configs.Code = "MG111"
	CodeUnknownInvariant  configs.Code = "MG112"
	CodeUnknownConstraint configs.Code = "MG113"
	CodeUnknownAction     configs.Code = "MG114"
	CodeNeeds             configs.Code = "MG115" // a grain needs another value of an option
	// a liveness property that the system does not declare
	CodeUnknownProperty configs.Code = "MG116"
	// a bound or an option that nothing of the composition reads
	CodeNoEffect configs.Code = "MG117"
	// an expected result that the check block rules out
	CodeContradiction configs.Code = "MG118"
	// a chosen grain sets an option or a bound to another value
	CodeGrainSets      configs.Code = "MG119"
	CodeUnknownSymptom configs.Code = "MG120" // a symptom that the adapter does not look for
	CodeUnknownRole    configs.Code = "MG121" // a role that cannot be permuted
	CodeQuorums        configs.Code = "MG312" // quorums that need not have a member in common
	CodeRenamed        configs.Code = "MG244" // a grain or an option has another name today
	CodeTwoSwitches    configs.Code = "MG248" // a grain has no steps for two options together
	CodeNoMapping      configs.Code = "MG245" // no block says how the abstract system is refined
	CodeMapping        configs.Code = "MG246" // a mapping that is no function of the state
	CodeApart          configs.Code = "MG247" // two compositions that cannot be in one program
	CodeVariant        configs.Code = "MG545" // a version without a variant of the system
	CodeOverride       configs.Code = "MG588" // -set names nothing that the system has
)

// The codes for loading and building.
const (
	CodeNoGo        = gocmd.CodeNoGo
	CodeNoPackage   = gocmd.CodeNoPackage
	CodeSpecInvalid = gocmd.CodeSpecInvalid
	CodeNoSystem    = gocmd.CodeNoSystem
	CodeConstant    = gocmd.CodeConstant
	CodeBuild       = gocmd.CodeBuild
	CodeCache       = gocmd.CodeCache
	CodeRuntime     = gocmd.CodeRuntime
	CodeName        = gocmd.CodeName
	CodeRoom        = gocmd.CodeRoom
	CodeNetwork     = gocmd.CodeNetwork
)

// Env describes the surroundings of composing.
type Env = gocmd.Env

// SecretFile is the file of the cache with the key that seals checkpoints.
const SecretFile = gocmd.SecretFile

// Verb is a kind of request that a program answers.
type Verb = assemble.Verb

// The verbs that callers of Assemble ask for.
const (
	Check    = assemble.Check
	Simulate = assemble.Simulate
	Step     = assemble.Step
	Find     = assemble.Find
)

// Line is a changed line that a program notes when it runs.
type Line = noting.Line

// Length tells what sets a capacity of the state.
type Length = capacity.Length

// Home returns a folder in a Go module that has the packages of this project, for what needs none
// of the user's: see gocmd.Home.
func Home(env Env) (string, hcl.Diagnostics) { return gocmd.Home(env) }

// Framework returns the version of this project that a module of the user can require, and the
// folder of a checkout that replaces it. The version is "" where this command knows neither.
func Framework() (version, replace string) { return gocmd.Version() }

// Recorded returns the version of this command: that of its release, or what the go command
// recorded, "(devel)" for a checkout.
func Recorded() string { return gocmd.Recorded() }

// Composition is a manifest resolved against the catalog.
type Composition struct {
	Manifest *configs.Manifest
	Catalog  *grains.Catalog
	Choice   grains.Choice
	// Modules are all modules of the catalog that the composition has, in the catalog's order.
	Modules []ModuleChoice
	// Constants are the constants of the specification that the manifest's bounds and options set,
	// as Go expressions.
	Constants map[string]string

	source   *gocmd.Source
	examined *examination // once asked for
	loaded   *lastLoad    // shared with the compositions that are derived from this one
	budgets  int          // that a node has at least room for
	// sides are constants that differ between the sides of a comparison, as Go expressions: that of
	// the fine side and that of the other.
	sides map[string][2]string
}

// ModuleChoice is the grain that covers a module.
type ModuleChoice struct {
	Module string `json:"module"`
	Grain  string `json:"grain"`
	Target bool   `json:"target,omitempty"`
	// By is the module whose block picked the grain, where it is another one.
	By string `json:"by,omitempty"`
}

// Resolve compares a manifest with the catalog of its system. It reports all mistakes that it
// finds; the composition is nil if there is an error.
func Resolve(m *configs.Manifest, env Env) (*Composition, hcl.Diagnostics) {
	src, diags := gocmd.Open(m.System.Dir, m.System.Source.Value, m.System.Source.Range, env)
	if diags.HasErrors() {
		return nil, diags
	}
	listing := new(interaction.Listing)
	cat, more := readCatalog(src, listing)
	diags = append(diags, more...)
	if cat == nil || more.HasErrors() {
		return nil, diags
	}
	c := &Composition{Manifest: m, Catalog: cat, Constants: map[string]string{}, source: src, loaded: &lastLoad{listing: listing}}
	r := &resolver{c: c, m: m, cat: cat}
	r.overrides()
	r.resolve()
	r.contradictions()
	r.effects()
	diags = append(diags, r.diags...)
	if r.diags.HasErrors() {
		return nil, diags
	}
	return c, diags
}

// Under resolves another manifest of the same system against the catalog of the composition. The
// manifest must name the same source. The composition is nil if there is an error.
func (c *Composition) Under(m *configs.Manifest) (*Composition, hcl.Diagnostics) {
	b := &Composition{Manifest: m, Catalog: c.Catalog, Constants: map[string]string{}, source: c.source, loaded: c.loaded}
	r := &resolver{c: b, m: m, cat: c.Catalog}
	r.resolve()
	if r.diags.HasErrors() {
		return nil, r.diags
	}
	return b, r.diags
}

// Mistakes returns the names and numbers of a manifest that its catalog does not know. It is for a
// manifest that could be decoded only in part. Mistakes that may follow from the missing part are
// left out, and so are those on a line with an earlier diagnostic.
func Mistakes(m *configs.Manifest, said hcl.Diagnostics, env Env) hcl.Diagnostics {
	if m.System == nil || !m.System.Source.IsSet() || m.Check == nil {
		return nil
	}
	_, diags := Resolve(m, env)
	own := []configs.Code{CodeUnknownModule, CodeUnknownGrain, CodeUnknownBound, CodeBoundRange, CodeUnknownOption, CodeOptionValue}
	uncovered := slices.ContainsFunc(diags, func(d *hcl.Diagnostic) bool { return configs.CodeOf(d) == CodeNotCovered })
	if !uncovered {
		own = append(own, CodeUnknownInvariant, CodeUnknownConstraint, CodeUnknownAction, CodeUnknownProperty, CodeUnknownRole)
	}
	return slices.DeleteFunc(diags, func(d *hcl.Diagnostic) bool {
		return !slices.Contains(own, configs.CodeOf(d)) || slices.ContainsFunc(said, func(x *hcl.Diagnostic) bool {
			return x.Subject != nil && d.Subject != nil && x.Subject.Filename == d.Subject.Filename && x.Subject.Start.Line == d.Subject.Start.Line
		})
	})
}

// LoadCatalog reads the catalog of the package that from names, as seen from the folder dir: an
// import path, or a path that starts with a dot or a slash. Mistakes in the package are errors
// among the diagnostics; the catalog is nil then.
func LoadCatalog(dir, from string, env Env) (*grains.Catalog, hcl.Diagnostics) {
	src, diags := gocmd.Open(dir, from, hcl.Range{}, env)
	if diags.HasErrors() {
		return nil, diags
	}
	cat, more := readCatalog(src, nil)
	return cat, append(diags, more...)
}

// Chosen returns the grains of the composition, in the order of the choice.
func (c *Composition) Chosen() []*grains.GrainDecl {
	var out []*grains.GrainDecl
	for _, r := range c.Choice.Grains {
		for k := range c.Catalog.Grains {
			if g := &c.Catalog.Grains[k]; g.Name == r.Grain && g.Covers[0] == r.Module {
				out = append(out, g)
			}
		}
	}
	return out
}

// Targets returns the modules under test.
func (c *Composition) Targets() []string {
	var out []string
	for _, m := range c.Modules {
		if m.Target {
			out = append(out, m.Module)
		}
	}
	return out
}

// EncodedChoice returns the choice as an assembled program reads it.
func (c *Composition) EncodedChoice() json.RawMessage {
	b, err := json.Marshal(c.Choice)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return b
}

// Folders returns the folders of the Go packages of the specification that an edit can change.
func (c *Composition) Folders() []string { return c.source.Folders() }
