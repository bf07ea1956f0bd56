package jdwp_test

import (
	"testing"
	"time"
)

// TestInterrupt interrupts one of two threads that wait. Its wait ends with an
// InterruptedException, and the other one still waits.
func TestInterrupt(t *testing.T) {
	p := launch(t, "waits")
	class, main := p.load()
	check(t, main.Resume())
	read := func(name string) string { return must(must(class.Static(name)).Text()) }
	first, second := awaitThread(p, "first"), awaitThread(p, "second")
	for len(read("waiting")) < len("first second ") {
		if p.ctx.Err() != nil {
			t.Fatal("the threads do not wait")
		}
		time.Sleep(time.Millisecond)
	}
	check(t, first.Interrupt())
	for read("interrupted") == "" {
		if p.ctx.Err() != nil {
			t.Fatal("the wait does not end")
		}
		time.Sleep(time.Millisecond)
	}
	awaitEnd(p, "first")
	if all := read("interrupted"); all != "first " {
		t.Errorf("%q were interrupted; want the first thread", all)
	}
	if _, _, err := second.Status(); err != nil {
		t.Errorf("the other thread: %v", err)
	}
	if err := first.Interrupt(); err == nil {
		t.Error("a thread that has ended is interrupted")
	}
	check(t, second.Interrupt())
	awaitEnd(p, "second")
}

// awaitEnd waits until the JVM has no thread with the name.
func awaitEnd(p *probe, name string) {
	p.t.Helper()
	for len(must(p.vm.ThreadsNamed(func(n string) bool { return n == name }))) > 0 {
		if p.ctx.Err() != nil {
			p.t.Fatalf("thread %s does not end", name)
		}
		time.Sleep(time.Millisecond)
	}
}
