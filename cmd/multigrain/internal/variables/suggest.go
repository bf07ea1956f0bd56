package variables

import (
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/interaction"
)

// SuggestionsOf returns the variables that coarse grains may leave out.
func SuggestionsOf(rep *interaction.Report) (out []result.Suggestion) {
	for _, s := range rep.Suggestions {
		d := result.Suggestion{Module: s.Module, Grain: s.Grain, Drops: s.Drops, Together: s.Together, Others: s.Others, Silent: s.Silent}
		for _, k := range s.Keeps {
			d.Keeps = append(d.Keeps, *WhyOf(&interaction.VariableReport{Name: k.Variable, Kept: true, Why: k.Why}))
		}
		out = append(out, d)
	}
	return out
}

// maxParts bounds how many variables a wrong name is answered with.
const maxParts = 8

// PartsOf returns the names for which a wrong one may stand. Parts of a field come first
// (AckldRecv.Sids, Msgs#ACK), then names that begin with it, then names that contain it. Case does
// not matter. Of a name with an index or a part, as Epoch[1] or s.Epoch, the field counts.
func PartsOf(name string, names []string) []string {
	name, _, _ = strings.Cut(name, "[")
	for _, before := range []string{"s.", "n.", "State."} {
		name = strings.TrimPrefix(name, before)
	}
	name = strings.ToLower(name)
	var parts, longer, within []string
	for _, n := range names {
		low := strings.ToLower(n)
		rest, begins := strings.CutPrefix(low, name)
		switch {
		case len(name) == 0:
		case begins && rest != "" && (rest[0] == '.' || rest[0] == '#'):
			parts = append(parts, n)
		case begins:
			longer = append(longer, n)
		case len(name) > 2 && strings.Contains(low, name):
			within = append(within, n)
		}
	}
	parts = append(append(parts, longer...), within...)
	if len(parts) > maxParts {
		parts = append(parts[:maxParts:maxParts], "...")
	}
	return parts
}
