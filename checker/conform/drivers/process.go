package drivers

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/host"
)

// What a driver may write: the length of an answer in bytes, and how much of its standard error is
// kept.
const (
	MaxLine   = 16 << 20
	keptBytes = 32 << 10
	keptLines = 40
)

// Bounds of waiting, next to Hello.Patience.
const (
	beginning = time.Minute // for hello: interpreters are started and modules are loaded
	usual     = 10 * time.Second
	ending    = 2 * time.Second // for a process after stop
)

// Command says how the process of a driver is started.
type Command struct {
	Args []string // the program and its arguments
	Dir  string   // where it runs
	Env  []string // in addition to the environment of this process, as NAME=VALUE
	// Transcript is a file to which all lines are added; "": they are not kept.
	Transcript string
	// Remedy says what to do if the program cannot be started; "" where nothing more is known.
	Remedy string
	// Names are the driver's names of actions and variables, by those of the specification, where
	// they differ. No two have one name.
	Names map[string]string
}

// A Fault says that a driver cannot be used: it does not start, or does not keep to the protocol.
type Fault struct {
	Command string // the program of the driver, with its arguments
	Message string
	Start   bool // it does not start
}

func (f *Fault) Error() string { return "the driver " + f.Command + " " + f.Message }

// errSilent says that a driver did not answer in time.
type errSilent struct {
	do    string
	after time.Duration
}

func (e *errSilent) Error() string {
	return fmt.Sprintf("the driver did not answer %s within %s", e.do, e.after)
}

// process is a running driver.
type process struct {
	command *Command
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	words   tail
	id      int64
	record  io.WriteCloser // the transcript; nil: none
	scratch string         // the folder TMPDIR of the process, which goes when it ends
}

// start begins a process. Its temporary files are in a folder of its own, so that those of a
// process that is killed go, too.
func (c *Command) start() (_ *process, err error) {
	p := &process{command: c}
	if p.scratch, err = host.MkdirTemp(memory(), "multigrain-driver-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			host.RemoveAll(p.scratch)
		}
	}()
	p.cmd = exec.Command(c.Args[0], c.Args[1:]...)
	p.cmd.Dir, p.cmd.Stderr, p.cmd.WaitDelay = c.Dir, &p.words, ending
	p.cmd.Env = append(append(p.cmd.Environ(), "TMPDIR="+p.scratch), c.Env...)
	if path := lookUp(c.Args[0], p.cmd.Env); path != "" {
		p.cmd.Path, p.cmd.Err = path, nil
	}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 64<<10)
	if err := startChild(p.cmd); err != nil {
		return nil, c.fault(true, "does not start: %v.%s", err, c.remedy())
	}
	if c.Transcript != "" {
		if p.record, err = host.OpenFile(c.Transcript, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
			p.kill()
			return nil, err
		}
		p.note("#", []byte(strings.Join(c.Args, " ")))
	}
	return p, nil
}

// lookUp returns the path of a program, as PATH of an environment has it; "" where that says
// nothing of it.
func lookUp(program string, env []string) string {
	if strings.ContainsRune(program, filepath.Separator) {
		return ""
	}
	path := ""
	for _, e := range env {
		if value, ok := strings.CutPrefix(e, "PATH="); ok {
			path = value // the last one counts
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if dir == "" || !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
			return found
		}
	}
	return ""
}

func (c *Command) remedy() string {
	if c.Remedy == "" {
		return ""
	}
	return " " + c.Remedy
}

func (c *Command) fault(start bool, format string, args ...any) *Fault {
	return &Fault{strings.Join(c.Args, " "), fmt.Sprintf(format, args...), start}
}

// errEnded says that the process ended during a request.
var errEnded = errors.New("the process ended")

// ask sends a request and reads its answer. The error is a *Fault, an *errSilent, errEnded, or one
// of the transcript.
func (p *process) ask(req *Request, within time.Duration) (*Answer, error) {
	p.id++
	req.ID = p.id
	line, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	timer := time.AfterFunc(within, func() { killAll(p.cmd) })
	began := host.Now()
	line = append(line, '\n')
	p.note(">", line)
	_, err = p.in.Write(line)
	var answer []byte
	if err == nil {
		answer, err = p.line()
	}
	if !timer.Stop() && host.Since(began) >= within {
		return nil, &errSilent{req.Do, within}
	}
	if fault, ok := errors.AsType[*Fault](err); ok {
		return nil, fault
	}
	if err != nil {
		return nil, errEnded
	}
	p.note("<", answer)
	return p.read(req, answer)
}

