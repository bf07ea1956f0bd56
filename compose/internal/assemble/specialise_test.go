package assemble

import (
	"fmt"
	"go/format"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
	"github.com/multigrain/multigrain/modules"
)

type id int8

// fieldsOf returns the parameters of a domain as composite literals write them.
func fieldsOf[P any](d modules.Domain[P]) (out []string) {
	for p := range d {
		v := reflect.ValueOf(p)
		var fields []string
		for k := range v.NumField() {
			fields = append(fields, fmt.Sprintf("%s: %d", v.Type().Field(k).Name, v.Field(k).Interface()))
		}
		out = append(out, strings.Join(fields, ", "))
	}
	return out
}

// open finds the package of a specification, as seen from testdata.
func open(t *testing.T, from string) *gocmd.Source {
	t.Helper()
	s, diags := gocmd.Open("testdata", from, hcl.Range{}, gocmd.Env{CacheDir: t.TempDir()})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return s
}

// read reads the files of a specification's package.
func read(t *testing.T, from string) *Rewriting {
	t.Helper()
	r, diags := Read(open(t, from))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return r
}

// catalog reads the catalog of a specification's package.
func catalog(t *testing.T, from string) *grains.Catalog {
	t.Helper()
	s := open(t, from)
	p, findings, err := interaction.Load(interaction.Config{Dir: s.Dir, Package: s.Path})
	if err != nil || len(findings) > 0 {
		t.Fatal(err, findings)
	}
	cat, findings := p.Catalog()
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return cat
}

func TestEnumerate(t *testing.T) {
	t.Parallel()
	for n := range 6 {
		for name, want := range map[string][]string{
			"Each":     fieldsOf(modules.Each[id](n)),
			"EachPair": fieldsOf(modules.EachPair[id](n)),
			"Links":    fieldsOf(modules.Links[id](n)),
			"Subsets":  fieldsOf(modules.Subsets[id](n)),
			"Quorums":  fieldsOf(modules.Quorums[id](n)),
		} {
			if have, ok := enumerate(name, []int{n}); !ok || !slices.Equal(have, want) {
				t.Errorf("%s(%d): %v, want %v", name, n, have, want)
			}
		}
		want := fieldsOf(modules.Positions[id](n, 3))
		if have, ok := enumerate("Positions", []int{n, 3}); !ok || !slices.Equal(have, want) {
			t.Errorf("Positions(%d, 3): %v, want %v", n, have, want)
		}
	}
	for _, sizes := range [][]int{nil, {-1}, {9}, {2, 2}} {
		if have, ok := enumerate("Each", sizes); ok {
			t.Errorf("Each(%v): %v", sizes, have)
		}
	}
	if _, ok := enumerate("EachOther", []int{2}); ok {
		t.Error("an unknown domain is known")
	}
}

// TestUnrolled: the guards of a specification are written out for its parameters, except those
// whose domain is its own.
func TestUnrolled(t *testing.T) {
	for _, x := range []struct {
		path string
		own  int // domains of its own, at most: guards that are called in a loop
	}{
		{"../../../../raft/reference", 0},
		{"../../../../raft", 4},
		{"../../../../zab", 11},
	} {
		r, cat := read(t, x.path), catalog(t, x.path)
		r.state = cat.State
		var loops []string
		for k, a := range cat.Actions {
			if a.Guard == nil {
				continue
			}
			params, ok := r.domain(a.Var)
			masks, domain := r.unroll(k, *a.Guard, params)
			if ok != (len(masks) > 0) || ok != (domain != "") {
				t.Errorf("%s: %d parameters, %d masks", a.Name, len(params), len(masks))
			}
			if !ok {
				loops = append(loops, a.Name)
			}
		}
		if len(loops) > x.own {
			t.Errorf("%s: the guards of %v are called in loops", x.path, loops)
		}
		for path, text := range r.Changed() {
			if _, err := format.Source(text); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// TestUnrolledConstants: what the manifest sets counts, and sizes may be written in terms of other
// constants.
func TestUnrolledConstants(t *testing.T) {
	r := read(t, "../../../../raft/reference")
	if p, ok := r.domain("SendRV"); !ok || len(p) != 6 {
		t.Errorf("3 servers: %v", p)
	}
	if err := r.SetConstant("Servers", "4"); err != nil {
		t.Fatal(err)
	}
	if p, ok := r.domain("SendRV"); !ok || len(p) != 12 {
		t.Errorf("4 servers: %v", p)
	}
	if err := r.SetConstant("Servers", "len(names)"); err != nil {
		t.Fatal(err)
	}
	if p, ok := r.domain("SendRV"); ok {
		t.Errorf("a size that is not known: %v", p)
	}
	if p, ok := r.domain("NoAction"); ok {
		t.Errorf("no action: %v", p)
	}
}

// TestOff: an action whose guard a constant keeps false has its instances, and no step.
func TestOff(t *testing.T) {
	const path = "../../../../zab"
	cat := catalog(t, path)
	k := slices.IndexFunc(cat.Grains, func(g grains.GrainDecl) bool {
		return g.Name == "baseline" && slices.Contains(g.Actions, "FollowerGivesUp")
	})
	for exceptions, off := range map[string]bool{`"end"`: true, `"continue"`: false} {
		r := read(t, path)
		if err := r.SetConstant("Exceptions", exceptions); err != nil {
			t.Fatal(err)
		}
		p := &Program{Source: open(t, path), Catalog: cat, Chosen: []*grains.GrainDecl{&cat.Grains[k]}}
		text, err := p.generate(r)
		if err != nil {
			t.Fatal(err)
		}
		for action, want := range map[string]bool{"FollowerGivesUp": off, "LeaderProcessACKLD": false} {
			n := slices.Index(cat.Grains[k].Actions, action)
			taken := strings.Contains(string(text), fmt.Sprintf("\n\t\tmultigrainStep%d(", n))
			drawn := strings.Contains(string(text), fmt.Sprintf("return multigrainAsk%d(", n))
			counted := strings.Contains(string(text), fmt.Sprintf("next += len(multigrainParams%d)", n))
			if taken == want || drawn == want || !counted {
				t.Errorf("exceptions = %s: %s is taken %v, drawn %v, counted %v", exceptions, action, taken, drawn, counted)
			}
		}
	}
}
