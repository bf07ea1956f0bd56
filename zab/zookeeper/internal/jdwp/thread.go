package jdwp

import (
	"fmt"
	"strings"
)

// Thread is a thread of the JVM. Two values are equal if they are the same thread. The zero Thread
// is null.
type Thread struct {
	vm *VM
	id ID
}

// ID returns the id of the thread in the JVM.
func (t Thread) ID() ID { return t.id }

// IsNull reports whether this is no thread.
func (t Thread) IsNull() bool { return t.id == 0 }

// Object returns the thread as an object, whose fields can be read.
func (t Thread) Object() Object { return Object(t) }

func (t Thread) build(e *encoder) { e.thread(t) }

// Name returns the thread's name.
func (t Thread) Name() (name string, err error) {
	err = t.vm.do(threadName, t.build, func(d *decoder) { name = d.text() })
	return name, err
}

// ThreadState tells what a thread does, apart from being suspended by a debugger.
type ThreadState int

// The states of JDWP's ThreadStatus.
const (
	Zombie   ThreadState = 0 // it has ended
	Running  ThreadState = 1
	Sleeping ThreadState = 2
	Monitor  ThreadState = 3 // it waits to enter a monitor
	Waiting  ThreadState = 4 // it waits in Object.wait or LockSupport.park
)

// String returns the name of the state in the specification.
func (s ThreadState) String() string {
	names := []string{"ZOMBIE", "RUNNING", "SLEEPING", "MONITOR", "WAIT"}
	if s >= 0 && int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("thread status %d", int(s))
}

// Status returns what the thread does, and whether it is suspended.
func (t Thread) Status() (state ThreadState, suspended bool, err error) {
	err = t.vm.do(threadStatus, t.build, func(d *decoder) {
		state, suspended = ThreadState(d.int()), d.int()&1 != 0
	})
	return state, suspended, err
}

// Suspend increments the thread's suspend count. A thread with a positive count stands.
func (t Thread) Suspend() error { return t.vm.do(threadSuspend, t.build, nil) }

// Resume decrements the thread's suspend count, unless it is zero.
func (t Thread) Resume() error { return t.vm.do(threadResume, t.build, nil) }

// SuspendCount returns how many Resume calls the thread waits for.
func (t Thread) SuspendCount() (n int, err error) {
	err = t.vm.do(threadSuspendCount, t.build, func(d *decoder) { n = d.int() })
	return n, err
}

// Frame is a stack frame. It is valid until its thread is resumed.
type Frame struct {
	Thread   Thread
	Location Location
	id       ID
}

// Frames returns at most n frames of a suspended thread, the innermost first; all of them if n is
// negative.
func (t Thread) Frames(n int) (out []Frame, err error) {
	err = t.vm.do(threadFrames, func(e *encoder) {
		e.thread(t)
		e.int(0)
		e.int(-1) // asking for more frames than there are would be an error
	}, func(d *decoder) {
		for k := range d.count() {
			f := Frame{Thread: t, id: d.frame(), Location: d.location()}
			if n < 0 || k < n {
				out = append(out, f)
			}
		}
	})
	return out, err
}

// Stack returns the stack trace of a suspended thread, the innermost frame first, with elements
// such as org.example.Main.run(17).
func (t Thread) Stack() ([]string, error) {
	frames, err := t.Frames(-1)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range frames {
		text, err := f.Location.Text()
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

// native is the index of a location in a native method.
const native = ^uint64(0)

// method returns the method of the location.
func (l Location) method() (Method, error) {
	all, err := l.Class.Methods()
	if err != nil {
		return Method{}, err
	}
	for _, m := range all {
		if m.ID == l.Method {
			return m, nil
		}
	}
	class, err := l.Class.Name()
	if err != nil {
		return Method{}, err
	}
	return Method{}, fmt.Errorf("jdwp: class %s has no method with id %d", class, l.Method)
}

// Text returns the location as class.method(line). The place of the line says "native" in a native
// method, and gives the offset of the instruction where the class has no line table.
func (l Location) Text() (string, error) {
	class, err := l.Class.Name()
	if err != nil {
		return "", err
	}
	m, err := l.method()
	if err != nil {
		return "", err
	}
	if l.Index == native {
		return fmt.Sprintf("%s.%s(native)", class, m.Name), nil
	}
	lines, err := m.Lines()
	if err != nil && !IsCode(err, AbsentInformation) {
		return "", err
	}
	best := Line{Line: -1}
	for _, line := range lines {
		if line.Index <= l.Index && (best.Line < 0 || line.Index >= best.Index) {
			best = line
		}
	}
	if best.Line < 0 {
		return fmt.Sprintf("%s.%s(offset %d)", class, m.Name, l.Index), nil
	}
	return fmt.Sprintf("%s.%s(%d)", class, m.Name, best.Line), nil
}

// This returns the object whose method runs in the frame. It is null in static methods.
func (f Frame) This() (out Object, err error) {
	err = f.Thread.vm.do(frameThis, func(e *encoder) {
		e.thread(f.Thread)
		e.frame(f.id)
	}, func(d *decoder) {
		v := d.tagged()
		out = Object{f.Thread.vm, ID(v.bits)}
	})
	return out, err
}

// Slot returns the local variable in a slot. The tag is the first byte of the variable's signature:
// 'I' for int and all that the JVM stores as int, 'J' for long, 'L' for objects.
func (f Frame) Slot(slot int, tag byte) (out Value, err error) {
	err = f.Thread.vm.do(frameValues, func(e *encoder) {
		e.thread(f.Thread)
		e.frame(f.id)
		e.int(1)
		e.int(slot)
		e.byte(tag)
	}, func(d *decoder) {
		d.count()
		out = d.tagged()
	})
	return out, err
}

// Local returns the local variable with a name that is in scope. It needs the table of local
// variables.
func (f Frame) Local(name string) (Value, error) {
	m, err := f.Location.method()
	if err != nil {
		return Value{}, err
	}
	all, err := m.Variables()
	if err != nil {
		return Value{}, err
	}
	var scope []string
	for _, v := range all {
		if f.Location.Index < v.Index || f.Location.Index >= v.Index+uint64(v.Length) {
			continue
		}
		if v.Name == name {
			return f.Slot(v.Slot, v.Signature[0])
		}
		scope = append(scope, v.Name)
	}
	return Value{}, fmt.Errorf("jdwp: no local variable %s at offset %d of %s, in scope are: %s", name, f.Location.Index, m, strings.Join(scope, " "))
}
