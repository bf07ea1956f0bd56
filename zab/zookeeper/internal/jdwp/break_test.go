package jdwp_test

import (
	"testing"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
)

// awaitThread waits until the JVM has exactly one thread with the name.
func awaitThread(p *probe, name string) jdwp.Thread {
	p.t.Helper()
	for p.ctx.Err() == nil {
		if all := must(p.vm.ThreadsNamed(func(n string) bool { return n == name })); len(all) == 1 {
			return all[0]
		}
		time.Sleep(time.Millisecond)
	}
	p.t.Fatalf("no thread %s", name)
	return jdwp.Thread{}
}

// awaitGrowth waits until a static counter grows by more than n.
func awaitGrowth(p *probe, class jdwp.Class, counter string, n int64) {
	p.t.Helper()
	read := func() int64 { return must(must(class.Static(counter)).Int64()) }
	for start := read(); read() <= start+n; time.Sleep(time.Millisecond) {
		if p.ctx.Err() != nil {
			p.t.Fatalf("%s does not grow", counter)
		}
	}
}

// TestBreakpoint stops one of two threads that call the same method, while all others run.
func TestBreakpoint(t *testing.T) {
	p := launch(t, "threads")
	class, main := p.load()
	check(t, main.Resume())
	first, second := awaitThread(p, "first"), awaitThread(p, "second")
	r := p.stopAt(class, "step", jdwp.EventThread, first)
	var last int64
	for k := range int64(20) {
		set := p.next()
		if !set.Has(r) || set.Thread() != first || len(set.Events) != 1 {
			t.Fatalf("got %v in thread %v, want request %v in %v", set, set.Thread(), r, first)
		}
		n := must(must(must(first.Frames(1))[0].Local("n")).Int64())
		if k > 0 && n != last+1 {
			t.Fatalf("stop %d is in step(%d), the stop before was in step(%d)", k, n, last)
		}
		last = n
		if count := must(first.SuspendCount()); count != 1 {
			t.Fatalf("the thread has suspend count %d, want 1", count)
		}
		awaitGrowth(p, class, "ticks", 0)
		check(t, first.Resume())
	}
	p.next()                            // first stands again
	awaitGrowth(p, class, "steps", 100) // second runs
	if _, suspended, err := second.Status(); suspended || err != nil {
		t.Errorf("the other thread is suspended: %v; %v", suspended, err)
	}
	check(t, first.Suspend())
	check(t, first.Resume())
	if _, suspended, err := first.Status(); !suspended || err != nil {
		t.Errorf("a thread that was suspended twice and resumed once runs; %v", err)
	}
	check(t, p.vm.Clear(r))
	check(t, first.Resume())
	awaitGrowth(p, class, "steps", 1000)
	select {
	case set := <-p.vm.Events():
		t.Errorf("after Clear came %v", set)
	default:
	}
}

// TestTwoRequests sets two breakpoints at one instruction: one set has both events, and one Resume
// is enough.
func TestTwoRequests(t *testing.T) {
	p := launch(t, "values")
	class, main := p.load()
	a, b := p.stopAt(class, "hold", jdwp.EventThread), p.stopAt(class, "hold", jdwp.None)
	check(t, main.Resume())
	set := p.next()
	if len(set.Events) != 2 || !set.Has(a) || !set.Has(b) || set.Policy != jdwp.EventThread {
		t.Fatalf("got %v with policy %d", set, set.Policy)
	}
	if n := must(set.Thread().SuspendCount()); n != 1 {
		t.Errorf("the thread has suspend count %d, want 1", n)
	}
}

// TestFlood lets events arrive that nobody receives. Commands are still answered, and then all
// events are there, in order.
func TestFlood(t *testing.T) {
	p := launch(t, "flood", "20000")
	class, main := p.load()
	r := p.stopAt(class, "drop", jdwp.None)
	check(t, main.Resume())
	for !must(must(class.Static("flooded")).Bool()) {
		if p.ctx.Err() != nil {
			t.Fatal("the program does not end its loop")
		}
		time.Sleep(time.Millisecond)
	}
	for k := range 20000 {
		if set := p.next(); !set.Has(r) || set.Policy != jdwp.None {
			t.Fatalf("event %d is %v", k, set)
		}
	}
	check(t, p.cmd.Process.Kill())
	if set, err := p.vm.Next(p.ctx); err == nil {
		t.Errorf("one event more: %v", set)
	}
}

// TestQueueAfterExit receives events after the JVM has exited and the connection has ended.
func TestQueueAfterExit(t *testing.T) {
	p := launch(t, "flood", "300", "exit")
	class, main := p.load()
	r := p.stopAt(class, "drop", jdwp.None)
	check(t, main.Resume())
	<-p.vm.Done()
	n, last := 0, jdwp.EventSet{}
	for set := range p.vm.Events() {
		if set.Has(r) {
			n++
		}
		last = set
	}
	if n != 300 || len(last.Events) == 0 || last.Events[0].Kind != jdwp.VMDeath {
		t.Errorf("%d breakpoints, want 300; the last event is %v", n, last)
	}
}

// TestStep lets a thread do single instructions from a breakpoint. Each event has the next one.
func TestStep(t *testing.T) {
	p := launch(t, "threads")
	class, main := p.load()
	check(t, main.Resume())
	first := awaitThread(p, "first")
	stop := p.stopAt(class, "step", jdwp.EventThread, first)
	at := p.next().Events[0].Location
	check(t, p.vm.Clear(stop))
	for range 2 {
		r := must(p.vm.SetStep(first, jdwp.EventThread))
		check(t, first.Resume())
		set := p.next()
		e := set.Events[0]
		if !set.Has(r) || e.Kind != jdwp.SingleStep || e.Thread != first || e.Location.Method != at.Method || e.Location.Index <= at.Index {
			t.Fatalf("after index %d got %v at index %d", at.Index, set, e.Location.Index)
		}
		at = e.Location
		check(t, p.vm.Clear(r))
	}
	check(t, first.Resume())
	awaitGrowth(p, class, "steps", 100)
}
