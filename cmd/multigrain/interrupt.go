package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// interrupts turns signals into the two ways of stopping: soft is done at the first SIGINT or SIGTERM, when results are still
// wanted, and hard at the second, when they are not.
type interrupts struct {
	soft, hard context.Context
	release    func()
}

// errSecond is the cause of hard.
var errSecond = errors.New("interrupted twice")

// patience is how long the command may take to end by itself after the second signal.
const patience = 2 * time.Second

// catch catches signals until release is called.
func catch() interrupts {
	soft, cancelSoft := context.WithCancel(context.Background())
	hard, cancelHard := context.WithCancelCause(context.Background())
	got := make(chan os.Signal, 2)
	done := make(chan struct{})
	signal.Notify(got, os.Interrupt, syscall.SIGTERM)
	go func() {
		for _, act := range []func(){cancelSoft, func() { cancelHard(errSecond) }} {
			select {
			case <-got:
				act()
			case <-done:
				return
			}
		}
		select {
		case <-time.After(patience):
			os.Exit(exitUndecided)
		case <-done:
		}
	}()
	release := sync.OnceFunc(func() {
		signal.Stop(got)
		close(done)
		cancelSoft()
		cancelHard(nil)
	})
	return interrupts{soft, hard, release}
}
