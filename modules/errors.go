package modules

import (
	"fmt"
	"unsafe"
)

// CapacityError is the panic of a value type that was asked to hold more than its array.
// Address locates the value inside the state, from which the checkers name the field.
type CapacityError struct {
	Type     string  // "Seq", "Records", "Net", ...
	Capacity int     // elements the array holds
	Address  uintptr // where the value lies in memory
}

// Error returns the message.
func (e *CapacityError) Error() string {
	return fmt.Sprintf("%s is full: it holds %d", e.Type, e.Capacity)
}

// AtMost returns a number that a bound limits to most, and panics with a *CapacityError if it is
// above. Where logs are judged, a bound so refuses no step.
func AtMost[N ~uint8 | ~uint16](number, most N) N {
	if number > most {
		panic(&CapacityError{Type: "a number with a bound", Capacity: int(most)})
	}
	return number
}

// RangeError is the panic of a value type that was read or written outside its elements.
type RangeError struct {
	Type    string
	Index   int // as given by the specification; sequences count from 1; ofKind
	Len     int // elements present
	Address uintptr
}

// ofKind is the Index of a RangeError of Net where the first message of some kinds was asked for.
const ofKind = 0

// Error returns the message.
func (e *RangeError) Error() string {
	switch {
	case e.Type == "Net" && e.Index == ofKind && e.Len == 0:
		return "a message is taken from a channel of Net, and none is in flight there"
	case e.Type == "Net" && e.Index == ofKind:
		return "the first message in a channel of Net is of another kind than the one that is taken"
	}
	return fmt.Sprintf("%s has %d elements, element %d was asked for", e.Type, e.Len, e.Index)
}

// address returns where a value lies in memory, kept as a number so that a value that reports an
// error does not escape to the heap. Value types panic with a literal: a call for it would count
// against inlining more than all that they do else.
func address[T any](at *T) uintptr { return uintptr(unsafe.Pointer(at)) }
