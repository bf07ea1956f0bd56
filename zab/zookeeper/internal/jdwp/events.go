package jdwp

import (
	"context"
	"fmt"
	"strings"
)

// SuspendPolicy says which threads an event suspends.
type SuspendPolicy byte

// The policies of JDWP. EventThread suspends only the thread that meets the event.
const (
	None        SuspendPolicy = 0
	EventThread SuspendPolicy = 1
	All         SuspendPolicy = 2
)

// EventKind is a kind of event. The package requests the first four; the others come unasked.
type EventKind byte

// The kinds of events.
const (
	SingleStep        EventKind = 1
	Breakpoint        EventKind = 2
	ClassPrepare      EventKind = 8
	FieldModification EventKind = 21
	VMStart           EventKind = 90
	VMDeath           EventKind = 99
)

var kindNames = map[EventKind]string{
	SingleStep: "SINGLE_STEP", Breakpoint: "BREAKPOINT", ClassPrepare: "CLASS_PREPARE", FieldModification: "FIELD_MODIFICATION",
	VMStart: "VM_START", VMDeath: "VM_DEATH",
}

// String returns the name of the kind in the specification.
func (k EventKind) String() string {
	if name := kindNames[k]; name != "" {
		return name
	}
	return fmt.Sprintf("event kind %d", byte(k))
}

// RequestID names an event request. N is zero for an event that comes unasked.
type RequestID struct {
	Kind EventKind
	N    int
}

// Event is one event. Fields that its kind does not have are zero.
type Event struct {
	Kind     EventKind
	Request  RequestID // what Set... returned
	Thread   Thread    // all kinds except VMDeath
	Location Location  // SingleStep, Breakpoint, FieldModification: the instruction that runs next
	Class    Class     // ClassPrepare: the class; FieldModification: the field's class
	Field    ID        // FieldModification
	Object   Object    // FieldModification; null for a static field
	Value    Value     // FieldModification: the value that the instruction stores
}

// EventSet holds events that occurred at one time in one thread. The JVM suspended the thread once
// for the whole set.
type EventSet struct {
	Policy SuspendPolicy // what was suspended
	Events []Event       // at least one
}

// Thread returns the thread that met the events. It is null for VMDeath.
func (s EventSet) Thread() Thread {
	if len(s.Events) == 0 {
		return Thread{}
	}
	return s.Events[0].Thread
}

// Has reports whether the set has an event of the request.
func (s EventSet) Has(r RequestID) bool {
	for _, e := range s.Events {
		if e.Request == r {
			return true
		}
	}
	return false
}

// String lists the kinds and requests of the events.
func (s EventSet) String() string {
	var out []string
	for _, e := range s.Events {
		out = append(out, fmt.Sprintf("%v of request %d", e.Kind, e.Request.N))
	}
	return strings.Join(out, ", ")
}

// Events returns the channel of all events, in the order in which they arrived. It is closed after
// the last event of a JVM that ended. The queue before the channel has no limit.
func (vm *VM) Events() <-chan EventSet { return vm.events }

// Next waits for the next event set. When the JVM has ended and all its events were received, Next
// returns an error that wraps ErrClosed.
func (vm *VM) Next(ctx context.Context) (EventSet, error) {
	select {
	case set, ok := <-vm.events:
		if !ok {
			return EventSet{}, fmt.Errorf("jdwp: waiting for an event: %w", vm.Err())
		}
		return set, nil
	case <-ctx.Done():
		return EventSet{}, fmt.Errorf("jdwp: waiting for an event: %w", ctx.Err())
	}
}

// queue keeps an event for delivery. It never waits.
func (vm *VM) queue(p packet) {
	vm.mu.Lock()
	vm.arrived = append(vm.arrived, p)
	vm.mu.Unlock()
	select {
	case vm.more <- struct{}{}:
	default: // deliver is already notified
	}
}

// deliver decodes queued events and sends them to the channel. It ends after Close, or after the
// last event of a JVM that ended.
func (vm *VM) deliver() {
	defer close(vm.events)
	for {
		vm.mu.Lock()
		batch, ended := vm.arrived, vm.cause != nil
		vm.arrived = nil
		vm.mu.Unlock()
		for _, p := range batch {
			set, err := vm.decodeEvents(p)
			if err != nil {
				vm.end(err)
				return
			}
			select {
			case vm.events <- set:
			case <-vm.closed:
				return
			}
		}
		if len(batch) > 0 {
			continue
		}
		if ended {
			return
		}
		select {
		case <-vm.more:
		case <-vm.ended:
		}
	}
}

