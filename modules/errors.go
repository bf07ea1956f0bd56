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

func (e *CapacityError) Error() string {
	return fmt.Sprintf("%s is full: it holds %d", e.Type, e.Capacity)
}

// RangeError is the panic of a value type that was read or written outside its elements.
type RangeError struct {
	Type    string
	Index   int // as given by the specification; sequences count from 1
	Len     int // elements present
	Address uintptr
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s has %d elements, element %d was asked for", e.Type, e.Len, e.Index)
}

// The addresses are kept as numbers so that a value that reports an error does not escape to the heap.

//go:noinline
func full[T any](typ string, at *T, capacity int) {
	panic(&CapacityError{typ, capacity, uintptr(unsafe.Pointer(at))})
}

//go:noinline
func outside[T any](typ string, at *T, index, length int) {
	panic(&RangeError{typ, index, length, uintptr(unsafe.Pointer(at))})
}
