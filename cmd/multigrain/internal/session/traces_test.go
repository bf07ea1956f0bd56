package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/itf"
)

// TestManifestOf: a trace's manifest is found from the current folder, and from any other folder by
// the place of the trace. An error names the manifest and the trace.
func TestManifestOf(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/configs/m.hcl", "a/configs/.multigrain/m-I.itf.json", "b/configs/m.hcl", "c/t.itf.json"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct{ from, manifest, trace, want string }{
		{"a", "configs/m.hcl", "configs/.multigrain/m-I.itf.json", "configs/m.hcl"},
		{"b", "configs/m.hcl", "../a/configs/.multigrain/m-I.itf.json", "configs/m.hcl"},
		{"c", "configs/m.hcl", "../a/configs/.multigrain/m-I.itf.json", dir + "/a/configs/m.hcl"},
		{"a/configs", "configs/m.hcl", ".multigrain/m-I.itf.json", dir + "/a/configs/m.hcl"},
		{"c", "m.hcl", "../a/configs/.multigrain/m-I.itf.json", dir + "/a/configs/m.hcl"},
		{"c", dir + "/a/configs/m.hcl", "t.itf.json", dir + "/a/configs/m.hcl"},
		{"c", "configs/m.hcl", "t.itf.json", ""},
		{"a", "configs", "../c/t.itf.json", "configs"}, // a folder: reading it fails
		{"c", "configs", "../a/configs/.multigrain/m-I.itf.json", ""},
		{"c", dir + "/none.hcl", "t.itf.json", ""},
	} {
		t.Chdir(filepath.Join(dir, x.from))
		got, diags := manifestOf(itf.Meta{Manifest: x.manifest}, x.trace)
		if got != x.want || diags.HasErrors() != (x.want == "") {
			t.Errorf("%+v: found %q, %v", x, got, diags)
		}
		if x.want == "" && !(strings.Contains(diags.Error(), x.manifest) && strings.Contains(diags.Error(), x.trace)) {
			t.Errorf("%+v: the error names too little: %v", x, diags)
		}
	}
}
