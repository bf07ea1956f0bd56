package session

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// live refuses options with which liveness properties cannot be checked. States that stand for
// others, missing states and truncated behaviours can hide or invent an infinite behaviour.
func (r *Run) live(on Reductions) {
	check := r.Manifest.Check
	if len(r.Composition.Choice.Properties) == 0 {
		return
	}
	for _, rep := range []struct {
		what, remedy string
		on           bool
	}{
		{"symmetry", "Switch it off", on.Symmetry || check.Symmetry.Value.On},
		{"partial-order reduction", "Switch it off", on.Por || check.POR.Or(false)},
		{"variables left out of the state", "Switch slice off", on.Slice || check.Slice.Or(false)},
		{"state constraints", "Bound the specification otherwise", len(check.Constraints.Value) > 0},
	} {
		if rep.on {
			r.Add(check.Properties.Errorf(codes.Liveness, "Liveness not checked",
				"Liveness properties are not checked with %s, which does not keep all behaviours. %s, or check the properties in a manifest of their own.",
				rep.what, rep.remedy))
		}
	}
}

// asymmetric reports a specification that tells servers apart.
func asymmetric(e *wire.Error) *hcl.Diagnostic {
	return configs.Errorf(codes.Asymmetric, "Nodes are not symmetric", hcl.Range{},
		"%s That was found by trying it: loops over nodes whose order matters, and unused fields that are zero, which is a node, are not read from the code. Check without symmetry.", words.Sentence(e.Message))
}

// inParts reports whether a request is one that several programs can answer together: a search from
// the initial states.
func inParts(req *wire.Request) bool { return req.Verb == "check" && req.Options.Search == nil }

// unshared adds an error for each thing that is asked of a search and is not possible in parts.
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
