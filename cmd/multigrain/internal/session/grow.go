package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/growth"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// findsBounds reports whether a manifest leaves it to the command within which bounds its
// composition is compared.
func findsBounds(m *configs.Manifest) bool {
	return (m.Interaction == nil || len(m.Interaction.Bounds) == 0) && len(m.Bounds) > 0
}

// foundWithin names what decides which bounds are found: the bounds that grow, and the limits. A
// result within found bounds is not one within stated bounds, nor one within others. It is "" where
// bounds are stated.
func foundWithin(m *configs.Manifest, how Comparing) string {
	if !findsBounds(m) {
		return ""
	}
	var names []string
	for _, s := range m.Bounds {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	states, timeout := comparisonLimits(m, how, growthStates)
	return fmt.Sprint(names, states, timeout)
}

// growthStates limits the states, and the pairs of level L2, of all comparisons by which bounds are
// found. With the programs that are built for them these take about a minute.
const growthStates = 400_000

// grow compares within growing bounds, from the smallest ones up to those of the manifest. It
// returns the comparison with the largest bounds that was decided. Without one, the bounds are nil
// and the comparison is that with the smallest ones.
//
// Varied are texts about comparisons within other numbers of nodes, and with more faults. If one of
// them shows a difference of another cause, it is the result.
func (r *Run) grow(level string, how Comparing) (x *compose.Comparison, rep *wire.Preservation, found []result.Bound, varied []string) {
	type compared struct {
		x     *compose.Comparison
		rep   *wire.Preservation
		found []result.Bound
	}
	bounds, failed := r.growing(), false
	start, done := host.Now(), map[string]compared{}
	limit, timeout := comparisonLimits(r.Manifest, how, growthStates)
	known := len(r.Diagnostics)
	try := func(at []int, states int64) (o growth.Outcome, ok bool) {
		one, each := how, compared{found: r.foundBounds(bounds, at)}
		one.MaxStates = states
		if timeout > 0 {
			if one.Timeout = timeout - host.Since(start); one.Timeout <= 0 {
				return o, false
			}
		}
		var diags hcl.Diagnostics
		if each.x, diags = r.Composition.CompareWithin(boundSettings(each.found)); failed || each.x == nil || diags.HasErrors() || r.Env.Soft.Err() != nil {
			return o, false
		}
		r.Diagnostics = r.Diagnostics[:known]
		var fault *wire.Error
		if each.rep, fault = r.compareOnce(each.x, level, one); each.rep == nil {
			if fault == nil || fault.Kind != wire.ErrorCapacity || fault.Capacity == 0 {
				failed = true
				return o, false
			}
			return growth.Outcome{Full: fmt.Sprint(withoutIndexes(fault.Field), " ", fault.Capacity), Capacity: fault.Capacity}, true
		}
		if done[fmt.Sprint(at)] = each; x == nil {
			x, rep = each.x, each.rep
		}
		for side, s := range each.rep.Sides {
			o.States += s.States + int64(each.rep.L2.Pairs[side])
		}
		o.States = min(o.States, states)
		o.Decided = each.rep.Level >= level
		o.Shows = fmt.Sprint(each.rep.Views, each.rep.Only, each.rep.L1.NoFalse, each.rep.L1.NoMissed, each.rep.L2.NoFalse, each.rep.L2.NoMissed)
		for _, e := range each.rep.Endings {
			o.Shows += fmt.Sprint(" ", e.States[0] > 0, e.States[1] > 0)
		}
		return o, true
	}
	best, full := growth.Find(bounds, limit, try)
	if failed || full && rep == nil { // the failure is reported already
		return nil, nil, nil, nil
	}
	r.Diagnostics = r.Diagnostics[:known] // capacities that were raised since
	switch {
	case best == nil && rep != nil && rep.Level != "L0": // the smallest bounds alone decide nothing
		return x, undecided(rep, "only the smallest bounds end, in which hardly anything happens"), nil, nil
	case best == nil:
		return x, rep, nil, nil
	}
	b := done[fmt.Sprint(best)]
	for _, v := range growth.Vary(bounds, best, limit/2, try) {
		text := variedText(bounds, best, v.Bounds)
		other, ok := done[fmt.Sprint(v.Bounds)]
		switch {
		case !v.Decided || !ok:
			varied = append(varied, text+": not decided")
		case shownFirst(other.rep, b.rep):
			varied, b = append(varied, text+": shows more, see below"), other
		default:
			varied = append(varied, text+": shows nothing else")
		}
	}
	r.Diagnostics = r.Diagnostics[:known]
	return b.x, b.rep, b.found, varied
}

// variedText names the bounds that differ from those that were found.
func variedText(bounds []growth.Bound, found, at []int) string {
	var out []string
	for k, b := range bounds {
		if at[k] != found[k] {
			out = append(out, fmt.Sprintf("%s=%d", b.Name, at[k]))
		}
	}
	return strings.Join(out, " ")
}

// shownFirst reports whether a comparison shows a difference of a cause that another one does not
// show.
func shownFirst(rep, other *wire.Preservation) bool {
	return slices.ContainsFunc(rep.Differences, func(d wire.Difference) bool {
		return !slices.ContainsFunc(other.Differences, func(o wire.Difference) bool {
			return o.Missed == d.Missed && o.Ending == d.Ending && o.Cause == d.Cause && (d.Cause != "" || o.Observer == d.Observer)
		})
	})
}

// mostRoom bounds a capacity that is raised while bounds are found.
const mostRoom = 64

// growing returns the bounds that grow: those that the manifest sets. Others may be capacities that
// the fine grains need, and the coarse ones do without. They have their default, unless it is
// exceeded.
func (r *Run) growing() (bounds []growth.Bound) {
	faults, follow := r.spent()
	for _, b := range r.Composition.Catalog.Bounds {
		g := growth.Bound{Name: b.Name, Min: b.Default, Max: b.Default, Most: b.Max, Fault: slices.Contains(faults, b.Name), Follows: slices.Contains(follow, b.Name)}
		if s, set := r.Manifest.Bounds.Get(b.Name); set {
			most, _ := s.Int()
			g.Min, g.Max = b.Min, most
		} else if b.Const == "" {
			continue
		}
		if b.Const != "" {
			g.Room = min(b.Max, mostRoom)
			g.Nodes = r.Composition.Catalog.CountsNodes(&b)
		}
		bounds = append(bounds, g)
	}
	return bounds
}

// spent returns the bounds that grains of the environment spend, and those that coarse grains do.
func (r *Run) spent() (faults, coarse []string) {
	for _, g := range r.Composition.Chosen() {
		environment := slices.ContainsFunc(r.Composition.Catalog.Modules, func(m grains.Module) bool { return m.Environment && slices.Contains(g.Covers, m.Name) })
		for _, b := range g.Budgets {
			switch {
			case environment:
				faults = append(faults, b.Bound)
			case g.Coarsens:
				coarse = append(coarse, b.Bound)
			}
		}
	}
	return faults, coarse
}

// foundBounds returns the bounds of a comparison: those that the manifest sets, and capacities that
// are not as the catalog has them.
func (r *Run) foundBounds(bounds []growth.Bound, at []int) (out []result.Bound) {
	for k, b := range bounds {
		if _, set := r.Manifest.Bounds.Get(b.Name); set || at[k] != b.Max {
			out = append(out, result.Bound{Name: b.Name, Value: at[k]})
		}
	}
	return out
}

// withoutIndexes returns the path of a field without the indexes in it.
func withoutIndexes(path string) string {
	var out strings.Builder
	depth := 0
	for _, c := range path {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case depth == 0:
			out.WriteRune(c)
		}
	}
	return out.String()
}

// boundSettings returns bounds as a manifest sets them.
func boundSettings(bounds []result.Bound) (out configs.Settings) {
	for _, b := range bounds {
		s := configs.Setting{Name: b.Name}
		s.Value = cty.NumberIntVal(int64(b.Value))
		out = append(out, s)
	}
	return out
}
