package published_test

import (
	"testing"

	"github.com/multigrain/multigrain/interaction/vettest"
)

func TestSpecification(t *testing.T) {
	t.Parallel()
	vettest.Run(t)
}
