package etcdserver

import (
	"sync"
	"time"
)

// Backlog decodes what the links of a tap have forwarded, in the order in which they read it. No
// member waits for that.
type Backlog struct {
	mu    sync.Mutex
	todo  []job
	bytes int           // that wait
	wake  chan struct{} // something waits
	over  bool
	done  chan struct{}
}

// job is something to do, about some bytes.
type job struct {
	bytes int
	do    func()
}

// mostBacklog bounds the bytes that wait, of all links.
const mostBacklog = 256 << 20

// collects is how long pieces are collected before they are decoded. A wake-up for each piece would
// take processors from the members and from what is forwarded.
const collects = 5 * time.Millisecond

// NewBacklog returns a Backlog that works until Close.
func NewBacklog() *Backlog {
	b := &Backlog{wake: make(chan struct{}, 1), done: make(chan struct{})}
	go b.work()
	return b
}

// add adds a job about some bytes. It reports whether there was room. A job about no bytes always
// has room.
func (b *Backlog) add(bytes int, do func()) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over || bytes > 0 && b.bytes+bytes > mostBacklog {
		return false
	}
	b.bytes += bytes
	b.todo = append(b.todo, job{bytes, do})
	select {
	case b.wake <- struct{}{}:
	default:
	}
	return true
}

func (b *Backlog) work() {
	defer close(b.done)
	var next []job
	for range b.wake {
		time.Sleep(collects)
		b.mu.Lock()
		next, b.todo = b.todo, next[:0]
		b.mu.Unlock()
		for k := range next {
			next[k].do()
			b.mu.Lock()
			b.bytes -= next[k].bytes
			b.mu.Unlock()
			next[k] = job{}
		}
	}
}

// Close waits until all is done that was added, and adds nothing later.
func (b *Backlog) Close() {
	b.mu.Lock()
	closed := b.over
	b.over = true
	b.mu.Unlock()
	if !closed {
		close(b.wake)
	}
	<-b.done
}
