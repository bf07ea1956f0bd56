package conform

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Implementation is a real system with the adapter that connects it. A package that connects one
// declares it as
//
//	var Implementation = conform.Implementation[spec.State]{...}
//
// which an assembled program uses if the manifest's implementation block names the package.
type Implementation[S any] struct {
	Name string // as etcd-raft
	// Module is the path of the Go module whose version is the implementation's; "" where it is no
	// Go module, and the version is then the adapter's to check.
	Module string
	// Open makes an adapter. It is called once for each worker. It fails if the adapter cannot
	// follow the composition.
	Open func(Setup) (Adapter[S], error)
	// Build makes code of sources, for Setup.Code: see Compile. Nil: the adapter compiles nothing.
	Build func(context.Context, Setup, Sources) (path string, err error)
	// Writes says what changed lines write: see Effects. Nil: the adapter does not know.
	Writes func(context.Context, Setup, Sides) (*Written, error)
}

// Setup describes the composition that an adapter follows.
type Setup struct {
	Actions  []string          // names, in order, each once
	Settings map[string]string // of the manifest's implementation block
	Version  string            // that the manifest requires; "" where it says nothing
	Code     *Code             // takes the place of the implementation's own; nil for that
	// Keep is a folder for what an adapter makes of the implementation and needs in each run; "":
	// nothing is kept. Several processes may use it at once.
	Keep string
}

// Has reports whether the composition has an action.
func (s *Setup) Has(action string) bool { return slices.Contains(s.Actions, action) }

// Adapter runs an implementation in step with a specification whose states are S. Its methods are
// called by one goroutine, and what it does depends on the calls alone: no time, no randomness, no
// goroutines that outlive a call.
type Adapter[S any] interface {
	// Variables are the fields of S that the adapter observes, by name. They do not change.
	Variables() []string
	// Start brings the implementation into the initial state s, whatever it was doing before.
	Start(s *S) error
	// Perform does on the implementation what a step of the specification stands for. An error
	// means that it cannot be done, or that the implementation shows something there that no value
	// of the specification stands for.
	Perform(step Step[S]) error
	// Observe writes what the implementation has into the fields of s that Variables names. They
	// hold what the last call since Start left there, so only what may have changed needs to be
	// written; after Start all of s is zero. An error means as in Perform. A *BesideError leaves s
	// whole.
	Observe(s *S) error
	// Log makes the implementation and the adapter say what they do, line by line, to w; nil, as in
	// the beginning: nowhere.
	Log(w io.Writer)
	// Stop releases what the implementation holds. Nothing is called after it.
	Stop() error
}

// Explainer is an adapter that says more about a difference while the implementation still
// stands where it occurred. What it writes is the difference's log. A walk with a difference is
// not done again, so it is not shrunk.
type Explainer interface{ Explain(w io.Writer) }

// Asserter is an adapter that follows the specification into an assertion of the implementation's
// own code. Without it a behaviour ends before a step that raises one.
type Asserter[S any] interface {
	// Assert does a step that raises an assertion, and waits for the implementation to report it.
	// The behaviour ends there: the specification says nothing about what follows. An error means
	// that the implementation does not report it, or is as in Perform.
	Assert(step Step[S]) error
}

// Limited is an adapter that cannot drive every step of the composition.
type Limited[S any] interface {
	// LeavesOut says why a step cannot be driven; "" where it can. Walks do without such a step,
	// and a trace with one is refused. The answer depends on the step alone.
	LeavesOut(step Step[S]) (reason string)
}

// Evident is an adapter that reads more of the implementation than the specification has variables
// for. Conditions of accepted differences name it as evidence.
type Evident interface {
	// Evidence returns a pointer to a struct about the last step. The type is always the same.
	Evidence() any
}

// Borrower is an adapter that takes parts of the variables which it observes from the
// specification. They are compared, and after a difference they are no evidence: an invariant that
// reads one of them is not judged then.
type Borrower interface {
	// Borrowed are these parts as paths of fields, such as Reads.Floor.
	Borrowed() []string
}

// Holder is an adapter that names the objects of the implementation that it drives, such as nodes,
// disks and messages in flight. What they hold in fields of structs of the implementation's module
// is summed up: see Options.Held. They are examined after each step, so nothing may write them
// then.
type Holder interface{ Holds() []any }

