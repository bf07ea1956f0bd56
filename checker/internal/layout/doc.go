// Package layout reads States by where their values lie in memory. A specification does not
// import it: the checkers do.
//
//   - cell.go, cell_read.go: a [Cell] is the place that an access of a footprint means.
//   - channels.go: [WiresOf] and [ChainsIn] locate the channels and the Chains of a State.
//   - permute.go, permute_apply.go: a [Permutation] makes servers change places.
//
// The package knows the fields of the value types of package modules by their names. A field
// that is renamed there must be renamed here.
package layout

import (
	"reflect"

	"github.com/multigrain/multigrain/modules"
)

// vocabulary is the path of package modules.
var vocabulary = reflect.TypeFor[modules.None]().PkgPath()

// isOurs reports whether t is a value type of package modules.
func isOurs(t reflect.Type) bool { return t.PkgPath() == vocabulary }
