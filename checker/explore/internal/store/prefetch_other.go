//go:build !(amd64 || arm64) || portable

package store

import "sync/atomic"

// prefetch reads a word of each bucket. These reads do not wait for each other as the look-ups do,
// so that the cache misses overlap.
func prefetch(at []*bucket) {
	for _, b := range at {
		atomic.LoadUint64(&b[0])
	}
}
