package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const watchEvery = time.Millisecond

// watchPauses returns the process that watches: it ends when its standard input does.
func watchPauses() error {
	failed := make(chan error)
	for cpu := range runtime.NumCPU() {
		go func() { failed <- watchProcessor(cpu) }()
	}
	go func() {
		os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}()
	return <-failed
}

func watchProcessor(cpu int) error {
	runtime.LockOSThread()
	var set unix.CPUSet
	set.Set(cpu)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return err
	}
	if err := unix.SchedSetAttr(0, &unix.SchedAttr{Policy: unix.SCHED_FIFO, Priority: 50}, 0); err != nil {
		return err
	}
	nap := unix.NsecToTimespec(watchEvery.Nanoseconds())
	for {
		began := time.Now()
		unix.Nanosleep(&nap, nil)
		if took := time.Since(began); took > watchEvery+watchLate {
			fmt.Println(began.UnixNano(), began.UnixNano()+took.Nanoseconds())
		}
	}
}

// startWatch starts the process that watches. The function it returns ends it and returns the pauses.
func startWatch(ctx context.Context) (func() ([]gap, error), error) {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), watchEnv+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var all []gap
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var p gap
			if n, _ := fmt.Sscan(lines.Text(), &p.from, &p.to); n == 2 {
				all = append(all, p)
			}
		}
	}()
	return func() ([]gap, error) {
		in.Close()
		<-read
		if err := cmd.Wait(); err != nil {
			return nil, fmt.Errorf("pauses of the machine cannot be watched: %w %s", err, errs.String())
		}
		return all, nil
	}, nil
}
