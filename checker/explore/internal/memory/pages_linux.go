//go:build linux && !race && !portable

package memory

import "syscall"

// hugePages asks for huge pages: a table of fingerprints is read at random, and most of the cost of
// a look-up beyond a cache is the translation of its address. Without them all works as well,
// slower.
func hugePages(b []byte) { syscall.Madvise(b, syscall.MADV_HUGEPAGE) }
