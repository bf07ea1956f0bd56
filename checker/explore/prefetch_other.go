//go:build !(amd64 || arm64)

package explore

import "sync/atomic"

// prefetch reads a word of each of the first n homes. These reads do not wait for each other as the look-ups do, so that the
// cache misses overlap.
func prefetch(at *[64]*bucket, n int) {
	for _, b := range at[:n] {
		atomic.LoadUint64(&b[0])
	}
}
