package wire

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/checker/internal/exchange"
)

// channelVar is the environment variable with the descriptors of the pipes that the command and a
// program share apart from the standard streams. There are two, and two more for a part of a
// search:
//
//	results    the program writes its Events. What the user's code prints goes to the standard
//	           output, so nothing that it prints is treated as a result.
//	lifeline   nobody writes. The command holds one end as long as it lives. The program reads the
//	           other end, and exits at its end: then the command has ended, however it did.
//	sent       the program writes frames for other parts: see package exchange.
//	received   the program reads frames of other parts.
//
// Without the variable the program writes its events to the standard output, for a user who runs a
// program that the verb build made.
const channelVar = "MULTIGRAIN_CHANNEL"

// channel is the command's side.
type channel struct {
	results, lifeline *os.File
	sent, received    *os.File   // nil where the program is no part of a search
	theirs            []*os.File // the program's ends
}

// open makes the pipes and hands their other ends to the program. Those of a part have frames, too.
func open(cmd *exec.Cmd, part bool) (c *channel, err error) {
	c = new(channel)
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	var results, lifeline *os.File
	if c.results, results, err = os.Pipe(); err != nil {
		return nil, err
	}
	c.theirs = append(c.theirs, results)
	if lifeline, c.lifeline, err = os.Pipe(); err != nil {
		return nil, err
	}
	c.theirs = append(c.theirs, lifeline)
	if part {
		var sent, received *os.File
		if c.sent, sent, err = os.Pipe(); err != nil {
			return nil, err
		}
		c.theirs = append(c.theirs, sent)
		if received, c.received, err = os.Pipe(); err != nil {
			return nil, err
		}
		c.theirs = append(c.theirs, received)
		enlarge(c.sent)
		enlarge(c.received)
	}
	names, err := attach(cmd, c.theirs...)
	cmd.Env = append(os.Environ(), channelVar+"="+strings.Join(names, ","))
	return c, err
}

// release closes the program's ends, so that its end is seen.
func (c *channel) release() {
	for _, f := range c.theirs {
		f.Close()
	}
	c.theirs = nil
}

func (c *channel) close() {
	c.release()
	for _, f := range []*os.File{c.results, c.lifeline, c.sent, c.received} {
		if f != nil {
			f.Close()
		}
	}
}

// start starts a program and returns what waits for it. Linux ends the program when the thread that
// started it ends. A goroutine keeps that thread until the program has ended: the Go runtime may
// end a thread whose goroutine it was locked to, and any goroutine may have locked one.
func start(cmd *exec.Cmd) (wait func() error, err error) {
	started, ended := make(chan error, 1), make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return func() error { return <-ended }, nil
}

// Side is the program's side. Sent and Received are nil where the program is no part of a search.
type Side struct {
	Results        io.Writer // where events go
	Commanded      bool      // a command started the program
	Sent, Received *os.File
}

// Results returns the program's side. From then on a program that a command started ends with the
// command.
func Results() (s Side, err error) {
	text, ok := os.LookupEnv(channelVar)
	if !ok {
		return Side{Results: os.Stdout}, nil
	}
	os.Unsetenv(channelVar) // not for programs that this one starts
	s.Commanded = true
	var files []*os.File
	for k, name := range strings.Split(text, ",") {
		f, err := inherited(name, k >= 2)
		if err != nil {
			return s, err
		}
		files = append(files, f)
	}
	if len(files) != 2 && len(files) != 4 {
		return s, errors.New(channelVar + " is not what a command sets")
	}
	s.Results = files[0]
	if len(files) == 4 {
		s.Sent, s.Received = files[2], files[3]
	}
	go func() {
		io.Copy(io.Discard, files[1])
		os.Exit(1)
	}()
	return s, nil
}

// inherited returns a file of the channel. One with frames is read and written all the time. Its
// goroutines wait for it without a thread, so that the runtime does not look for threads that wait
// in the kernel.
func inherited(name string, frames bool) (*os.File, error) {
	fd, err := strconv.ParseUint(name, 10, 64)
	if err != nil {
		return nil, errors.New(channelVar + " is not what a command sets")
	}
	private(uintptr(fd), frames)
	f := os.NewFile(uintptr(fd), "channel")
	if f == nil {
		return nil, errors.New(channelVar + " names no open file")
	}
	return f, nil
}

// ReadFrame reads a frame that a part of a search sends, of at most 1 MiB, into buffer if that has
// room for it. The error is io.EOF at the end of the stream.
func ReadFrame(r io.Reader, buffer []byte) ([]byte, error) { return exchange.Read(r, buffer) }

// WriteFrame writes a frame for a part of a search.
func WriteFrame(w io.Writer, frame []byte) error { return exchange.Write(w, frame) }

// FrameReceiver returns the number of the part that a frame is for, from 0, and -1 for what is no
// frame.
func FrameReceiver(frame []byte) int { return exchange.Receiver(frame) }

// FrameIsBatch reports whether a frame holds nodes.
func FrameIsBatch(frame []byte) bool { return exchange.IsBatch(frame) }

// MostParts bounds the number of parts of a search. Silence is how long one may be silent before it
// counts as gone.
const (
	MostParts = exchange.MostParts
	Silence   = exchange.Silence
)
