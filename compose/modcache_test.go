package compose

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/compose/internal/gocmd"
)

// TestModuleCache composes a specification that lies in the module cache, whose files an overlay
// cannot replace. The user's module has only a manifest, and requires this project from a proxy.
func TestModuleCache(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it compiles this project once more, as a module of the module cache; set MULTIGRAIN_SLOW=1")
	}
	const version = "v0.0.1"
	proxy := t.TempDir()
	publish(t, proxy, module.Version{Path: gocmd.Framework, Version: version})
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOMODCACHE", t.TempDir())
	user := t.TempDir()
	for _, args := range [][]string{{"mod", "init", "example.org/user"}, {"get", gocmd.Framework + "@" + version}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = user
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	shipped, err := os.ReadFile("../configs/raft/reference.hcl")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(user, "reference.hcl")
	if err := os.WriteFile(path, shipped, 0o644); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(filepath.Join(user, "go.mod"))
	c, diags := Resolve(load(t, path, "terms=2", "requests=1", "crashes=0", "drops=0", "queue=1"), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if !strings.HasPrefix(c.source.Folder, sharedCache) {
		t.Fatalf("%s is not a copy", c.source.Folder)
	}
	if _, diags := c.Interaction(); diags.HasErrors() {
		t.Fatal(diags)
	}
	program, diags := c.Assemble(context.Background(), assemble.Check)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if r := run(t, c, program, wire.Options{Stop: 1}); r.Distinct != 40512 {
		t.Errorf("%d distinct", r.Distinct)
	}
	if after, _ := os.ReadFile(filepath.Join(user, "go.mod")); string(after) != string(before) {
		t.Errorf("go.mod is changed:\n%s", udiff.Unified("before", "after", string(before), string(after)))
	}
}

// publish puts this project's tree, as git lists it, into a proxy.
func publish(t *testing.T, proxy string, v module.Version) {
	t.Helper()
	dir := filepath.Join(proxy, filepath.FromSlash(v.Path), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, v.Version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := zip.CreateFromDir(f, v, ".."); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		v.Version + ".mod": string(mod), v.Version + ".info": `{"Version":"` + v.Version + `"}`, "list": v.Version + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