// decodeEvents reads the data of Event.Composite.
func (vm *VM) decodeEvents(p packet) (EventSet, error) {
	d := decoder{sizes: vm.sizes, vm: vm, b: p}
	set := EventSet{Policy: SuspendPolicy(d.byte())}
	for range d.count() {
		e := Event{Kind: EventKind(d.byte())}
		e.Request = RequestID{e.Kind, d.int()}
		switch e.Kind {
		case VMStart:
			e.Thread = d.thread()
		case VMDeath:
		case SingleStep, Breakpoint:
			e.Thread, e.Location = d.thread(), d.location()
		case ClassPrepare:
			e.Thread, e.Class = d.thread(), d.class()
			d.text() // signature
			d.int()  // status
		case FieldModification:
			e.Thread, e.Location = d.thread(), d.location()
			e.Class, e.Field = d.class(), d.field()
			v := d.tagged()
			e.Object = Object{vm, ID(v.bits)}
			e.Value = d.tagged()
		default:
			return set, fmt.Errorf("the JVM sent %v, which nobody requested", e.Kind)
		}
		set.Events = append(set.Events, e)
	}
	if d.err == nil && len(set.Events) == 0 {
		d.err = errShort
	}
	if d.err != nil {
		return set, fmt.Errorf("an event: %w", d.err)
	}
	return set, nil
}

// Kinds of the filters of EventRequest.Set.
const (
	onlyThread   = 3
	onlyMatching = 5
	onlyLocation = 7
	onlyField    = 9
	onlyStep     = 10
)

// request sets an event request with one filter, which build appends, and with a filter for the
// threads in only, at most one.
func (vm *VM) request(kind EventKind, p SuspendPolicy, only []Thread, build func(*encoder)) (id RequestID, err error) {
	if len(only) > 1 {
		return RequestID{}, fmt.Errorf("jdwp: a request for %v has %d threads: filters are conjunctive, so give one", kind, len(only))
	}
	err = vm.do(requestSet, func(e *encoder) {
		e.byte(byte(kind))
		e.byte(byte(p))
		e.int(1 + len(only))
		build(e)
		for _, t := range only {
			e.byte(onlyThread)
			e.thread(t)
		}
	}, func(d *decoder) { id = RequestID{kind, d.int()} })
	return id, err
}

// SetBreakpoint requests an event before the instruction at the location runs. With a thread, only
// that thread meets it.
func (vm *VM) SetBreakpoint(at Location, p SuspendPolicy, only ...Thread) (RequestID, error) {
	return vm.request(Breakpoint, p, only, func(e *encoder) {
		e.byte(onlyLocation)
		e.location(at)
	})
}

// SetStep requests an event after the next instruction of a thread, which is suspended. A call is
// one instruction. A thread can have one such request at a time, and each event needs a new one:
// Clear it.
func (vm *VM) SetStep(t Thread, p SuspendPolicy) (RequestID, error) {
	const instruction, over = 0, 1
	return vm.request(SingleStep, p, nil, func(e *encoder) {
		e.byte(onlyStep)
		e.thread(t)
		e.int(instruction)
		e.int(over)
	})
}

// SetClassPrepare requests an event when a class is loaded whose name matches the pattern. A
// pattern is a name with dots, or has one * at its start or end. A class that is loaded already
// gives no event: make the request first, and then ask ClassNamed.
func (vm *VM) SetClassPrepare(pattern string, p SuspendPolicy) (RequestID, error) {
	return vm.request(ClassPrepare, p, nil, func(e *encoder) {
		e.byte(onlyMatching)
		e.text(pattern)
	})
}

// SetFieldWatch requests an event before an instruction stores into the field. It makes the methods
// that store into the field slow.
func (vm *VM) SetFieldWatch(f Field, p SuspendPolicy, only ...Thread) (RequestID, error) {
	return vm.request(FieldModification, p, only, func(e *encoder) {
		e.byte(onlyField)
		e.class(f.Class.id)
		e.field(f.ID)
	})
}

// Clear removes a request. An event of it may still be under way, see the package's comment.
func (vm *VM) Clear(r RequestID) error {
	return vm.do(requestClear, func(e *encoder) {
		e.byte(byte(r.Kind))
		e.int(r.N)
	}, nil)
}
