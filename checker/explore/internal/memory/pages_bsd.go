//go:build (darwin || freebsd || netbsd || openbsd || dragonfly) && !race && !portable

package memory

// hugePages has no portable request here; these systems promote pages by themselves or not at all.
func hugePages([]byte) {}
