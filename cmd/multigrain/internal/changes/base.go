package changes

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// What it computes. What the code before a change does on a walk on which the changed code differs.
//
// Why it is right. The result depends on that code, on the specification, the adapter and the
// composition, and on the steps of the walk. The name of the changed program is a hash of all of
// these but of the code before the change and of the steps. So it is kept under a hash of that
// name, of the name of the folder with the code before the change, and of the request. Only a
// result that no limit and no interrupt ended is kept.
//
// What it costs. A file of some hundred bytes for each difference. A second run of the same change
// neither builds nor walks the code before it.

// baseResult describes a walk of the code before a change.
type baseResult struct {
	Kind     string `json:"kind"` // of its difference; "" for none
	Steps    int    `json:"steps"`
	Variable string `json:"variable,omitempty"`
	// Unknown says why it is not known what the code does; "" where it is. Ended says that a limit
	// or an interrupt is the reason, and not that the code cannot be run.
	Unknown string `json:"-"`
	Ended   bool   `json:"-"`
}

// baseFolder is the folder of the cache with such results.
const baseFolder = "walks"

// leastOfBase is how long the code before the change may do a single walk, also when the budget is
// used up. Such a walk takes milliseconds.
const leastOfBase = 10 * time.Second

// onBase returns what the code before the change does on the walk of a difference.
func (o *observer) onBase(f *wire.Discrepancy) baseResult {
	req := o.run.Exploration(session.Limits{}, false)
	req.Options.Conform = &wire.Conform{Replay: f.Trace}
	req.Settings = o.code.Settings // a part of the key
	env, key := compose.Env{CacheDir: o.run.Env.Cache}, o.baseKey(req)
	var kept baseResult
	if value := env.Load(baseFolder, key); value != nil && json.Unmarshal(value, &kept) == nil {
		return kept
	} else if path := filepath.Join(env.CacheDir, baseFolder, key+".json"); there(path) {
		o.first.Add(configs.Warnf(codes.Unkept, "Kept result ignored", hcl.Range{},
			"%s is not as it was written, so the code before the change does the walk again. The file is written anew.", path))
	}
	found := o.walkBase(f, req)
	if found.Unknown != "" {
		return found
	}
	if value, err := json.Marshal(found); err == nil {
		env.Save(baseFolder, key, value)
	}
	return found
}

// baseKey returns the key of a result: 32 hexadecimal digits.
func (o *observer) baseKey(req wire.Request) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q\n", filepath.Base(o.code.Program), filepath.Base(o.sides.Before))
	if err := json.NewEncoder(h).Encode([]any{req, o.run.Settings(o.impl)}); err != nil {
		panic(err) // texts and numbers only
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// buildBase builds the code before the change, once, and says why it cannot be run.
func (o *observer) buildBase() (why string) {
	if o.base == nil {
		side := sideIn(o.sides.Before)
		side.Among = o.among
		code, diags := o.run.BuildCode(o.impl, side)
		if o.base = &code; diags.HasErrors() {
			return "it does not compile with the adapter: " + firstError(diags)
		}
	}
	if o.base.Program == "" {
		return "it was not built: " + o.run.Stopped
	}
	return ""
}

// walkBase builds the code before the change, once, and does the walk of a difference on it.
func (o *observer) walkBase(f *wire.Discrepancy, req wire.Request) baseResult {
	if why := o.buildBase(); why != "" {
		return baseResult{Unknown: why, Ended: o.run.Stopped != ""}
	}
	req.Options.Timeout = max(o.left(), leastOfBase)
	start := host.Now()
	req.Settings = o.base.Settings
	rep, why := o.run.AskCode(o.impl, o.base.Program, req, session.NoTraces)
	o.spend(start, rep)
	switch {
	case rep == nil || rep.Conformance == nil:
		return baseResult{Unknown: "the walk came to no end: " + why, Ended: true}
	case len(rep.Conformance.Found) == 0 && rep.Reason != "":
		return baseResult{Unknown: rep.Reason, Ended: true}
	case len(rep.Conformance.Found) == 0:
		return baseResult{}
	}
	g := &rep.Conformance.Found[0]
	out := baseResult{Kind: g.Kind, Steps: len(g.Trace.Steps)}
	if len(g.Values) > 0 {
		out.Variable = variableOf(g)
	}
	return out
}
