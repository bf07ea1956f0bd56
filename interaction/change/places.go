package change

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/multigrain/multigrain/grains"
)

// Places are the modelled functions of an implementation.
type Places struct {
	list   []*Place
	byName map[string]*Place
	met    map[string]bool // names that some code has
}

// Modelled lists what a module models as the manifest declares it, instead of the catalog's grains.
type Modelled struct {
	Module   string
	Function string
	At       grains.Place
}

// NewPlaces returns the places of a catalog's grains or, where a manifest names some, those
// instead.
func NewPlaces(cat *grains.Catalog, own []Modelled) *Places {
	p := &Places{byName: map[string]*Place{}, met: map[string]bool{}}
	for k := range cat.Grains {
		g := &cat.Grains[k]
		if g.Coarsens {
			continue
		}
		ref := grains.Ref{Module: g.Covers[0], Grain: g.Name}
		if len(own) == 0 {
			for _, name := range g.Models {
				p.add(name, ref, g.Place)
			}
		}
		for _, m := range own {
			if slices.Contains(g.Covers, m.Module) {
				p.add(m.Function, ref, m.At)
			}
		}
	}
	return p
}

func (p *Places) add(name string, g grains.Ref, at grains.Place) {
	x := p.byName[name]
	if x == nil {
		x = &Place{Name: name, At: at}
		p.byName[name] = x
		p.list = append(p.list, x)
	}
	if !slices.Contains(x.Grains, g) {
		x.Grains = append(x.Grains, g)
	}
}

// of returns the place with one of the names, the first that there is; nil without one.
func (p *Places) of(names ...string) *Place {
	for _, n := range names {
		if x := p.byName[n]; x != nil {
			p.met[n] = true
			return x
		}
	}
	return nil
}

// Models reports whether there is a place for a function of Go, by its name with the import path.
func (p *Places) Models(name string) bool {
	folder, rest := "", name
	if k := strings.LastIndexByte(name, '/'); k >= 0 {
		folder, rest = name[:k+1], name[k+1:]
	}
	pkg, decl, _ := strings.Cut(rest, ".")
	names := goNames(folder+pkg, versionEnd.ReplaceAllString(pkg, ""), "", decl)
	if v := versionOnly.FindString(pkg); v != "" { // the package's name is that of the folder above
		names[1] = path.Base(strings.TrimSuffix(folder, "/")) + "." + decl
	}
	return slices.ContainsFunc(names, func(n string) bool { return p.byName[n] != nil })
}

var versionOnly = regexp.MustCompile(`^v[0-9]+$`)

// missing returns the places that no code has asked for by one of its names.
func (p *Places) missing() []string {
	out := []string{}
	for _, x := range p.list {
		if !p.met[x.Name] {
			out = append(out, x.Name)
		}
	}
	return out
}

// goNames returns the names by which a place may call a function of Go, the longest first: with the
// import path, with the package's name, and alone.
func goNames(path, pkg, receiver, name string) []string {
	if receiver != "" {
		name = receiver + "." + name
	}
	return []string{path + "." + name, pkg + "." + name, name}
}

// ignored returns the first pattern that a path matches, "" without one. Patterns are those of
// package doublestar, valid ones: ** stands for any number of folders.
func ignored(patterns []string, path string) string {
	for _, p := range patterns {
		if doublestar.MatchUnvalidated(p, path) {
			return p
		}
	}
	return ""
}
