package conform

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/setting"
)

// Code is compiled code that takes the place of a part of the implementation's own, and its
// lines that must be noted. An adapter that runs it is a Coded.
type Code struct {
	// Path is a folder or an archive with the code; "": the implementation's own runs.
	Path string
	// Lines are those whose runs must be noted.
	Lines []CodeLine
}

// CodeLine is a line of a source.
type CodeLine struct {
	File    string `json:"file"`              // with slashes, as the change names it
	Number  int    `json:"number"`            // from 1
	Removed bool   `json:"removed,omitempty"` // lines were removed before it
	Text    string `json:"text,omitempty"`    // of the line
}

// Coded is an adapter that runs other code than the implementation's own: see Setup.Code. It runs
// that of Code.Path and no other, or Open fails.
type Coded interface {
	// Places are the places that are noted of Code.Lines. A line that can never run has none, and a
	// line with conditions has one for each of them as well. They do not change.
	Places() []checker.Point
	// Ran says which places have run since the last call of Start, with two entries for each. The
	// second one says that the line ran, or that a condition was true or did not jump. The first
	// one says that a condition was false or jumped.
	Ran() []bool
}

// Sources are changed sources of an implementation in another language than Go.
type Sources struct {
	Dir   string   // the folder of the code
	Files []string // relative to Dir, with slashes; those that must be compiled
	// To is the folder for the result. It is named by what it is made of, so a result that is there
	// already can be taken.
	To string
	// Original asks for the files as the version has them: they are written to To under their
	// names. Dir is "" then.
	Original bool
}

// BuildMessage is an error of a compiler.
type BuildMessage struct {
	File string `json:"file,omitempty"` // of Sources.Files; "" where it is about none
	Line int    `json:"line,omitempty"` // from 1; 0: of no line
	Text string `json:"text"`
}

func (m BuildMessage) String() string {
	switch {
	case m.File == "":
		return m.Text
	case m.Line == 0:
		return m.File + ": " + m.Text
	}
	return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Text)
}

// BuildError says that a compiler refuses the sources.
type BuildError struct{ Messages []BuildMessage } // at least one

func (e *BuildError) Error() string { return e.Messages[0].String() }

// errNotBuilt says that an implementation compiles nothing.
var errNotBuilt = errors.New("the adapter cannot compile changed code: name the folder with the compiled code")

// Compile makes code of sources, for Code.Path. The path may be below or next to Sources.To. The
// error is a *BuildError if the sources do not compile, else it says what is missing.
func (i *Implementation[S]) Compile(ctx context.Context, setup Setup, s Sources) (path string, err error) {
	if i.Build == nil {
		return "", errNotBuilt
	}
	return i.Build(ctx, setup, s)
}

// coded prepares that the adapters note lines. It fails if an adapter does not run other code.
func (t *tester[S, U]) coded(code *Code) (*checker.Branches, error) {
	if code == nil {
		return nil, nil
	}
	x, ok := offered[Coded](t.adapter)
	if !ok {
		return nil, errors.New("the adapter runs no other code than the implementation's own")
	}
	b := &checker.Branches{Points: x.Places()}
	b.Taken = make([]uint32, 2*len(b.Points))
	for k, p := range b.Points {
		if p.Kind == checker.PointLine { // a line is not false
			b.Never = append(b.Never, 2*k)
		}
	}
	return b, nil
}

// ran returns the positions in checker.Branches.Taken of what ran in the walk.
func (t *tester[S, U]) ran() (out []int) {
	x, ok := offered[Coded](t.adapter)
	if !ok {
		return nil
	}
	for k, is := range x.Ran() {
		if is {
			out = append(out, k)
		}
	}
	return out
}

// noteEqual notes what has run so far, while the walk has no difference.
func (w *worker[S, U]) noteEqual(rec *record) {
	if w.run.opt.Follow == nil {
		return
	}
	ran := w.test.ran()
	rec.note(ran)
	if rec.deviation == nil && !rec.unequal {
		rec.equal = ran
	}
}

// take adds what ran in a walk.
func (f *Follow) take(rec *record) {
	if f == nil || f.Changed == nil || rec.ran == nil {
		return
	}
	if f.Equal == nil {
		f.Equal = make([]uint32, len(f.Changed.Taken))
	}
	for _, x := range []struct {
		ran []int
		to  []uint32
	}{{rec.ran, f.Changed.Taken}, {rec.equal, f.Equal}} {
		for _, k := range x.ran {
			if k < len(x.to) && !slices.Contains(f.Changed.Never, k) {
				x.to[k] = 1
			}
		}
	}
}

// Field returns the field of a struct type by the name that it has in the version which the adapter
// was written for. If changed code gave the field another name, and nothing but the name differs,
// it is the field of that name. It reports false if there is none. An adapter that reads unexported
// fields finds them so: see docs/decisions/0331.
func Field(t reflect.Type, name string) (reflect.StructField, bool) {
	pkg := t.PkgPath()
	if pkg == "" && t.Kind() == reflect.Struct && t.NumField() > 0 { // a type without a name
		pkg = t.Field(0).PkgPath
	}
	return t.FieldByName(setting.Field(pkg, name))
}

// FieldName returns the name of a field that Field finds it by.
func FieldName(f reflect.StructField) string { return setting.FieldWas(f.PkgPath, f.Name) }

// Sides are the two sides of a change of an implementation in another language than Go, compiled.
type Sides struct {
	// Before and After are a folder or an archive with the compiled code of a side; "": that of the
	// implementation itself.
	Before, After string
	Lines         []SideLine
	Compared      []string // the variables that walks compare
	// Inert asks only which of the files that Lines names are inert.
	Inert bool
}

// SideLine is a changed line of one side.
type SideLine struct {
	File   string `json:"file"`             // with slashes
	Number int    `json:"number"`           // from 1
	Before bool   `json:"before,omitempty"` // of the side before the change
	// Gap says that the line did not change, and lines before it are gone.
	Gap bool `json:"gap,omitempty"`
}

// Written says what changed lines write that outlives a call.
type Written struct {
	Writes []LineWrite
	// Same are lines and gaps after the change where all is done as before.
	Same []SideLine
	// Inert are changed files in which nothing that runs can notice the change.
	Inert []string
	// Rests are assumptions about the values of fields on which the answer rests, in words.
	Rests []string
}

// LineWrite is a place that a changed line writes and that outlives the call.
type LineWrite struct {
	SideLine
	Function string `json:"function"`
	Place    string `json:"place"`
	Changes  bool   `json:"changes,omitempty"` // it is a result or an argument, and not written
	Observed bool   `json:"observed"`          // the adapter observes it
}

// errNotAnalysed says that an adapter does not know what code writes.
var errNotAnalysed = errors.New("the adapter does not know what code writes")

// Effects says what the changed lines write. The error says what cannot be read.
func (i *Implementation[S]) Effects(ctx context.Context, setup Setup, s Sides) (*Written, error) {
	if i.Writes == nil {
		return nil, errNotAnalysed
	}
	return i.Writes(ctx, setup, s)
}
