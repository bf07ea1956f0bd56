package explorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// longest is the time that one answer may take. A function of the specification that has not
// returned by then has most likely a loop without end.
const longest = 10 * time.Second

// dying is the time in which a program that must end says which function has not returned.
const dying = 8 * time.Second

// asker is a program that answers questions. It serves several goroutines, one at a time.
type asker struct {
	program string
	choice  json.RawMessage
	ctx     context.Context // the program ends with it

	mu  sync.Mutex
	run *running // nil where the program does not run
}

// running is one run of the program.
type running struct {
	questions, answers chan json.RawMessage
	ended              chan struct{}
	err                error // set before ended is closed
	end                context.CancelFunc
}

// ask returns the answer to a question. An error says why there is none, in words for people.
func (a *asker) ask(q *wire.Question) (*wire.Answer, error) {
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.run == nil {
		a.run = a.start()
	}
	r := a.run
	limit := time.NewTimer(longest)
	defer limit.Stop()
	var answer json.RawMessage
	select {
	case r.questions <- text:
	case <-r.ended:
		return nil, a.over(r)
	}
	select {
	case answer = <-r.answers:
	case <-r.ended:
		return nil, a.over(r)
	case <-limit.C:
		r.end()
		<-r.ended
		if err := a.over(r); !errors.Is(err, context.Canceled) || a.ctx.Err() != nil {
			return nil, err
		}
		return nil, fmt.Errorf("no answer within %v: the machine is busy, or there is too much to try", longest)
	}
	out := new(wire.Answer)
	if err := json.Unmarshal(answer, out); err != nil {
		return nil, err
	}
	if e := out.Error; e != nil {
		if e.File != "" {
			return nil, fmt.Errorf("the specification failed at %s:%d: %w", words.ShortPath(e.File), e.Line, e)
		}
		return nil, e
	}
	return out, nil
}

// over returns why a program ended. The next question starts it again.
func (a *asker) over(r *running) error {
	a.run = nil
	if e, ok := errors.AsType[*wire.Error](r.err); ok && e.File != "" {
		return fmt.Errorf("%w (%s:%d)", e, words.ShortPath(e.File), e.Line)
	}
	if r.err != nil {
		return r.err
	}
	return errors.New("the program of the composition has ended")
}

// start starts the program.
func (a *asker) start() *running {
	ctx, end := context.WithCancel(a.ctx)
	r := &running{questions: make(chan json.RawMessage), answers: make(chan json.RawMessage, 1), ended: make(chan struct{}), end: end}
	p := wire.Program{Path: a.program, Stop: ctx.Done(), Questions: r.questions,
		Answer: func(answer json.RawMessage) { r.answers <- answer }}
	// Once ctx is done, a program in a call that does not return is killed.
	hard, kill := context.WithCancel(context.Background())
	context.AfterFunc(ctx, func() { time.AfterFunc(dying, kill) })
	go func() {
		defer end()
		_, r.err = p.Run(hard, wire.Request{Verb: "explore", Choice: a.choice})
		close(r.ended)
	}()
	return r
}

// stop ends the program and waits for its end.
func (a *asker) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.run != nil {
		a.run.end()
		<-a.run.ended
		a.run = nil
	}
}