// Patient is an adapter whose steps may take longer than ten seconds.
type Patient interface {
	// Patience bounds the time that a step takes, with its observation.
	Patience() time.Duration
}

// Versioned is an adapter that knows which version of the implementation it runs.
type Versioned interface{ Version() string }

// Selective is an adapter with the methods of more of these interfaces than it is: what it connects
// decides.
type Selective interface {
	// Offers reports whether it is an adapter of an interface, by name, as Explainer. The answers
	// do not change.
	Offers(name string) bool
}

// offered returns an adapter as one of the interfaces above, if it is one.
func offered[T any](adapter any) (x T, ok bool) {
	x, ok = adapter.(T)
	if s, selective := adapter.(Selective); ok && selective {
		name, _, _ := strings.Cut(reflect.TypeFor[T]().Name(), "[")
		ok = s.Offers(name)
	}
	return x, ok
}

// Breakable is an adapter that can turn out to be at fault itself, as one whose other half is a
// process that does not keep to a protocol. No result is drawn from a run with such an adapter.
type Breakable interface {
	// Broken says what is wrong with the adapter; nil where nothing is. It stays.
	Broken() error
}

// EndedError is an error of Start, Perform, Observe and Assert: the process of the implementation
// ended by itself. That is a difference if it ends again when the walk is done once more.
// The next Start begins a new process.
type EndedError struct {
	Message string   // its last words, in a line
	Log     []string // what it wrote last
}

func (e *EndedError) Error() string { return e.Message }

// AgainError is an error of Perform and Assert that the machine may have caused. It is a difference
// if it comes again when the walk is done once more.
type AgainError struct{ Err error }

func (e *AgainError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *AgainError) Unwrap() error { return e.Err }

// UndrivenError is an error of Perform: the implementation could not be brought to the end of the
// step. That is no difference. The result is undecided.
type UndrivenError struct{ Message string }

func (e *UndrivenError) Error() string { return e.Message }

// BesideError is an error of Observe with which all variables are observed. The implementation also
// has something that no variable stands for, such as a vote in memory that is not on the disk. A
// difference of variables counts first. Walks that continue after differences (Follow) continue
// after this one, too.
type BesideError struct{ Message string }

func (e *BesideError) Error() string { return e.Message }

// Step is a step of the specification.
type Step[S any] struct {
	Action string
	Params any // the value of the action's parameter, of its type in the specification
	// Before and After are the states around the step. An adapter takes from them what a client or
	// the environment chooses, as the number of a command, and nothing that the implementation
	// decides. They are read only and valid during the call.
	Before, After *S
}

// BuiltIn returns the version of a module as it is built into this program, and what it was
// replaced by, "" where it was not. The error says that the program was built without it.
func BuiltIn(module string) (version, replaced string, err error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", "", fmt.Errorf("the program does not know which version of %s it was built with", module)
	}
	for _, d := range append(info.Deps, &info.Main) {
		if d.Path != module {
			continue
		}
		if d.Replace != nil && d.Replace.Path == module { // by another of its versions
			return d.Replace.Version, "", nil
		}
		if d.Replace != nil {
			replaced = strings.TrimSpace(d.Replace.Path + " " + d.Replace.Version)
		}
		return d.Version, replaced, nil
	}
	return "", "", fmt.Errorf("the program was built without %s", module)
}

// VersionError says that another version of the implementation was built in than the manifest pins.
type VersionError struct{ Module, Want, Have string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the manifest requires %s %s, and the program is built with %s", e.Module, e.Want, e.Have)
}

// Check returns the version that was built in, "" if it is not known. It returns a *VersionError if
// another one is required; want is "" for any. It also fails if a version is required and the
// program does not say what it is built of.
func (i *Implementation[S]) Check(want string) (string, error) {
	if i.Module == "" {
		return want, nil
	}
	have, replaced, err := BuiltIn(i.Module)
	switch {
	case err != nil && want == "":
		return "", nil // test binaries do not say what they are built of
	case err != nil:
		return "", err
	}
	if want != "" && want != have {
		return have, &VersionError{i.Module, want, have}
	}
	if replaced != "" {
		return have + " => " + replaced, nil
	}
	return have, nil
}
