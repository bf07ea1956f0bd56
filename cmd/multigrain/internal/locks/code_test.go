package locks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// TestWhy names what has changed, last in the sentence.
func TestWhy(t *testing.T) {
	t.Parallel()
	old := map[string]string{"function f": "1", "type T": "1", "constant C": "1", "action A": "1", "grain m/coarse": "1", "choice": "1", "version": "1.2"}
	with := func(pairs ...string) map[string]string {
		now := map[string]string{}
		for name, digest := range old {
			now[name] = digest
		}
		for k := 0; k < len(pairs); k += 2 {
			if now[pairs[k]] = pairs[k+1]; pairs[k+1] == "" {
				delete(now, pairs[k])
			}
		}
		return now
	}
	for _, c := range []struct {
		now  map[string]string
		want string
	}{
		{with("function f", "2"), "this has changed: function f"},
		{with("function f", "2", "constant C", "2"), "this has changed: constant C, function f"},
		{with("function g", "1"), "this has changed: new function g"},
		{with("function f", ""), "this has changed: removed function f"},
		{with("action B", "1", "grain m/coarse", "2"), "this has changed: new action B"},
		{with("grain m/coarse", "2"), "this has changed: grain m/coarse"},
		{with("liveness property L", "1", "grain m/coarse", "2"), "this has changed: new liveness property L"},
		{with("stand-in A for B", "1"), "this has changed: new stand-in A for B"},
		{with("function f", "2", "type T", "2", "constant C", "2", "action A", "2"), "this has changed and 1 more: constant C, type T, function f"},
		{with("choice", "2", "function g", "1"), "the choice or the bounds have changed"},
		{with("choice", "2", "function f", "2"), "the choice or the bounds have changed, and so has this: function f"},
		{with("version", "2.2"), "this version of multigrain compares in another way"},
		{with(), "the order of declarations has changed"},
	} {
		if got := Why(old, c.now); got != c.want {
			t.Errorf("%v: %q, want %q", c.now, got, c.want)
		}
	}
}

// TestCodeShared writes the declarations of several entries. Shared ones are written once.
func TestCodeShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	entries := map[string]map[string]string{
		"a": {"function f": "111111", "function g": "222222"},
		"b": {"function f": "111111", "function g": "333333"},
		"c": {"function f": "111111", "function g": "222222"},
	}
	for name, code := range entries {
		if _, diags := Put(path, Of(name, name, code, &result.Comparison{Bounds: "n=1", Preservation: wire.Preservation{Level: "L0"}})); diags.HasErrors() {
			t.Fatal(diags)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "function f") != 1 || strings.Count(string(text), "function g 2") != 1 {
		t.Errorf("%v:\n%s", err, text)
	}
	f, diags := Read(path)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, e := range f.Entries {
		for name, digest := range entries[e.Manifest] {
			if e.Code[name] != digest {
				t.Errorf("%s of %s is %q, want %q", name, e.Manifest, e.Code[name], digest)
			}
		}
	}
}

// TestReadFormer reads a file of format 1, which Read refuses with the command that rewrites it.
func TestReadFormer(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	if _, diags := Put(path, Of("a", "d", nil, compared())); diags.HasErrors() {
		t.Fatal(diags)
	}
	if f, diags := ReadFormer(path); f != nil || diags.HasErrors() {
		t.Errorf("a file of today's format is read as a former one: %v, %v", f, diags)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), "format = 2", "format = 1", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, diags := Read(path); !diags.HasErrors() || !strings.Contains(diags.Error(), "-lock -migrate") {
		t.Errorf("%v", diags)
	}
	if f, diags := ReadFormer(path); diags.HasErrors() || len(f.Entries) != 1 || f.Entries[0].Digest != "d" {
		t.Errorf("%v, %v", f, diags)
	}
}
