package sampling

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// How a server is isolated.
const (
	Stop       = "stop"       // it is stopped, and started again later
	Disconnect = "disconnect" // it keeps running without connections
	Late       = "late"       // proposals do not arrive, and its log waits, until the step ends
)

// Options of a run.
type Options struct {
	Jars      *control.Jars
	Servers   int
	Harness   Harness
	Isolation string // Stop, Disconnect or Late
	// Wait is how long a request waits for its answer before the phase ends.
	Wait time.Duration
	// Patience bounds how long a quorum takes to serve.
	Patience time.Duration
	// Interval and Mean are for executions with random faults: the time between two steps, and the
	// mean time between two faults.
	Interval, Mean time.Duration
}

// Results of an execution.
const (
	Converged    = "converged"    // nothing was found
	Divergence   = "divergence"   // servers have different values at the end
	Inconsistent = "inconsistent" // no sequentially consistent order has these values
	NotLive      = "not-live"     // a server does not serve after healing
	Exited       = "exited"       // a server has ended the JVM or itself
	Unsuccessful = "unsuccessful" // the execution could not be done, so nothing was judged
)

// Execution is one execution and its result.
type Execution struct {
	Number   uint64        `json:"number"`
	Schedule string        `json:"schedule,omitempty"`
	Result   string        `json:"result"`
	Reason   string        `json:"reason,omitempty"`
	Steps    []Outcome     `json:"steps,omitempty"`
	Final    []map[int]int `json:"final,omitempty"` // by server: the values of the keys
	Millis   int64         `json:"milliseconds"`
}

// Slot runs executions one after the other.
type Slot struct {
	e        *ensemble
	sessions []control.Session
	clients  []*control.Client // by server; nil without a connection
}

// NewSlot returns a slot whose files are below a folder. Classes is the folder of BuildHost.
func NewSlot(opt *Options, dir, classes string) (*Slot, error) {
	e, err := newEnsemble(opt, dir, classes)
	return &Slot{e: e}, err
}

// Close ends the servers, removes their files, and returns the processor time of the JVMs.
func (s *Slot) Close() time.Duration {
	s.e.end()
	for _, links := range s.e.links {
		for _, l := range links {
			l.Close()
		}
	}
	os.RemoveAll(s.e.dir)
	return s.e.used
}

// Run does one execution by a schedule. Files of servers and their log are copied to keep after a
// finding, unless it is "".
func (s *Slot) Run(ctx context.Context, number uint64, schedule Schedule, keep string) Execution {
	return s.run(ctx, Execution{Number: number, Schedule: schedule.String()}, keep, func(x *Execution) error {
		for k, step := range s.e.Harness {
			o, err := s.step(ctx, step, schedule[k])
			if err != nil {
				return fmt.Errorf("step %d: %w", k+1, err)
			}
			x.Steps = append(x.Steps, o)
		}
		return nil
	})
}

// RunLoss does one execution with random faults: the paper's baseline. At random times a random
// server is isolated, or rejoins if it was isolated. Steps are made in equal intervals.
func (s *Slot) RunLoss(ctx context.Context, seed, number uint64, keep string) Execution {
	return s.run(ctx, Execution{Number: number}, keep, func(x *Execution) error {
		return s.loss(ctx, rand.New(rand.NewPCG(seed, number)), x)
	})
}

// run does what all executions have in common.
func (s *Slot) run(ctx context.Context, x Execution, keep string, steps func(*Execution) error) Execution {
	begun := time.Now()
	ctx, cancel := context.WithTimeout(ctx, 20*s.e.Patience)
	defer cancel()
	err := s.begin(ctx)
	if err == nil {
		err = steps(&x)
	}
	if err == nil {
		err = s.judge(ctx, &x)
	}
	if err != nil {
		x.Result, x.Reason = Unsuccessful, strings.ReplaceAll(err.Error(), "\n", " ")
		if errors.Is(err, errHostEnded) {
			x.Result = Exited
		}
	}
	x.Millis = time.Since(begun).Milliseconds()
	s.hangUp()
	if x.Result != Converged {
		s.e.end()
		if keep != "" {
			dir := filepath.Join(keep, strconv.FormatUint(x.Number, 10))
			os.RemoveAll(dir)
			os.CopyFS(dir, os.DirFS(s.e.dir))
		}
	}
	return x
}

// path returns the node of a key.
func path(key int) string { return fmt.Sprint("/k", key) }

