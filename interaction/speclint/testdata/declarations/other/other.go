// Package other changes what it is given.
package other

func Set[T any](p *T, v T) { *p = v }

func Reset(x any) {}

type Sink interface{ Take(x any) }

var Sinks Sink
