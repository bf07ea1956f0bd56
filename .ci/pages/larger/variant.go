package larger

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// The two larger comparisons of each coarse grain.
const (
	faults = "twice the faults"
	nodes  = "five nodes"
)

// larger is a comparison of a manifest's coarse grains within larger bounds.
type larger struct {
	manifest string // its path in the checkout
	kind     string // faults or nodes
	grains   []string
	bounds   map[string]int
	own      map[string]int // the bounds within which check explores the manifest
}

// fiveNodes is the number of nodes of the comparison with more of them.
const fiveNodes = 5

// mostRoom bounds the capacities that are raised where they are exceeded.
const mostRoom = 64

// statedBounds returns the bounds within which the manifest is compared, by name: those of its
// interaction block, and the others of the manifest.
func statedBounds(c *compose.Composition) map[string]int {
	out := ownBounds(c)
	if c.Manifest.Interaction != nil {
		for _, s := range c.Manifest.Interaction.Bounds {
			out[s.Name], _ = s.Int()
		}
	}
	return out
}

// ownBounds returns the bounds that the manifest sets, by name.
func ownBounds(c *compose.Composition) map[string]int {
	out := map[string]int{}
	for _, s := range c.Manifest.Bounds {
		out[s.Name], _ = s.Int()
	}
	return out
}

// variants returns the larger bounds of a composition, by kind. A kind that the system does not
// have is missing: without faults there is no twice as many.
//
// Faults are the budgets of the environment. If a manifest compares without faults, there is one
// of each kind that its own bounds allow, or one of each kind if they allow none. The budgets of
// coarse grains, such as epochs, grow by the number of faults that are new, since elections
// follow faults.
func variants(c *compose.Composition) map[string]map[string]int {
	out, stated := map[string]map[string]int{}, statedBounds(c)
	if more := moreFaults(c, stated); more != nil {
		out[faults] = more
	}
	for _, b := range c.Catalog.Bounds {
		if numbersNodes(c, b) && b.Max >= fiveNodes && stated[b.Name] < fiveNodes {
			more := maps.Clone(stated)
			more[b.Name] = fiveNodes
			out[nodes] = more
			break
		}
	}
	return out
}

// moreFaults returns bounds with twice the faults; nil if the composition has none.
func moreFaults(c *compose.Composition, stated map[string]int) map[string]int {
	more, added, some, allowed := maps.Clone(stated), 0, false, map[string]bool{}
	spent, own := budgets(c, true), ownBounds(c)
	for _, b := range spent {
		if some = some || stated[b] > 0; own[b] > 0 {
			allowed[b] = true
		}
	}
	for _, b := range spent {
		switch {
		case some:
			more[b] = 2 * stated[b]
		case allowed[b] || len(allowed) == 0:
			more[b] = 1
		}
		added += more[b] - stated[b]
	}
	if added == 0 {
		return nil
	}
	for _, b := range budgets(c, false) {
		if at, ok := more[b]; ok {
			more[b] = at + added
		}
	}
	return more
}

// budgets returns the bounds that grains of the environment spend, or else coarse grains.
func budgets(c *compose.Composition, environment bool) (out []string) {
	for _, g := range c.Chosen() {
		of := slices.ContainsFunc(c.Catalog.Modules, func(m grains.Module) bool { return m.Environment && slices.Contains(g.Covers, m.Name) })
		if of != environment || !environment && !g.Coarsens {
			continue
		}
		for _, b := range g.Budgets {
			if !slices.Contains(out, b.Bound) {
				out = append(out, b.Bound)
			}
		}
	}
	return out
}

// comparedGrains returns the coarse grains that a manifest compares, as module/grain.
func comparedGrains(c *compose.Composition) (out []string) {
	for _, g := range c.Chosen() {
		if name := g.Covers[0] + "/" + g.Name; g.Coarsens && !slices.Contains(c.Unchanged(), name) {
			out = append(out, name)
		}
	}
	return out
}

// text returns the comparison as a manifest that is written into a folder.
func (l *larger) text(folder string) (string, error) {
	base, err := filepath.Abs(l.manifest)
	if err != nil {
		return "", err
	}
	if base, err = filepath.Rel(folder, base); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "extends = %q\n\ninteraction {\n  level  = \"L2\"\n  accept = []\n  bounds {\n", filepath.ToSlash(base))
	for _, name := range slices.Sorted(maps.Keys(l.bounds)) {
		fmt.Fprintf(&b, "    %s = %d\n", name, l.bounds[name])
	}
	b.WriteString("  }\n}\n")
	return b.String(), nil
}

// roomier raises what may set a capacity that was exceeded, and reports whether there is such a
// bound. Bounds with the value of the capacity are doubled. If there is none, the capacity may be
// computed from others: sizes below those of the manifest get its values.
func (l *larger) roomier(c *compose.Composition, capacity int) bool {
	doubled, raised := false, map[string]int{}
	for _, b := range c.Catalog.Bounds {
		if b.Const == "" || numbersNodes(c, b) {
			continue
		}
		at, ok := l.bounds[b.Name]
		if !ok {
			at = b.Default
		}
		if at == capacity && 2*at <= min(b.Max, mostRoom) {
			l.bounds[b.Name], doubled = 2*at, true
		}
		if own, ok := l.own[b.Name]; ok && at < own {
			raised[b.Name] = own
		}
	}
	if !doubled {
		maps.Copy(l.bounds, raised)
	}
	return doubled || len(raised) > 0
}

// numbersNodes reports whether a bound is the number of the nodes of a role. In a system without
// roles it is the bound with the name of one.
func numbersNodes(c *compose.Composition, b grains.Bound) bool {
	if len(c.Catalog.Roles) == 0 {
		return b.Const != "" && (b.Name == "servers" || b.Name == "nodes")
	}
	return b.Const != "" && slices.ContainsFunc(c.Catalog.Roles, func(x modules.Role) bool { return x.Count > 0 && x.Count == b.Default })
}

// manifests returns the larger comparisons of all shipped coarse grains below a folder. Each
// coarse grain is compared with the first manifest that compares it and states a level.
func manifests(root string, resolve func(*configs.Manifest) (*compose.Composition, error)) (all []*larger, err error) {
	var files []string
	err = filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() && e.Name() == "testdata" {
			return filepath.SkipDir
		}
		if err == nil && filepath.Ext(path) == ".hcl" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	done := map[string]bool{}
	for _, path := range files {
		m, diags := configs.Load(path, configs.Options{})
		if diags.HasErrors() || m.Interaction == nil || m.Interaction.Level.Or("L0") == "L0" || m.Expect != nil && m.Expect.Verdict.Value == "violated" {
			continue
		}
		c, err := resolve(m)
		if err != nil {
			return nil, err
		}
		fresh := slices.DeleteFunc(comparedGrains(c), func(g string) bool { return done[m.System.Name+" "+g] })
		if len(fresh) == 0 {
			continue
		}
		for kind, bounds := range variants(c) {
			all = append(all, &larger{path, kind, fresh, bounds, ownBounds(c)})
		}
		for _, g := range fresh {
			done[m.System.Name+" "+g] = true
		}
	}
	slices.SortStableFunc(all, func(a, b *larger) int { return strings.Compare(a.manifest+b.kind, b.manifest+a.kind) })
	return all, nil
}
