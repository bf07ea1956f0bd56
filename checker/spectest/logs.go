package spectest

import (
	"io"

	"github.com/multigrain/multigrain/checker/internal/refine"
	"github.com/multigrain/multigrain/checker/internal/trace"
	"github.com/multigrain/multigrain/modules"
)

// Mapping says what the events of a log stand for.
type Mapping = trace.Mapping

// Event is an event of a log.
type Event = trace.Event

// Problem is something in a mapping that does not fit the specification.
type Problem = trace.Problem

// LogResult is the outcome of Validate.
type LogResult[S any] = trace.Result[S]

// LogOptions are the options of Validate.
type LogOptions = trace.Options

// ReadLog reads a log in a format. File is its name in errors, which are those of a line or of r.
func ReadLog(r io.Reader, file, format string) (trace.Log, error) { return trace.Read(r, file, format) }

// Validate searches for a behaviour that matches the events. The problems say what is wrong with
// the mapping; with any of them there is no result.
func Validate[S any](spec *modules.Spec[S], m *Mapping, events []Event, opt LogOptions) (*LogResult[S], []Problem) {
	return trace.Validate(spec, m, events, opt)
}

// Stats count what a monitor has done.
type Stats = refine.Stats

// Alarm is a message that a monitored node must not have sent.
type Alarm = refine.Alarm

// Verification counts what a monitor compared with its conditions at sampled states.
type Verification = refine.Verification
