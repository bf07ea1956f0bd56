package conform

import (
	"context"
	"errors"
)

// Sides are the two sides of a change of an implementation in another language than Go, compiled.
type Sides struct {
	// Before and After are a folder or an archive with the compiled code of a side; "": that of the
	// implementation itself.
	Before, After string
	Lines         []SideLine
	Compared      []string // the variables that walks compare
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
