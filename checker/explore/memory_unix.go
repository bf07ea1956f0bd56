//go:build (linux || darwin || freebsd || netbsd || openbsd || dragonfly) && !race

package explore

import "syscall"

// mapping is one piece of memory as the system gave it.
type mapping []byte

const slabAlign = slabBytes

func mapSlabs(n int) (mapping, error) {
	b, err := syscall.Mmap(-1, 0, (n+1)*slabBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	hugePages(b)
	return b, nil
}

// unmap cannot fail: the mapping is what mapSlabs returned.
func (m mapping) unmap() { syscall.Munmap(m) }
