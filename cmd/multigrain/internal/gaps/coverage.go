package gaps

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/interaction"
	"github.com/multigrain/multigrain/modules"
)

// Compared is the part of a comparison, or of an entry of a lock file, that coverage needs.
type Compared struct {
	Looks   []wire.Seen // nil: not known
	Unasked []string    // branches of invariants that only the fine composition takes
	Endings []string    // that were compared
}

// Coverage says how a composition with coarse grains covers the selected properties. Endings are
// those that the manifest asks for.
func Coverage(rep *interaction.Report, endings []string, c Compared) (out []result.Covered) {
	if rep.Verdict == interaction.None || rep.Verdict == interaction.Skipped {
		return nil
	}
	for k := range rep.Properties {
		p := &rep.Properties[k]
		x := result.Covered{Property: p.Name, Kind: p.Kind}
		switch {
		case p.On != "" || p.Kind == modules.KindAssert:
			x.How, x.Text = onSteps(p)
		default:
			x.How, x.Text = onValues(p, c)
		}
		out = append(out, x)
	}
	for _, e := range endings {
		x := result.Covered{Property: e, Kind: modules.KindLiveness, How: result.OnEndings, Text: "both compositions end in it after the same observations, or the result has the difference"}
		if e == "deadlock" {
			x.Kind = e
		}
		if !slices.Contains(c.Endings, e) {
			x.How, x.Text = result.NotCompared, "it is compared at level L2 only"
		}
		out = append(out, x)
	}
	return out
}

// onSteps says how a property of the steps of one action, or an assertion, is covered.
func onSteps(p *interaction.PropertyReport) (how, text string) {
	by := words.ListOr(p.By, "")
	switch {
	case p.Kind == modules.KindAssert && len(p.By) > 0:
		return result.OnSteps, "judged on steps that can raise it: " + by
	case p.Kind == modules.KindAssert && p.Fine:
		return result.NotPreserved, "not preserved by this grain: none of its actions can raise it, and those of the finer one can"
	case p.Kind == modules.KindAssert:
		return result.NotPreserved, "no action can raise it, and in the fine composition none can either"
	case len(p.By) == 0 && p.Fine:
		return result.NotPreserved, "not preserved by this grain: none of its actions stands for " + p.On
	case len(p.By) == 0:
		return result.NotPreserved, "neither composition has " + p.On
	case slices.Contains(p.By, p.On):
		return result.OnSteps, "judged on steps that both have: " + by
	}
	return result.OnSteps, "judged on " + by + ", which stands for " + p.On
}

// onValues says how a property of states, or of all steps, is covered.
func onValues(p *interaction.PropertyReport, c Compared) (how, text string) {
	k := slices.IndexFunc(c.Looks, func(l wire.Seen) bool { return l.Name == p.Name })
	if k < 0 {
		return result.NotCompared, "values are compared at levels L1 and L2 only"
	}
	fine, both := c.Looks[k].Seen[0], c.Looks[k].Seen[0]-c.Looks[k].Only[0]
	unasked := slices.DeleteFunc(slices.Clone(c.Unasked), func(u string) bool {
		return p.Function == "" || !strings.HasSuffix(u, " in "+p.Function)
	})
	values := fmt.Sprintf("%d of %s that the fine composition reaches", both, words.Plural(int64(fine), "value"))
	switch {
	case len(unasked) > 0:
		return result.NotPreserved, fmt.Sprintf("not preserved by this grain: only in the fine composition %s; judged on %s", strings.Join(unasked, " and "), values)
	case both == 0 && fine > 0:
		return result.NotPreserved, "not preserved by this grain: judged on none of the values that the fine composition reaches"
	}
	return result.OnValues, "judged on " + values
}
