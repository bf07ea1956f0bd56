package library

import (
	"flag"
	"fmt"
	"io"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/multigrain/multigrain/checker/conform"
	spec "github.com/multigrain/multigrain/raft/hashicorpraft"
)

// bubbled is an adapter whose calls are done in a bubble of their own. The channel is one of the
// outside: whoever waits there keeps the time of the bubble from passing.
type bubbled struct {
	a     conform.Adapter[spec.State]
	calls chan func()
}

// openBubbled opens an adapter in a new bubble.
func openBubbled(s conform.Setup) (conform.Adapter[spec.State], error) {
	b := &bubbled{calls: make(chan func())}
	begin() <- func(t *testing.T) {
		synctest.Test(t, func(*testing.T) {
			for call := range b.calls {
				call()
			}
		})
	}
	err := b.do(func() (err error) {
		b.a, err = open(s)
		return err
	})
	if err != nil {
		close(b.calls)
		return nil, err
	}
	return b, nil
}

// begin returns where bubbles are begun. A bubble needs a test, so this program runs one that
// never ends, with a part for each bubble.
var begin = sync.OnceValue(func() chan<- func(*testing.T) {
	bubbles := make(chan func(*testing.T))
	testing.Init()
	flag.CommandLine.Parse(nil) // the arguments of the program are no flags of a test
	all := func(t *testing.T) {
		for bubble := range bubbles {
			go t.Run("bubble", bubble)
		}
	}
	go testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "bubbles", F: all}}, nil, nil)
	return bubbles
})

// do does a call in the bubble. A panic of it is its error.
func (b *bubbled) do(call func() error) error {
	done := make(chan error)
	b.calls <- func() {
		err := fmt.Errorf("the call has ended its goroutine")
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("panic: %v", r)
			}
			done <- err
		}()
		err = call()
	}
	return <-done
}

func (b *bubbled) Variables() []string { return b.a.Variables() }

func (b *bubbled) Log(w io.Writer) {
	b.do(func() error { b.a.Log(w); return nil })
}

func (b *bubbled) Start(s *spec.State) error { return b.do(func() error { return b.a.Start(s) }) }

func (b *bubbled) Perform(step conform.Step[spec.State]) error {
	return b.do(func() error { return b.a.Perform(step) })
}

func (b *bubbled) Observe(s *spec.State) error { return b.do(func() error { return b.a.Observe(s) }) }

// Stop also ends the bubble.
func (b *bubbled) Stop() error {
	err := b.do(b.a.Stop)
	close(b.calls)
	return err
}
