// Package other makes parts of catalogs.
package other

import "github.com/multigrain/multigrain/modules"

// Never returns the property that bad never holds.
func Never[S any](id string, bad func(s *S) bool) modules.Invariant[S] {
	return modules.Invariant[S]{ID: id, State: func(s *S) bool { return !bad(s) }}
}

// Each is a domain that anybody can change.
var Each modules.Domain[modules.None] = modules.Once
