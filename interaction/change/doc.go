// Package change finds which modules of a specification a change of the implementation touches. It
// goes from changed lines to the declarations that they change, to the functions that reach these,
// and to the grains that model one of them.
//
// Go is read by syntax trees, old and new, so comments and white space change nothing. It is also
// read by a VTA call graph (Sundaresan et al., "Practical Virtual Method Call Resolution for Java",
// 2000; golang.org/x/tools/go/callgraph/vta). A changed function that no grain models touches the
// modules of the modelled functions that reach it by calls. The lines of code in other languages
// are compared with a table of methods; calls are not followed there.
//
// # What a result means
//
// Every changed declaration is either on a trail to a modelled function, or named as not modelled.
// A trail says that a module models the code that changed. It does not say what the change does
// there: the specification stays that of the implementation's recorded version, as far as the
// manifest's options do not choose another variant.
//
// Limits: the call graph knows calls in the loaded packages. A method that only code outside of
// them calls, as sort.Sort does Less, has no caller, and is named as not modelled. Reflection,
// assembly and go:linkname are not followed.
package change

import "github.com/multigrain/multigrain/grains"

// Declaration is a declaration that changed, or lines in which there is none.
type Declaration struct {
	Name string `json:"name"` // with its package or class
	Kind Kind   `json:"kind"`
	How  How    `json:"how"`
	File string `json:"file"` // relative to the root of the code
	// Line and Last are its first and last line, 1-based: in the new file, those of removed ones in
	// the old file. For lines that are compared with a table they are those of the change in the
	// old file.
	Line int `json:"line"`
	Last int `json:"last"`
	// Followed says that other changed lines show the change of the declaration. All that uses it
	// changed, or it is a variable that differs only in functions within its value.
	Followed bool `json:"followed,omitempty"`
}

// Kind says what a declaration is.
type Kind string

// The kinds of declarations. Lines are those outside of any, Package is a whole file's package
// clause or build constraints.
const (
	Function Kind = "function"
	Method   Kind = "method"
	Type     Kind = "type"
	Const    Kind = "constant"
	Var      Kind = "variable"
	Import   Kind = "import"
	Package  Kind = "package"
	Lines    Kind = "lines"
)

// How says what became of a declaration.
type How string

// What becomes of declarations.
const (
	Changed How = "changed"
	Added   How = "added"
	Removed How = "removed"
)

// Step is a function on the path of calls between a changed declaration and a modelled one.
type Step struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"` // of the declaration
}

// Trail leads from a changed declaration to a function that grains model.
type Trail struct {
	Declaration Declaration `json:"declaration"`
	// Path are the functions that reach it: the first calls or uses the declaration, the last one
	// is modelled. It is empty where the declaration itself is modelled.
	Path  []Step `json:"path"`
	Place *Place `json:"place"`
}

// Unmodelled is a changed declaration that leads to no modelled function.
type Unmodelled struct {
	Declaration
	Reason string `json:"reason"`
	// Policy is Report or Fail; see Rule.
	Policy Policy `json:"policy"`
}

// Ignored is a changed file, or a part of one, that cannot matter.
type Ignored struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// Analysis lists what a change touches.
type Analysis struct {
	Files      int          `json:"files"` // changed ones, those that are ignored among them
	Trails     []Trail      `json:"trails"`
	Unmodelled []Unmodelled `json:"unmodelled"`
	Ignored    []Ignored    `json:"ignored"`
	// Doubts are reasons for which the trails may be wrong, as sentences: lines that are those of
	// another version.
	Doubts []string `json:"doubts"`
	// Missing are names of modelled functions that the code, or the table, does not have.
	Missing []string `json:"missing"`

	// Uncalled are functions in Go that the change removes, and that nothing which is left of the
	// code called. An adapter may have called those that are exported.
	Uncalled []Uncalled `json:"-"`

	// Grown are struct types in Go that differ in new exported fields alone, where all functions of
	// the code that use these changed. An adapter may use them.
	Grown []Grown `json:"-"`

	// Renamed are names of Go packages that have another one after the change, by import path and
	// the old name: see package names. They are those of functions, types and fields.
	Renamed map[Name]string `json:"-"`

	rules []Rule
}

// Uncalled is a function that is gone, by its name in Unmodelled.
type Uncalled struct {
	Name, File string
	Method     bool
}

// Grown is a struct type with new fields, by its name in Trails or Unmodelled and by that with its
// import path.
type Grown struct {
	Name, Type string
	Fields     []string
}

// Name is a name that a package uses.
type Name struct{ Package, Name string }

// Place is a function of the implementation with the grains that model it. Coarse grains are left
// out: what one of them models, the grains that it coarsens do.
type Place struct {
	Name   string       `json:"name"`
	Grains []grains.Ref `json:"grains"`
	// At is where the catalog or the manifest says so.
	At grains.Place `json:"at"`
}
