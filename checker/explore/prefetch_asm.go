//go:build (amd64 || arm64) && !portable

package explore

// prefetch asks for buckets that are read soon.
//
//go:noescape
func prefetch(at []*bucket)
