//go:build amd64 || arm64

package explore

// prefetch asks for the first n homes and the line behind each, which are read next. The reads then do not wait for memory one
// after the other.
//
//go:noescape
func prefetch(at *[64]*bucket, n int)