// read takes an answer apart.
func (p *process) read(req *Request, line []byte) (*Answer, error) {
	var a Answer
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return nil, p.command.fault(false, "answers %s with what is no message: %.200q: %v. Standard output is for messages only: print to standard error.", req.Do, strings.TrimSpace(string(line)), err)
	}
	if d.More() {
		return nil, p.command.fault(false, "writes more than one object in a line: %.200q.", strings.TrimSpace(string(line)))
	}
	fields := 0
	for _, has := range []bool{a.OK != nil, a.Refused != nil, a.Failed != nil} {
		if has {
			fields++
		}
	}
	switch {
	case a.ID != req.ID:
		return nil, p.command.fault(false, "answers request %d when it was asked request %d, %s. Each request has one answer, with its id.", a.ID, req.ID, req.Do)
	case fields != 1:
		return nil, p.command.fault(false, "answers %s with %.200q: exactly one of ok, refused and failed is required.", req.Do, strings.TrimSpace(string(line)))
	}
	return &a, nil
}

// line reads a line of at most MaxLine bytes.
func (p *process) line() ([]byte, error) {
	var all []byte
	for {
		part, err := p.out.ReadSlice('\n')
		if all == nil && err == nil {
			return part, nil
		}
		if all = append(all, part...); len(all) > MaxLine {
			return nil, p.command.fault(false, "writes a line of more than %d MiB.", MaxLine>>20)
		}
		if err != bufio.ErrBufferFull {
			return all, err
		}
	}
}

// note adds a line to the transcript, with the number of the process.
func (p *process) note(mark string, line []byte) {
	if p.record != nil {
		fmt.Fprintf(p.record, "%d %s %s\n", p.cmd.Process.Pid, mark, bytes.TrimRight(line, "\n"))
	}
}

// ended describes a process that ended by itself. It is a *Fault if the process has only closed its
// standard output.
func (p *process) ended() error {
	p.in.Close()
	closed := false
	timer := time.AfterFunc(ending, func() {
		closed = true
		killAll(p.cmd)
	})
	err := p.cmd.Wait()
	p.close()
	if !timer.Stop() && closed {
		return p.command.fault(false, "closes its standard output and does not end.")
	}
	status := "exit status 0"
	if err != nil {
		status = err.Error()
	}
	lines := p.words.lines()
	e := &conform.EndedError{Message: status, Log: append([]string{status}, lines...)}
	if n := len(lines); n > 0 {
		e.Message = lines[n-1]
	}
	return e
}

// stop asks the process to end, and ends it if it does not.
func (p *process) stop() {
	timer := time.AfterFunc(ending, func() { killAll(p.cmd) })
	defer timer.Stop()
	p.id++
	if line, err := json.Marshal(Request{ID: p.id, Do: DoStop}); err == nil {
		line = append(line, '\n')
		p.note(">", line)
		p.in.Write(line)
	}
	p.in.Close()
	io.Copy(io.Discard, p.out)
	p.cmd.Wait()
	p.close()
}

// kill ends the process at once.
func (p *process) kill() {
	p.in.Close()
	killAll(p.cmd)
	p.cmd.Wait()
	p.close()
}

// close releases what belongs to a process that has ended.
func (p *process) close() {
	if p.record != nil {
		p.record.Close()
	}
	host.RemoveAll(p.scratch)
}

// tail keeps the end of what is written.
type tail struct {
	mu  sync.Mutex
	all []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, b...)
	if over := len(t.all) - keptBytes; over > keptBytes {
		t.all = append([]byte(nil), t.all[over:]...)
	}
	return len(b), nil
}

// lines returns the last lines.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.all), "?"))
	if text == "" {
		return nil
	}
	all := strings.Split(text, "\n")
	return all[max(len(all)-keptLines, 0):]
}
