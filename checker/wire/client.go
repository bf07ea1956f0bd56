package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/multigrain/multigrain/checker/setting"
)

// Error returns the message: an Error of a run is an error of Go.
func (e *Error) Error() string { return e.Message }

// A CrashError says that a program ended without a Report or an Error.
type CrashError struct {
	Status string // how it ended, as "exit status 2" or "signal: killed"
	Killed bool   // the system ended it with SIGKILL, as Linux does where memory is short
	// what it wrote to its standard error: at most the first and the last maxOutput bytes
	Output string
	// Printed has what the user's code wrote to its standard output, in the same way.
	Printed string
	// Stuck says that the program was ended since it did not begin: the initialisation of a package
	// does not return. Asked says that Stop was closed meanwhile, After how long it took so far.
	Stuck, Asked bool
	After        time.Duration
}

func (e *CrashError) Error() string {
	if first := e.First(); first != "" {
		return fmt.Sprintf("the program ended without a result (%s): %s", e.Status, first)
	}
	return fmt.Sprintf("the program ended without a result (%s)", e.Status)
}

// First returns the first line of the output, which says most where a Go program fails. It is ""
// where there is none.
func (e *CrashError) First() string {
	line, _, _ := strings.Cut(strings.TrimSpace(e.Output), "\n")
	return line
}

// maxOutput bounds what is kept of a program's standard error, in bytes, from its start and again
// from its end.
const maxOutput = 256 << 10

// grace is how long a program may take to end after its last event.
const grace = 10 * time.Second

// Program is an assembled program on disk.
type Program struct {
	Path string
	// Progress is called, from one goroutine, for each progress event. May be nil.
	Progress func(Progress)
	// Refinement is called, from one goroutine, with the interim results of "monitor". May be nil.
	Refinement func(Refinement)
	// Questions are sent to the program after the request, one a line, while it runs "explore", and
	// Answer is called for each answer, in their order and from one goroutine. May be nil.
	Questions <-chan json.RawMessage
	Answer    func(json.RawMessage)
	// Stop asks the program to end early with the Report that it has by then. It is asked when Stop
	// is closed. May be nil.
	Stop <-chan struct{}
	// Frames carries the frames of a part of a search. It is called in a goroutine of its own with
	// the frames that the program sends, and where those go that it receives; it ends when sent
	// does. Only for requests with Options.Share.
	Frames func(sent io.Reader, received io.Writer)
	// Patience is how long the packages of the program may take for their initialisation; 0: a
	// minute, or three seconds more than the timeout of the request.
	Patience time.Duration
}

// Run runs a program to its end. It is Program.Run without Stop.
func Run(ctx context.Context, path string, req Request, progress func(Progress)) (*Report, error) {
	p := Program{Path: path, Progress: progress}
	return p.Run(ctx, req)
}

// Run runs the program to its end and returns its report. The error is an *Error that the program
// sent, a *CrashError, what prevented the program from starting, or the cause of ctx, at whose end
// the program is killed.
func (p *Program) Run(ctx context.Context, req Request) (*Report, error) {
	req.Options.Progress = p.Progress != nil
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := exec.CommandContext(ctx, p.Path)
	cmd.WaitDelay = grace
	var output, printed headTail
	cmd.Stdout, cmd.Stderr = &printed, &output
	ch, err := open(cmd, p.Frames != nil)
	if err != nil {
		return nil, err
	}
	defer ch.close()
	settle(cmd, req.Settings)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	wait, err := start(cmd)
	if err != nil {
		return nil, err
	}
	ch.release()
	if p.Frames != nil {
		go p.Frames(ch.sent, ch.received)
	}
	b := beginning{began: make(chan struct{}), end: make(chan struct{}), kill: cancel}
	go b.watch(cmd.Process, p.Stop, p.patience(req))
	asked, stop := make(chan struct{}), p.Stop
	go func() {
		defer stdin.Close() // asks the program to end
		if json.NewEncoder(stdin).Encode(req) != nil {
			return // it has ended already, which reading its output finds out
		}
		for {
			select {
			case <-stop:
				return
			case <-asked:
				return
			case q := <-p.Questions:
				if json.NewEncoder(stdin).Encode(q) != nil {
					return
				}
			}
		}
	}()
	last, bad := p.events(ch.results, sync.OnceFunc(func() { close(b.began) }))
	close(asked)
	if bad != nil {
		cancel(bad) // it may wait for its results to be read
	}
	err = p.wait(wait, cancel)
	close(b.end)
	switch {
	case b.stuck.Load():
		return nil, &CrashError{Status: "no sign of life", Output: output.String(), Printed: printed.String(), Stuck: true,
			Asked: b.asked.Load(), After: b.after}
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case last.Error != nil:
		return nil, last.Error
	case last.Report != nil:
		return last.Report, nil
	}
	return nil, crash(err, output.String(), printed.String())
}

// settle gives a program the constants that it takes as it starts.
func settle(cmd *exec.Cmd, settings map[string]string) {
	if len(settings) == 0 {
		return
	}
	text, err := json.Marshal(settings)
	if err != nil {
		panic(err) // texts only
	}
	cmd.Env = append(cmd.Environ(), setting.Variable+"="+string(text))
}

// errStays is the cause of killing a program that has sent its last event and does not end.
var errStays = errors.New("the program did not end")

// wait waits until the program has ended, for as long as grace allows.
func (p *Program) wait(wait func() error, cancel context.CancelCauseFunc) error {
	timer := time.AfterFunc(grace, func() { cancel(errStays) })
	defer timer.Stop()
	return wait()
}

// events reads events up to the last one, and calls began at the first. An error means that the
// results are none of a program's.
func (p *Program) events(out io.Reader, began func()) (last Event, err error) {
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var e Event
			switch parseErr := json.Unmarshal(line, &e); {
			case parseErr != nil && err == nil:
				return Event{}, fmt.Errorf("the program wrote %.80q where results are expected", line)
			case parseErr != nil: // truncated, so it has crashed
				return Event{}, nil
			case e.Begun:
				began()
			case e.Noted != "":
				if p.Progress != nil {
					p.Progress(Progress{Noted: e.Noted})
				}
			case e.Progress != nil:
				if p.Progress != nil {
					p.Progress(*e.Progress)
				}
			case e.Refinement != nil:
				if p.Refinement != nil {
					p.Refinement(*e.Refinement)
				}
			case e.Answer != nil:
				if p.Answer != nil {
					p.Answer(e.Answer)
				}
			case e.Report != nil || e.Error != nil:
				began()
				return e, nil
			}
		}
		if err != nil {
			return Event{}, nil // the program's end says why
		}
	}
}

func crash(err error, output, printed string) error {
	e := &CrashError{Status: "exit status 0", Output: output, Printed: printed}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		e.Status = exit.ProcessState.String()
		e.Killed = killed(exit.ProcessState)
	case err != nil:
		return err
	}
	return e
}

// headTail keeps the start and the end of what is written.
type headTail struct {
	head, tail []byte
	left       int // bytes between the two
}

func (b *headTail) Write(p []byte) (int, error) {
	n := len(p)
	take := min(n, maxOutput-len(b.head))
	b.head = append(b.head, p[:take]...)
	b.tail = append(b.tail, p[take:]...)
	if over := len(b.tail) - maxOutput; over > 0 {
		b.left += over
		b.tail = append(b.tail[:0], b.tail[over:]...)
	}
	return n, nil
}

func (b *headTail) String() string {
	if b.left == 0 {
		return string(b.head) + string(b.tail)
	}
	return fmt.Sprintf("%s\n... %d bytes are left out ...\n%s", b.head, b.left, b.tail)
}
