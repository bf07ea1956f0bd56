package changes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction/change"
)

// observing returns an observer of a change whose code before it cannot be run, and whose cache is
// a folder. The two names stand for the changed program and for the code before the change.
func observing(cache, program, before string) *observer {
	impl := &configs.Implementation{Name: "app"}
	run := &session.Run{Env: &session.Env{Cache: cache}, Manifest: &configs.Manifest{Check: new(configs.Check)}, Composition: &compose.Composition{}}
	return &observer{x: &Changed{impl: impl, Change: &result.Change{}}, out: &result.Observed{}, first: run, sides: &change.Sides{Before: filepath.Join(cache, "changes", before)},
		pass: &pass{run: run, impl: impl, code: &compose.Built{Program: filepath.Join(cache, "programs", program)}, base: &compose.Built{}}}
}

// TestKeptOfBase: what the code before a change does on a walk is kept by its hash, and counts for
// the same program, code and walk. A damaged or foreign file is ignored with a note.
func TestKeptOfBase(t *testing.T) {
	t.Parallel()
	cache := filepath.Join(t.TempDir(), "cache")
	if err := files.MakeOwn(cache, nil); err != nil {
		t.Fatal(err)
	}
	walk := func(action string) *wire.Discrepancy {
		return &wire.Discrepancy{Kind: "variable", Values: []wire.Differing{{Path: "Commit[1]"}}, Trace: &wire.Trace{Steps: []wire.Step{{Action: action}}}}
	}
	o := observing(cache, "p", "b")
	req := o.run.Exploration(session.Limits{}, false)
	req.Options.Conform = &wire.Conform{Replay: walk("Act").Trace}
	key := o.baseKey(req)
	value, _ := json.Marshal(baseResult{Kind: "variable", Steps: 1, Variable: "Commit"})
	compose.Env{CacheDir: cache}.Save(baseFolder, key, value)
	if !o.isShared(walk("Act")) || len(o.run.Diagnostics) > 0 {
		t.Errorf("the kept result does not count: %v", o.run.Diagnostics)
	}
	for _, other := range []struct {
		program, before, action string
	}{{"q", "b", "Act"}, {"p", "c", "Act"}, {"p", "b", "Other"}} {
		o := observing(cache, other.program, other.before)
		if o.isShared(walk(other.action)) || len(o.run.Diagnostics) != 1 {
			t.Errorf("the result counts for %+v: %v", other, o.run.Diagnostics)
		}
	}
	path := filepath.Join(cache, baseFolder, key+".json")
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"damaged": string(kept[:len(kept)/2]), "edited": strings.Replace(string(kept), "Commit", "Commix", 1), "foreign": "{}", "empty": ""} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		o := observing(cache, "p", "b")
		if o.isShared(walk("Act")) || len(o.run.Diagnostics) != 2 || !strings.Contains(o.run.Diagnostics[0].Detail, "is not as it was written") {
			t.Errorf("%s: %v", name, o.run.Diagnostics)
		}
	}
}