// begin starts all servers without files, opens a session with each, and sets all keys to 0.
func (s *Slot) begin(ctx context.Context) error {
	e := s.e
	if err := e.reset(ctx); err != nil {
		return err
	}
	s.sessions = make([]control.Session, e.Servers)
	s.clients = make([]*control.Client, e.Servers)
	all := Set(1<<e.Servers - 1)
	if err := e.start(ctx, all); err != nil {
		return err
	}
	if err := s.await(ctx, all, 2*e.Patience); err != nil {
		return fmt.Errorf("the beginning: %w", err)
	}
	for _, key := range e.Harness.Keys() {
		if err := s.clients[0].Create(path(key), []byte("0"), e.Patience); err != nil {
			return fmt.Errorf("the beginning: %w", err)
		}
	}
	for end := time.Now().Add(e.Patience); ; time.Sleep(10 * time.Millisecond) {
		final, err := s.read()
		if err == nil && equal(final) {
			break
		}
		if time.Now().After(end) {
			return fmt.Errorf("the beginning: the servers do not have the keys: %v %w", final, err)
		}
	}
	return s.isolate(ctx, all)
}

// join lets servers that are isolated take part.
func (s *Slot) join(ctx context.Context, servers Set) error {
	if s.e.Isolation == Disconnect {
		s.e.apart(servers)
		return nil
	}
	return s.e.start(ctx, servers&^s.e.runs)
}

