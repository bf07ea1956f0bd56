//go:build (amd64 || arm64) && !portable

package store

// prefetch asks for buckets that are read soon.
//
//go:noescape
func prefetch(at []*bucket)
