package mutants

import (
	"os"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// builder is that of the version of the table. The test is skipped without the jars.
func builder(t testing.TB) *Builder {
	t.Helper()
	return builderOf(t, Version)
}

// builderOf is that of a version. The test is skipped without the jars.
func builderOf(t testing.TB, version string) *Builder {
	t.Helper()
	jars, err := control.Find(control.Places{}, version)
	if err != nil {
		t.Skip(err)
	}
	b, err := NewBuilder(jars)
	if err != nil {
		t.Skip(err)
	}
	return b
}

func all(t testing.TB) []Mutant {
	t.Helper()
	out, err := All()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestBuild compiles all mutants and their originals.
func TestBuild(t *testing.T) {
	b := builder(t)
	for _, m := range all(t) {
		if _, _, err := b.Mutate(m); err != nil {
			t.Error(err)
		}
	}
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it compiles each mutant for a second; set MULTIGRAIN_SLOW=1")
	}
	for _, m := range all(t) {
		if err := b.Build(m, t.TempDir()); err != nil {
			t.Error(err)
		}
	}
}
