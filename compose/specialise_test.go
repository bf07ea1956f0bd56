package compose

import (
	"fmt"
	"go/format"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/modules"
)

type id int8

// fieldsOf are the parameters of a domain as composite literals write them.
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

// TestUnrolled: the guards of a specification are written out for its parameters, except those whose domain is its own.
func TestUnrolled(t *testing.T) {
	for _, x := range []struct {
		path string
		own  int // domains of its own, at most: guards that are called in a loop
	}{
		{"../../raft/reference", 0},
		{"../../raft", 2},
		{"../../zab", 8},
	} {
		s, diags := open("testdata", x.path, hcl.Range{}, testEnv(t))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		cat, diags := s.catalog()
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		r, diags := s.rewrite()
		if diags.HasErrors() {
			t.Fatal(diags)
		}
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
		for path, text := range r.changed() {
			if _, err := format.Source(text); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// TestUnrolledConstants: what the manifest sets counts, and sizes may be written in terms of other constants.
func TestUnrolledConstants(t *testing.T) {
	s, diags := open("testdata", "../../raft/reference", hcl.Range{}, testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	r, diags := s.rewrite()
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if p, ok := r.domain("SendRV"); !ok || len(p) != 6 {
		t.Errorf("3 servers: %v", p)
	}
	if err := r.setConstant("Servers", "4"); err != nil {
		t.Fatal(err)
	}
	if p, ok := r.domain("SendRV"); !ok || len(p) != 12 {
		t.Errorf("4 servers: %v", p)
	}
	if err := r.setConstant("Servers", "len(names)"); err != nil {
		t.Fatal(err)
	}
	if p, ok := r.domain("SendRV"); ok {
		t.Errorf("a size that is not known: %v", p)
	}
	if p, ok := r.domain("NoAction"); ok {
		t.Errorf("no action: %v", p)
	}
}
