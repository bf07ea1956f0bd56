package compose

import (
	"strings"
	"testing"

	"github.com/multigrain/multigrain/compose/gocmd"
)

// TestSetsFitTheBounds: eight resource managers take the small sets, nine the next size, and the
// file that declares the size says so.
func TestSetsFitTheBounds(t *testing.T) {
	t.Parallel()
	for managers, want := range map[string]string{"8": "max_8.go", "9": "max_16.go", "17": "max_32.go", "64": "max_64.go"} {
		c, diags := Resolve(load(t, "../configs/examples/twophase.hcl", "managers="+managers), Env{CacheDir: t.TempDir()})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		files := strings.Join(c.source.GoFiles(gocmd.Framework+"/modules/internal/sets"), " ")
		if !strings.Contains(files, want) {
			t.Errorf("%s managers: %s is not among %s", managers, want, files)
		}
	}
}
