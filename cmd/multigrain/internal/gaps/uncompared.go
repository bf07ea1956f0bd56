package gaps

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/grains"
)

// Uncompared lists the chosen grains that no level compares with another one, or that levels L1
// and L2 leave out, and why. Others are compared with the baseline of a module, so the list leaves
// it out.
func Uncompared(c *compose.Composition) (out []result.Uncompared) {
	add := func(g *grains.GrainDecl, footprints bool, format string, args ...any) {
		out = append(out, result.Uncompared{Grain: g.Covers[0] + "/" + g.Name, Reason: fmt.Sprintf(format, args...), Footprints: footprints})
	}
	for _, g := range c.Chosen() {
		switch name := g.Covers[0] + "/" + g.Name; {
		case slices.Contains(c.Unchanged(), name):
			add(g, g.Coarsens, "the manifest leaves it unchanged, so levels L1 and L2 have it on both sides")
		case g.Coarsens || isBaseline(c.Catalog, g):
		case environment(c.Catalog, g):
			add(g, false, "it is one of several environments, and none of them stands for another")
		case g.Refines && len(g.From) > 0:
			add(g, false, "it refines %s/%s; only a grain that coarsens another one is compared with it", g.From[0].Module, g.From[0].Grain)
		default:
			add(g, false, "it neither coarsens nor refines another grain")
		}
	}
	return out
}

// Whole lists the chosen grains that are not coarse.
func Whole(c *compose.Composition) (out []string) {
	for _, g := range c.Chosen() {
		if !g.Coarsens {
			out = append(out, g.Covers[0]+"/"+g.Name)
		}
	}
	return out
}

// isBaseline reports whether other grains of its module are compared with a grain. That is the
// grain without From that is named "baseline", or else the first one.
func isBaseline(cat *grains.Catalog, g *grains.GrainDecl) bool {
	if len(g.From) > 0 {
		return false
	}
	var first *grains.GrainDecl
	for k := range cat.Grains {
		x := &cat.Grains[k]
		if len(x.From) > 0 || !slices.Equal(x.Covers, g.Covers) {
			continue
		}
		if x.Name == "baseline" {
			return g.Name == x.Name
		}
		if first == nil {
			first = x
		}
	}
	return first != nil && first.Name == g.Name
}

// environment reports whether a grain covers a module of the environment.
func environment(cat *grains.Catalog, g *grains.GrainDecl) bool {
	return slices.ContainsFunc(cat.Modules, func(m grains.Module) bool { return m.Environment && slices.Contains(g.Covers, m.Name) })
}
