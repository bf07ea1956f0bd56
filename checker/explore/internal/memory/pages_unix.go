//go:build (linux || darwin || freebsd || netbsd || openbsd || dragonfly) && !race && !portable

package memory

import "syscall"

// mapping is one piece of memory as the system gave it.
type mapping []byte

const groupAlign = hugeBytes

func mapGroup() (mapping, error) {
	b, err := syscall.Mmap(-1, 0, groupBytes+hugeBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	hugePages(b)
	return b, nil
}

// unmap cannot fail: mapGroup returned the mapping.
func (m mapping) unmap() { syscall.Munmap(m) }
