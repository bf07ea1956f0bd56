package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// tally adds up outcomes.
type tally struct {
	done         map[int]bool // cases
	faults, ends map[string]int
	resumed      int
	failed       []*outcome
}

func (t *tally) add(o *outcome) {
	t.done[o.Number] = true
	for name, n := range o.Faults {
		t.faults[name] += n
	}
	for name, n := range o.Ends {
		t.ends[name] += n
	}
	t.resumed += o.Resumed
	if len(o.Wrong) > 0 {
		t.failed = append(t.failed, o)
	}
}

// took is how many faults took place.
func (t *tally) took() (n int) {
	for _, x := range t.faults {
		n += x
	}
	return n
}

// occupy locks a state folder until release is called or the process ends. It returns an error
// while another process has the folder: two runs would write over each other's cases.
func occupy(state string) (release func() error, err error) {
	f, err := os.OpenFile(filepath.Join(state, "lock"), os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("another run works in the state folder %s; end it, or name another folder with -state", state)
	}
	return f.Close, nil
}

// stateName is the file of a seed: one line of JSON for each case that is done.
func (b *bench) stateName() string { return filepath.Join(b.state, "done-"+b.seed+".ndjson") }

// resume reads what earlier runs with the same seed have done. A line that a kill cut off is left
// out, and its case runs again.
func (b *bench) resume() (*tally, error) {
	t := &tally{done: map[int]bool{}, faults: map[string]int{}, ends: map[string]int{}}
	f, err := os.Open(b.stateName())
	if os.IsNotExist(err) {
		return t, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o outcome
		if json.Unmarshal(lines.Bytes(), &o) == nil {
			t.add(&o)
		}
	}
	return t, lines.Err()
}

// cases runs cases, some at once, until enough faults took place.
func (b *bench) cases(opt *options) error {
	sum, err := b.resume()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(b.stateName(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	if _, err := log.WriteString("\n"); err != nil { // the last line may be cut off
		return err
	}
	before, begun, next := sum.took(), time.Now(), 0
	var mu sync.Mutex
	var wait sync.WaitGroup
	for range opt.jobs {
		wait.Go(func() {
			for {
				mu.Lock()
				for sum.done[next] {
					next++
				}
				number := next
				next++
				enough := sum.took() >= opt.faults || len(sum.failed) > 0 && !opt.keep
				mu.Unlock()
				if enough {
					return
				}
				o := b.try(number)
				line, _ := json.Marshal(o)
				mu.Lock()
				log.Write(append(line, '\n'))
				sum.add(o)
				if len(o.Wrong) > 0 {
					fmt.Printf("case %d: %s\n  %q\n  %q\n", o.Number, o.Row, o.Trials, o.Wrong)
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	fmt.Printf("seed %s: %d faults in %d cases, %d of them now in %v\n", b.seed, sum.took(), len(sum.done), sum.took()-before, time.Since(begun).Round(time.Second))
	return sum.report()
}

// report prints the figures and returns an error if a case failed.
func (t *tally) report() error {
	for _, name := range slices.Sorted(maps.Keys(t.faults)) {
		fmt.Printf("%7d  %s\n", t.faults[name], name)
	}
	for _, name := range slices.Sorted(maps.Keys(t.ends)) {
		fmt.Printf("%7d  runs ended: %s\n", t.ends[name], name)
	}
	fmt.Printf("%7d  runs went on from a checkpoint\n", t.resumed)
	if len(t.failed) > 0 {
		for _, o := range t.failed {
			fmt.Printf("failed: case %d, %s: %q\n", o.Number, o.Row, o.Wrong)
		}
		return fmt.Errorf("%d cases failed; run one again with -only NUMBER and the same seed", len(t.failed))
	}
	return nil
}

// again runs one case and prints what it does.
func (b *bench) again(number int) error {
	o := b.try(number)
	text, err := json.MarshalIndent(o, "", "  ")
	fmt.Printf("%s\n", text)
	if len(o.Wrong) > 0 {
		return fmt.Errorf("case %d failed; its files are in %s", number, filepath.Join(b.state, "cases", fmt.Sprint(number)))
	}
	return err
}
