//go:build !portable

package fingerprint

import "unsafe"

// fold takes count times foldBytes from p on into the lanes: as in fold_other.go, in two thirds of
// the time for nodes of 2 KiB.
//
//go:noescape
func fold(p unsafe.Pointer, count uintptr, l *lanes)
