package change

import (
	"testing"

	"github.com/multigrain/multigrain/interaction"
)

// TestEtcdNames: go.etcd.io/raft/v3, in the version that this module requires, has every function
// that the catalog of raft names.
func TestEtcdNames(t *testing.T) {
	t.Parallel()
	raft, findings, err := interaction.Load(interaction.Config{Dir: "../../raft", Package: "."})
	if err != nil || interaction.HasErrors(findings) {
		t.Fatal(err, findings)
	}
	cat, findings := raft.Catalog()
	if interaction.HasErrors(findings) {
		t.Fatal(findings)
	}
	etcd, err := loadGo("../..", []string{"go.etcd.io/raft/v3/..."}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	places := NewPlaces(cat, nil)
	for _, f := range etcd.order {
		places.of(f.names...)
	}
	if len(places.list) < 40 {
		t.Errorf("the catalog names %d functions only", len(places.list))
	}
	if missing := places.missing(); len(missing) > 0 {
		t.Errorf("the code lacks %v", missing)
	}
}
