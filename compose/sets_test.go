package compose

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose/internal/gocmd"
)

// TestSetsFitTheBounds: eight resource managers take the small sets, nine the next size, and the
// file that declares the size says so.
func TestSetsFitTheBounds(t *testing.T) {
	t.Parallel()
	for managers, want := range map[string]string{"8": "max_8.go", "9": "max_16.go", "17": "max_32.go", "64": "max_64.go"} {
		c, diags := Resolve(load(t, "../configs/examples/twophase.hcl", "managers="+managers), Env{CacheDir: t.TempDir()})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		files := strings.Join(c.source.GoFiles(gocmd.Framework+"/modules/internal/sets"), " ")
		if !strings.Contains(files, want) {
			t.Errorf("%s managers: %s is not among %s", managers, want, files)
		}
	}
}

// TestManyIdentities compares counts with those of maps: a node of two bytes out of 200, and sets
// and maps of 20 and of 64 guests.
func TestManyIdentities(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ nodes, guests int }{{200, 2}, {4, 20}, {2, 64}} {
		if x.guests == 20 && os.Getenv("MULTIGRAIN_SLOW") == "" {
			continue // the sizes at both ends are enough for a day
		}
		// The naive oracle: hands are pairs of numbers, and guests are strings of notes.
		type state struct {
			first, second int
			notes         string
		}
		seen := map[state]bool{}
		todo := []state{{0, 0, strings.Repeat("0", x.guests)}}
		for len(todo) > 0 {
			s := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[s] {
				continue
			}
			seen[s] = true
			if s.first+1 < x.nodes {
				todo = append(todo, state{s.first + 1, s.second, s.notes})
			}
			if s.second < s.first {
				todo = append(todo, state{s.first, s.second + 1, s.notes})
			}
			for k := range s.notes {
				if s.notes[k] == '0' && strings.Count(s.notes[:k], "1") == k {
					todo = append(todo, state{s.first, s.second, s.notes[:k] + "1" + s.notes[k+1:]})
				}
				if s.notes[k] == '0' && strings.Count(s.notes[k+1:], "2") == x.guests-k-1 {
					todo = append(todo, state{s.first, s.second, s.notes[:k] + "2" + s.notes[k+1:]})
				}
			}
		}
		c, program := mustAssemble(t, "testdata/many/many.hcl", fmt.Sprint("nodes=", x.nodes), fmt.Sprint("guests=", x.guests))
		r := run(t, c, program, wire.Options{Stop: 1})
		if r.Verdict != "holds" || r.Distinct != int64(len(seen)) {
			t.Errorf("%+v: %s with %d states, the oracle has %d", x, r.Verdict, r.Distinct, len(seen))
		}
	}
}

// TestTooManyIdentities: a type that is too small for its identities is refused.
func TestTooManyIdentities(t *testing.T) {
	t.Parallel()
	for bounds, want := range map[string]string{
		"nodes=40000": "40000 values of type Node, which holds 32768",
		"guests=64":   "",
	} {
		_, diags := Resolve(load(t, "testdata/many/many.hcl", bounds), testEnv(t))
		switch {
		case want == "" && diags.HasErrors():
			t.Errorf("%s: %v", bounds, diags)
		case want != "" && (len(diags) != 1 || !strings.Contains(diags[0].Detail, want)):
			t.Errorf("%s: %v, want %q", bounds, diags, want)
		}
	}
}
