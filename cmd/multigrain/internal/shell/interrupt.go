package shell

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// Interrupts turns signals into two ways of stopping. Soft is done at the first SIGINT or SIGTERM:
// a run ends with its results. Hard is done at the second: it ends without.
type Interrupts struct {
	Soft, Hard context.Context
	Release    func()
}

// ErrSecond is the cause of hard.
var ErrSecond = errors.New("interrupted twice")

// patience is how long the command may take to end by itself after the second signal.
const patience = 2 * time.Second

// Uncaught leaves signals to the runtime: they end the command.
func Uncaught() Interrupts {
	return Interrupts{Soft: context.Background(), Hard: context.Background(), Release: func() {}}
}

// Catch catches signals until release is called.
func Catch() Interrupts {
	soft, cancelSoft := context.WithCancel(context.Background())
	hard, cancelHard := context.WithCancelCause(context.Background())
	got := make(chan os.Signal, 2)
	done := make(chan struct{})
	signal.Notify(got, os.Interrupt, syscall.SIGTERM)
	go func() {
		for _, act := range []func(){cancelSoft, func() { cancelHard(ErrSecond) }} {
			select {
			case <-got:
				act()
			case <-done:
				return
			}
		}
		select {
		case <-time.After(patience):
			os.Exit(Undecided)
		case <-done:
		}
	}()
	release := sync.OnceFunc(func() {
		signal.Stop(got)
		close(done)
		cancelSoft()
		cancelHard(nil)
	})
	return Interrupts{soft, hard, release}
}
