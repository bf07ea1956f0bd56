//go:build !windows && (!unix || aix || solaris)

package explore

import "os"

// openLocked opens a file, which it makes if need be. There is no lock that ends with its process
// here.
func openLocked(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
}
