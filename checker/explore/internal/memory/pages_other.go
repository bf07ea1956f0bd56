//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly) || race || portable

package memory

import "unsafe"

// mapping is a piece of the garbage-collected heap: without pointers, the collector does not read
// it. The race detector sees this memory and not that of the system, so its builds use this too.
type mapping []byte

const groupAlign = 64 // a cache line, as the table needs

// mapGroup makes one slab: what is not needed of a larger piece would cost memory here.
func mapGroup() (mapping, error) {
	words := make([]uint64, (SlabBytes+groupAlign)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8), nil
}

func (m mapping) unmap() {}
