package sandtable

import (
	"reflect"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

func TestStateIsFlat(t *testing.T) {
	t.Parallel()
	for _, err := range modules.CheckState(reflect.TypeFor[State]()) {
		t.Error(err)
	}
	t.Logf("%d bytes", reflect.TypeFor[State]().Size())
}
