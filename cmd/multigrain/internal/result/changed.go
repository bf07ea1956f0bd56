package result

import "fmt"

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
