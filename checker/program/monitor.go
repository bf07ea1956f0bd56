package program

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/overdue"
	"github.com/multigrain/multigrain/checker/internal/refine"
	"github.com/multigrain/multigrain/checker/internal/selftest"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// Monitor describes a specification that is assembled to run next to a node. The composer fills it.
type Monitor[S any] struct {
	Compose func(choice []byte) (*modules.Spec[S], error)
	Enums   map[string]map[int64]string
	Runtime *modules.Runtime[S]

	last, hurry time.Duration // replace lastReads and the patience with calls, in tests
}

// MonitorMain runs the program on the process's standard streams. It exits with 0 if a report or an
// error was written as an event, and with 1 if not even that was possible.
func MonitorMain[S any](p Monitor[S]) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	side, began, err := begin()
	if err == nil {
		err = p.run(ctx, os.Stdin, side.Results, began)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (p *Monitor[S]) run(ctx context.Context, in io.Reader, out io.Writer, began func() error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := bufio.NewReader(in)
	line, err := lines.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("no request: %w", err)
	}
	var req wire.Request
	if err := json.Unmarshal(line, &req); err != nil {
		return fmt.Errorf("request: %w", err)
	}
	if req.Verb != "monitor" || req.Options.Monitor == nil {
		return fmt.Errorf("this program monitors; the request is %q", req.Verb)
	}
	go func() {
		io.Copy(io.Discard, lines)
		cancel()
	}()
	send := &sender{to: json.NewEncoder(out)}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // what lives is small, and each event leaves garbage
	}
	stop, err := profile(req.Options.Profile)
	if err != nil {
		return send.event(wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}})
	}
	defer stop()
	composed, err := p.Compose(req.Choice)
	if err != nil {
		return send.event(monitorError(err))
	}
	if err := began(); err != nil {
		return err
	}
	late := overdue.New(&req, p.hurry)
	return send.event(late.Do(ctx, func() wire.Event {
		report, err := p.monitor(ctx, &req, send, late, composed)
		if err != nil {
			return monitorError(err)
		}
		return wire.Event{Report: report}
	}))
}

func monitorError(err error) wire.Event {
	return wire.Event{Error: &wire.Error{Kind: kindOf(err), Message: err.Error()}}
}

// inputError is the error of a stream or a snapshot that cannot be opened.
type inputError struct{ error }

func kindOf(err error) string {
	switch {
	case errors.As(err, new(inputError)):
		return wire.ErrorInput
	case errors.As(err, new(refine.OptionsError)):
		return wire.ErrorOptions
	case errors.As(err, new(*refine.LocalityError)):
		return wire.ErrorLocal
	case errors.As(err, new(*refine.ConditionError)):
		return wire.ErrorDeclared
	case errors.As(err, new(*os.PathError)):
		return wire.ErrorSystem
	}
	return wire.ErrorSpec
}

// enum and name look up the constants of enumerations.
func (p *Monitor[S]) enum(t reflect.Type) map[string]int64 { return byName(p.constants(t)) }

func (p *Monitor[S]) name(t reflect.Type, value int64) (string, bool) {
	s, ok := p.constants(t)[value]
	return s, ok
}

func (p *Monitor[S]) constants(t reflect.Type) map[int64]string {
	return p.Enums[enumKey(t)]
}

