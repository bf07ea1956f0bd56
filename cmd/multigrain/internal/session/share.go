package session

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/configs"
)

// inParts reports whether a request is one that several programs can answer together: a search from
// the initial states.
func inParts(req *wire.Request) bool { return req.Verb == "check" && req.Options.Search == nil }

// unshared adds an error for each thing that is asked of a search and that is not possible in parts.
func (r *Run) unshared(req *wire.Request, how *Exploring) {
	refuse := func(at hcl.Range, what, remedy string) {
		r.Add(configs.Errorf(codes.Undistributed, "Search cannot be distributed", at, "%s %s, or check without -on.", what, remedy))
	}
	check := r.Manifest.Check
	if len(r.Composition.Choice.Properties) > 0 {
		refuse(check.Properties.Range, "Liveness properties need all steps of the graph in one place, and a search on several workers has them nowhere.",
			"Check them in a manifest of their own")
	}
	if req.Options.POR != nil {
		refuse(check.POR.Range, "Partial-order reduction by stubborn sets is counted in one program.", "Switch por off: sleep sets prune steps anyway")
	}
	if req.Options.Memory > 0 {
		refuse(hcl.Range{}, "The flag -mem, or the setting mem, bounds one program, and what exceeds it on its disk.", "Remove it and start more workers")
	}
	for _, f := range []struct {
		flag string
		on   bool
	}{
		{"-checkpoint", how.Checkpoint != ""}, {"-resume", how.Resume != ""}, {"-checkpoint-interval", how.Interval != 0}, {"-spill", how.Spill != ""},
		{"-fingerprint 64", how.Fingerprint == 64},
	} {
		if f.on {
			refuse(hcl.Range{}, "The flag "+f.flag+" is for a search in one program.", "Remove it")
		}
	}
}
