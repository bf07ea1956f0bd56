package result

import (
	"fmt"

	"slices"

	"github.com/multigrain/multigrain/grains"
)

// Change holds the modules that a change of the implementation touches, and the composition for
// it.
type Change struct {
	Implementation string `json:"implementation"`
	Version        string `json:"version,omitempty"`
	ChangeAnalysis
	Touched  []Touched  `json:"touched"`
	Choices  []Choice   `json:"choices"`  // one for each module, in the catalog's order
	Rejected []Rejected `json:"rejected"` // coarser compositions that are not allowed
	// Equal are grains of touched modules that are as fine as the chosen ones: other compositions,
	// which are checked, too. LeftOut are further ones.
	Equal   [][]string `json:"equal"`
	LeftOut [][]string `json:"left_out"`
	Options []string   `json:"options,omitempty"` // those that the manifest sets, as name = value
	// Dropped are names of the check block that the chosen grains do not offer.
	Dropped  []string `json:"dropped,omitempty"`
	Manifest string   `json:"manifest,omitempty"` // text of the composed one
	// Plan says which grains of untouched modules fit into a time, with -plan.
	Plan *Plan `json:"plan,omitempty"`
	// Observed describes the run of the changed code; nil where it was not run.
	Observed *Observed `json:"observed,omitempty"`
	// Diff are the changed files with their lines, and Repeat is the command that repeats the run.
	// Both are there where a report is asked for.
	Diff   []ChangedFile `json:"diff,omitempty"`
	Repeat string        `json:"repeat,omitempty"`
}

// ChangeAnalysis names the declarations that a change touches. Fields are those of
// change.Analysis.
type ChangeAnalysis struct {
	Files      int          `json:"files"` // changed ones, those that are ignored among them
	Trails     []Trail      `json:"trails"`
	Unmodelled []Unmodelled `json:"unmodelled"`
	Ignored    []Ignored    `json:"ignored"`
	Doubts     []string     `json:"doubts"`  // reasons for which the trails may be wrong
	Missing    []string     `json:"missing"` // modelled functions that the code does not have
}

// Declaration is a declaration that changed, or lines in which there is none.
type Declaration struct {
	Name string `json:"name"` // with its package or class
	// function, method, type, constant, variable, import, package or lines
	Kind string `json:"kind"`
	How  string `json:"how"` // changed, added or removed
	File string `json:"file"`
	Line int    `json:"line"`
	Last int    `json:"last"`
	// Followed says that other changed lines show what became of the declaration.
	Followed bool `json:"followed,omitempty"`
}

// Caller is a function between a changed declaration and a modelled one.
type Caller struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// Trail leads from a changed declaration to a function that grains model.
type Trail struct {
	Declaration Declaration `json:"declaration"`
	Path        []Caller    `json:"path"`
	Place       *Modelled   `json:"place"`
}

// Modelled is a function of the implementation with the grains that model it.
type Modelled struct {
	Name   string       `json:"name"`
	Grains []grains.Ref `json:"grains"`
	At     grains.Place `json:"at"` // where the catalog or the manifest says so
}

// Touches reports whether a grain of a module models the function.
func (m *Modelled) Touches(module string) bool {
	return slices.ContainsFunc(m.Grains, func(g grains.Ref) bool { return g.Module == module })
}

// Has reports whether a grain models the function.
func (m *Modelled) Has(module, grain string) bool {
	return slices.Contains(m.Grains, grains.Ref{Module: module, Grain: grain})
}

// Unmodelled is a changed declaration that leads to no modelled function.
type Unmodelled struct {
	Declaration
	Reason string `json:"reason"`
	Policy string `json:"policy"` // report or fail, as the manifest says
}

// Ignored is a changed file, or a part of one, that cannot matter.
type Ignored struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// Touched is a module that the change touches, with the grains that model what changed.
type Touched struct {
	Module string   `json:"module"`
	Grains []string `json:"grains"`
	// Lines are the places of the changed declarations that lead to it, as file:line.
	Lines []string `json:"lines"`
}

// Choice is the grain of a module and why it was chosen.
type Choice struct {
	Module string `json:"module"`
	Grain  string `json:"grain"`
	Target bool   `json:"target"`
	Why    string `json:"why"`
}

// Rejected is a composition that was not allowed.
type Rejected struct {
	Grains []string `json:"grains"` // the coarse ones, as module/grain
	Why    string   `json:"why"`
}

// ChangedFile is a changed file with the lines of its changed parts.
type ChangedFile struct {
	// Old and New are its paths from the folder of the code; empty where it is not there.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
	// Note says why lines are missing, or why none of them can matter.
	Note  string        `json:"note,omitempty"`
	Lines []ChangedLine `json:"lines"`
}

// Path returns the file's path, the new one where there are two.
func (f *ChangedFile) Path() string {
	if f.New != "" {
		return f.New
	}
	return f.Old
}

// ChangedLine is a line that was removed or added, or one next to them.
type ChangedLine struct {
	Kind string `json:"kind" enum:"same removed added omitted"`
	Old  int    `json:"old,omitempty"` // number before the change, from 1
	New  int    `json:"new,omitempty"` // after it; of a removed line that of the line that follows
	Text string `json:"text"`
	More int    `json:"more,omitempty"` // characters that Text lacks
	// Mark says what is known of a changed line. Of one that ran in part an operand was not both
	// true and false. A missed line did not run, and a quiet one cannot matter. No grain models an
	// unmodelled one, and it did not run. An unseen one has nothing that runs, as a type.
	Mark string `json:"mark,omitempty" enum:"ran partly missed quiet unmodelled unseen"`
	Why  string `json:"why,omitempty"`
}

// What says what happened to a declaration.
func (d *Declaration) What() string { return d.Kind + " " + d.Name + " is " + d.How }

// At returns where a declaration is.
func (d *Declaration) At() string {
	switch {
	case d.Line == 0:
		return d.File
	case d.Last > d.Line:
		return fmt.Sprintf("%s:%d-%d", d.File, d.Line, d.Last)
	}
	return fmt.Sprintf("%s:%d", d.File, d.Line)
}

// Departure is the step of a diagram after which the code and the specification differ.
type Departure struct {
	Step int `json:"step"` // from 1
	// Sides are the parts of the state that differ.
	Sides []Differing `json:"sides"`
	// Message describes a panic or an error.
	Message string `json:"message,omitempty"`
}