func (p *Monitor[S]) monitor(ctx context.Context, req *wire.Request, send *sender, late *overdue.Run, composed *modules.Spec[S]) (*wire.Report, error) {
	o := req.Options.Monitor
	spec := &refine.Spec[S]{Composition: composed, Footprints: o.Footprints, Runtime: p.Runtime, Enum: p.enum, Names: p.name}
	opt := refine.Options{Window: o.Window, Within: o.Within, Budget: o.Budget, History: o.History, Total: o.Total, Steps: o.Steps, Verify: o.Verify, Undeclared: o.Undeclared,
		NoAsap: o.NoAsap, NoDomination: o.NoDomination, NoAhead: o.NoAhead, Keep: o.Keep, Settings: o.Settings}
	if o.Selftest != nil {
		return tryItself(ctx, spec, req, opt, send)
	}
	c, err := refine.New(spec, o.Node, opt)
	if err != nil {
		return nil, err
	}
	report := &wire.Report{Verdict: "holds"}
	if o.Plan {
		report.Refinement = &wire.Refinement{Plan: c.Plan()}
		return report, nil
	}
	w := &watch[S]{c: c, o: o, send: send, live: strings.HasPrefix(o.Source, "unix:"), last: cmp.Or(p.last, lastReads), late: late}
	w.known(wire.Refinement{Stats: c.Finish()})
	if err := w.restore(); err != nil {
		return nil, inputError{err}
	}
	start := host.Now()
	if err := w.run(ctx); err != nil {
		return nil, err
	}
	if err := c.Verified.Err(); err != nil {
		return nil, err
	}
	stats := c.Finish()
	report.Seconds = host.Since(start).Seconds()
	report.Refinement = &wire.Refinement{Stats: stats, Alarm: w.alarm, Alarms: w.alarms, Malformed: w.malformed, Unreadable: w.unreadable, Memory: resident(), Plan: c.Plan()}
	if o.Verify > 0 {
		report.Refinement.Verified = c.Verified
	}
	switch {
	case w.alarm != nil:
		report.Verdict = "violated"
	case w.stopped:
		report.Verdict, report.Reason = "undecided", w.interruption()
	case stats.Out+stats.In+stats.Inputs+stats.Restarts+stats.Lost == 0 && w.malformed == 0:
		report.Verdict, report.Reason = "undecided", "the stream has no events of the node"
	case stats.Undecided > 0 || stats.Unexplained > 0 || w.malformed > 0 || stats.Lost > 0:
		report.Verdict, report.Reason = "undecided", cmp.Or(c.Cause(), w.earlier(&stats))
	case stats.Decided == 0:
		report.Verdict, report.Reason = "undecided", "the node sent no message, so nothing was judged"
	}
	return report, nil
}

// tryItself runs a self-test. Every second it reports how far it is.
func tryItself[S any](ctx context.Context, spec *refine.Spec[S], req *wire.Request, opt refine.Options, send *sender) (*wire.Report, error) {
	x := req.Options.Monitor.Selftest
	start := host.Now()
	last := start
	report, err := selftest.Run(ctx, spec, selftest.Options{Seed: req.Options.Seed, Number: x.Number, First: x.First, Stride: x.Stride, Steps: x.Steps, Orders: x.Orders,
		Mutants: x.Mutants, Laws: x.Laws, Budget: x.Judge, Refine: opt}, func(r *selftest.Report) {
		if host.Since(last) >= time.Second {
			last = host.Now()
			send.event(wire.Event{Refinement: &wire.Refinement{Selftest: r}})
		}
	})
	if err != nil {
		return nil, err
	}
	return &wire.Report{Seconds: host.Since(start).Seconds(), Refinement: &wire.Refinement{Selftest: report}}, nil
}

// earlier says why something is undecided where a later restart has ended that.
func (w *watch[S]) earlier(stats *refine.Stats) string {
	if n := len(stats.Causes); n > 0 {
		x := stats.Causes[n-1]
		return fmt.Sprintf("events %d to %d: %s", x.From, x.To, x.Cause)
	}
	return fmt.Sprintf("%d events were lost, up to a restart whose state is known", stats.Lost)
}

// watch follows a stream.
type watch[S any] struct {
	c         *refine.Checker[S]
	o         *wire.Monitor
	send      *sender
	live      bool
	offset    int64  // bytes of the stream that are read
	tail      []byte // the last of these, by which a file is known again
	line      int64  // lines of it
	stopped   bool   // by an interrupt, before the end of what was written
	unread    bool   // at the interrupt there was more to read
	last      time.Duration
	malformed int64
	partly    []byte // the last line of a file that ends within it
	// unreadable has the first malformed line for each reason; those from sent on are not reported
	// yet.
	unreadable []wire.Unreadable
	sent       int
	alarm      any           // the first
	late       *overdue.Run  // keeps what is known
	told       *refine.Alarm // the last
	alarms     int64
}