// isolate isolates all servers of a set and waits until none of them serves.
func (s *Slot) isolate(ctx context.Context, servers Set) error {
	if s.e.Isolation != Disconnect {
		return s.e.stop(ctx, servers)
	}
	s.e.apart(0)
	for _, i := range servers.Servers() {
		for s.e.serves(i) {
			if ctx.Err() != nil {
				return fmt.Errorf("server %d serves without a quorum: %w", i, ctx.Err())
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	return nil
}

// await waits until all servers of a set serve and clients have resumed their sessions there.
func (s *Slot) await(ctx context.Context, servers Set, limit time.Duration) error {
	end := time.Now().Add(limit)
	for _, i := range servers.Servers() {
		for {
			var err error
			if s.clients[i], err = control.Resume(s.e.address(i), s.sessions[i], 2*time.Second); err == nil {
				s.sessions[i] = s.clients[i].Session
				s.e.up |= 1 << i
				break
			}
			s.e.host.mu.Lock()
			reason, lost := s.e.host.lost[i]
			s.e.host.mu.Unlock()
			switch {
			case lost:
				return fmt.Errorf("server %d has ended by itself: %s: %w", i, reason, errHostEnded)
			case time.Now().After(end):
				return fmt.Errorf("server %d does not serve after %v: %w: %w", i, limit, errNotServing, err)
			case ctx.Err() != nil:
				return ctx.Err()
			}
			select {
			case <-s.e.host.ended:
				return errHostEnded
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	return nil
}

var errNotServing = errors.New("a server does not serve")

// hangUp breaks the connections of all clients.
func (s *Slot) hangUp() {
	for i, c := range s.clients {
		if c != nil {
			c.Abort()
		}
		s.clients[i] = nil
	}
}

// step does a step of the harness.
func (s *Slot) step(ctx context.Context, step Step, phase Phase) (o Outcome, err error) {
	e := s.e
	if err := s.join(ctx, phase.Kernel); err != nil {
		return o, err
	}
	if 2*phase.Kernel.Size() > e.Servers {
		// A server that does not serve in time takes part without its client, as in a slow phase.
		if err := s.await(ctx, phase.Kernel, e.Patience); err != nil && !errors.Is(err, errNotServing) {
			return o, err
		}
	} else if phase.Kernel != 0 {
		time.Sleep(e.Wait)
	}
	switch {
	case phase.Isolated == 0:
	case e.Isolation == Disconnect:
		e.apart(phase.Kernel &^ phase.Isolated)
	case e.Isolation == Late:
		err = e.late(ctx, phase.Isolated)
	default:
		err = e.stop(ctx, phase.Isolated)
	}
	if err != nil {
		return o, err
	}
	var ask func() Outcome
	if step.Request {
		var isolated *control.Client
		if e.Isolation != Late && !(phase.Kernel &^ phase.Isolated).Has(step.Server) {
			isolated, s.clients[step.Server] = s.clients[step.Server], nil
		}
		ask = s.ask(step)
		if isolated != nil {
			isolated.Abort()
		}
	}
	if phase.Isolated|phase.After != 0 && e.Isolation == Late {
		if err := s.after(ctx, phase); err != nil {
			return o, err
		}
	}
	if err := s.isolate(ctx, phase.Kernel); err != nil {
		return o, err
	}
	s.hangUp()
	if ask != nil {
		o = ask()
	}
	return o, nil
}

// after does what comes between a request and the end of a step with late servers. The connections
// of those that are isolated now break, and are made again. Then all logs continue.
func (s *Slot) after(ctx context.Context, phase Phase) error {
	e := s.e
	if phase.After != 0 {
		if err := e.late(ctx, phase.After); err != nil {
			return err
		}
		e.breakQuorum(phase.After)
		time.Sleep(e.Wait)
	}
	if err := e.logsGoOn(ctx); err != nil {
		return err
	}
	time.Sleep(e.Wait)
	return nil
}

// ask makes a request and waits for the answer, but not longer than Options.Wait. It returns a
// function that returns what the client saw until its connection ended.
func (s *Slot) ask(step Step) func() Outcome {
	c, wait := s.clients[step.Server], s.e.Wait
	if c == nil {
		return func() Outcome { return Outcome{Request: NotSent} }
	}
	var o Outcome
	if step.Conditional {
		text, err := c.Get(path(step.If), wait)
		if err != nil {
			return func() Outcome { return Outcome{Request: NotSent} }
		}
		value, err := strconv.Atoi(string(text))
		if err != nil || value != step.Is {
			return func() Outcome { return Outcome{Request: NotTrue, Read: &value} }
		}
		o.Read = &value
	}
	done := make(chan error, 1)
	go func() { done <- c.Set(path(step.Key), fmt.Append(nil, step.Value), time.Minute) }()
	var once sync.Once
	result := func(err error) {
		once.Do(func() {
			o.Request = Unknown
			if err == nil {
				o.Request = Done
			}
		})
	}
	select {
	case err := <-done:
		result(err)
	case <-time.After(wait):
	}
	return func() Outcome {
		if o.Request == "" {
			result(<-done)
		}
		return o
	}
}

// read reads all keys at all servers.
func (s *Slot) read() ([]map[int]int, error) {
	out := make([]map[int]int, s.e.Servers)
	for i := range out {
		out[i] = map[int]int{}
		for _, key := range s.e.Harness.Keys() {
			text, err := s.clients[i].Get(path(key), s.e.Patience)
			if err != nil {
				return nil, fmt.Errorf("reading k%d at server %d: %w", key, i, err)
			}
			if out[i][key], err = strconv.Atoi(string(text)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// equal reports whether all servers have the same values.
func equal(final []map[int]int) bool {
	for _, f := range final {
		if fmt.Sprint(f) != fmt.Sprint(final[0]) {
			return false
		}
	}
	return true
}

// judge heals everything and judges the execution.
func (s *Slot) judge(ctx context.Context, x *Execution) error {
	e := s.e
	all := Set(1<<e.Servers - 1)
	if err := s.join(ctx, all); err != nil {
		return err
	}
	if err := s.await(ctx, all, 2*e.Patience); err != nil {
		if errors.Is(err, errNotServing) {
			x.Result, x.Reason = NotLive, err.Error()
			return nil
		}
		return err
	}
	// A follower may apply what its leader has committed a little later.
	var err error
	for end := time.Now().Add(e.Patience / 2); ; time.Sleep(20 * time.Millisecond) {
		if x.Final, err = s.read(); err != nil {
			return err
		}
		if equal(x.Final) || time.Now().After(end) {
			break
		}
	}
	switch {
	case !equal(x.Final):
		x.Result = Divergence
	case !Consistent(e.Servers, e.Harness, x.Steps, x.Final[0]):
		x.Result = Inconsistent
	default:
		x.Result = Converged
	}
	return nil
}

// loss makes the steps of an execution with random faults.
func (s *Slot) loss(ctx context.Context, r *rand.Rand, x *Execution) error {
	e := s.e
	all := Set(1<<e.Servers - 1)
	if err := s.join(ctx, all); err != nil {
		return err
	}
	kernel := all
	begun := time.Now()
	fault := time.Duration(r.ExpFloat64() * float64(e.Mean))
	for k, step := range e.Harness {
		at := time.Duration(k+1) * e.Interval
		for ; fault < at; fault += time.Duration(r.ExpFloat64() * float64(e.Mean)) {
			time.Sleep(time.Until(begun.Add(fault)))
			one := Set(1) << r.IntN(e.Servers)
			kernel ^= one
			x.Schedule += fmt.Sprintf("%s@%.1fs ", kernel, fault.Seconds())
			var err error
			switch {
			case e.Isolation == Disconnect:
				e.apart(kernel)
			case kernel&one != 0:
				err = e.start(ctx, one)
			default:
				err = e.stop(ctx, one)
			}
			if err != nil {
				return err
			}
		}
		time.Sleep(time.Until(begun.Add(at)))
		o := Outcome{}
		if step.Request {
			i := step.Server
			if c, err := control.Resume(e.address(i), s.sessions[i], e.Wait); err == nil {
				s.clients[i] = c
			}
			ask := s.ask(step)
			s.hangUp()
			o = ask()
		}
		x.Steps = append(x.Steps, o)
	}
	return nil
}