// maxUnreadable is for how many reasons the first malformed line is kept.
const maxUnreadable = 20

// rest is how long a live stream must rest until all that the node has sent is taken to be in it.
const rest = 200 * time.Millisecond

func (w *watch[S]) run(ctx context.Context) error {
	over, end := context.WithCancel(context.Background())
	defer end()
	in, err := lines(ctx, over, w.last/2, w.o.Source, w.offset, w.tail)
	if err != nil {
		return inputError{err}
	}
	if err := w.save(); err != nil { // now, while little can be lost
		return inputError{err}
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	keep := time.NewTicker(time.Duration(cmp.Or(w.o.SnapshotEvery, 1000)) * time.Millisecond)
	defer keep.Stop()
	idle := time.NewTimer(rest)
	defer idle.Stop()
	defer context.AfterFunc(ctx, w.halt)()
	for {
		select {
		case <-ctx.Done():
			return w.interrupted(in)
		default:
		}
		select {
		case batch, ok := <-in:
			if !ok {
				w.check(true)
				w.stopped = ctx.Err() != nil && w.c.Waiting() > 0
				return w.end()
			}
			if w.takeAll(batch); w.alarm != nil && !w.live {
				return nil
			}
			if w.live {
				idle.Reset(rest)
			}
		case <-idle.C:
			w.check(w.live)
		case <-tick.C:
			r := wire.Refinement{Stats: w.c.Finish(), Alarms: w.alarms, Malformed: w.malformed, Unreadable: w.unreadable[w.sent:], Waiting: w.c.Waiting(), Memory: resident()}
			w.sent = len(w.unreadable)
			w.send.event(wire.Event{Refinement: &r})
			w.known(r)
		case <-keep.C:
			if err := w.save(); err != nil {
				return err
			}
		case <-ctx.Done():
			return w.interrupted(in)
		}
	}
}

// known keeps what the check says if it ends now: within a call that does not return.
func (w *watch[S]) known(r wire.Refinement) {
	r.Alarm, r.Unreadable, r.Plan = w.alarm, w.unreadable, w.c.Plan()
	verdict := "undecided"
	if w.alarm != nil {
		verdict = "violated"
	}
	w.late.Known(&wire.Report{Verdict: verdict, Refinement: &r})
}

// lastReads is how long the check of a live stream continues after an interrupt, to reach the end
// of what the tap has written. Half of it is for reading.
const lastReads = 600 * time.Millisecond

// halt ends the search that is running: at once in a file, after lastReads in a live stream.
func (w *watch[S]) halt() {
	if w.live {
		time.Sleep(w.last)
	}
	w.c.Halt()
}

// interrupted ends the check. Of a live stream it first takes what the tap has written so far.
func (w *watch[S]) interrupted(in <-chan []line) error {
	w.stopped = true
	if !w.live {
		return w.saveWhole()
	}
	late := time.After(w.last)
	for {
		select {
		case batch, ok := <-in:
			if !ok {
				w.check(true)
				w.stopped = w.unread || w.c.Waiting() > 0
				return w.saveWhole()
			}
			if len(batch) == 0 {
				w.unread = true
			}
			w.takeAll(batch)
		case <-late:
			w.unread = true
			return w.saveWhole()
		}
	}
}

// saveWhole saves the state of the check, unless the interrupt came within an event: then the state
// that was saved last is right.
func (w *watch[S]) saveWhole() error {
	if w.c.Torn() {
		return nil
	}
	return w.save()
}

// end saves the state of the check where a stream ends, and then counts a truncated last line. So a
// run that continues from there reads that line again, when it is whole.
func (w *watch[S]) end() error {
	err := w.saveWhole()
	if len(w.partly) > 0 && w.alarm == nil && err == nil && !w.c.Torn() {
		w.line++
		w.refuse(w.partly, "the stream ends within it")
		w.check(true)
	}
	return err
}

// interruption says how far the check was at an interrupt.
func (w *watch[S]) interruption() string {
	text := fmt.Sprintf("an interrupt came before the end of the stream: %d events are checked", w.c.Processed())
	if n := w.c.Waiting(); n > 0 {
		text += fmt.Sprintf(", %d more were read", n)
	}
	if w.unread {
		text += ", and the tap had written more than that"
	}
	return text
}

// takeAll adds lines and processes what can be processed, up to the first alarm in a file.
func (w *watch[S]) takeAll(batch []line) {
	for _, l := range batch {
		w.take(l)
		if w.check(false); w.alarm != nil && !w.live {
			return
		}
	}
}

// resident returns how many bytes of this process are in memory, as /proc says; 0 where it does
// not.
func resident() int64 {
	b, err := host.ReadFile("/proc/self/statm")
	var size, pages int64
	if err == nil {
		_, err = fmt.Sscan(string(b), &size, &pages)
	}
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// take adds a line's event. A line that cannot be read counts as lost. One that a file ends within
// waits until end: it may be whole when the check continues.
func (w *watch[S]) take(l line) {
	if text := bytes.TrimSpace(l.text); l.cut && !w.live {
		if _, err := w.c.Decoder.Decode(text); err != nil {
			w.partly = text
			return
		}
	}
	w.offset += l.size
	w.tail = append(w.tail, l.text...)
	w.tail = append(w.tail[:0], w.tail[max(0, len(w.tail)-maxTail):]...)
	if l.bad != "" {
		w.tail = nil
	}
	if !l.cut || w.live { // its end is still to come
		w.line++
	}
	text := bytes.TrimSpace(l.text)
	if l.bad == "" && len(text) == 0 {
		return
	}
	bad := l.bad
	if bad == "" {
		e, err := w.c.Decoder.Decode(text)
		if err == nil {
			w.c.Add(e)
			return
		}
		bad = err.Error()
	}
	w.refuse(text, bad)
}

// refuse counts a line that cannot be read, for a reason, as lost.
func (w *watch[S]) refuse(text []byte, bad string) {
	w.malformed++
	const most = 80
	k := slices.IndexFunc(w.unreadable, func(u wire.Unreadable) bool { return u.Why == bad })
	switch {
	case k >= 0:
		w.unreadable[k].Lines++
	case len(w.unreadable) < maxUnreadable:
		w.unreadable = append(w.unreadable, wire.Unreadable{Line: w.line, Why: bad, Text: strings.ToValidUTF8(string(text[:min(len(text), most)]), "?"), Lines: 1})
	}
	w.c.Add(w.c.Decoder.Lost(1, fmt.Sprintf("line %d cannot be read: %s", w.line, bad)))
}

// check processes what can be processed, and reports each alarm: in a live stream all, in a file
// the first.
func (w *watch[S]) check(flush bool) {
	defer w.sendParts()
	for a := w.c.Run(flush); a != w.told; a = w.c.Run(flush) {
		w.told = a
		w.alarms++
		if w.alarm == nil {
			w.alarm = a
		}
		w.send.event(wire.Event{Refinement: &wire.Refinement{Alarm: a, Alarms: w.alarms}})
		w.known(wire.Refinement{Stats: w.c.Finish(), Alarms: w.alarms, Malformed: w.malformed})
		if !w.live {
			return
		}
	}
}

// sendParts sends the parts of the stream that finer grains should judge again.
func (w *watch[S]) sendParts() {
	for _, x := range w.c.Parts() {
		part := &wire.Part{Occasion: string(x.Occasion), At: x.At, From: x.From}
		for _, l := range x.Lines {
			part.Lines = append(part.Lines, string(l))
		}
		w.send.event(wire.Event{Refinement: &wire.Refinement{Stats: w.c.Finish(), Alarms: w.alarms, Malformed: w.malformed, Waiting: w.c.Waiting(), Memory: resident(), Part: part}})
	}
}
