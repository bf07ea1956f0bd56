package selftest

import (
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/checker/internal/refine"
	"github.com/multigrain/multigrain/modules"
)

// far returns an office in which Seal is possible only for a server that holds three letters: no
// behaviour of six steps comes to that.
func far() *refine.Spec[office] {
	seal := &one{Name: "Seal", Params: modules.Each[server](3),
		Guard:  func(s *office, p modules.One[server]) bool { return s.Held[p.I] == 3 && s.Disk[p.I] < 4 },
		Effect: func(s, n *office, p modules.One[server]) { n.Disk[p.I] = 4 }}
	return officeSpec(&modules.Runtime[office]{}, seal)
}

// TestCourses expects a course for each action, also for one that takes more steps than a behaviour
// has. A course leads to its action again.
func TestCourses(t *testing.T) {
	const steps = 6
	r := &runner[office]{opt: Options{Steps: steps}}
	if err := r.prepare(far()); err != nil {
		t.Fatal(err)
	}
	ends := map[string]int{}
	for _, c := range r.courses {
		func() {
			defer modules.UseArena(modules.UseArena(modules.NewArena()))
			w := newWorld(r.model, r.enc, rand.New(rand.NewPCG(1, 1)), r.far[0])
			last, n := "", 0
			w.stepped = func(_ int, name string) { last, n = name, n+1 }
			w.follow(c)
			ends[last]++
			if n > courseSteps {
				t.Errorf("a course has %d steps", n)
			}
		}()
	}
	for _, name := range []string{"Write", "Take", "Pass", "Drop", "Start", "Seal"} {
		if ends[name] == 0 || ends[name] > courseKept {
			t.Errorf("%d courses end with %s: %v", ends[name], name, ends)
		}
	}
	with := try(t, far(), Options{Number: 40, Seed: 1})
	if with.Taken["Seal"] == 0 || with.Failed > 0 {
		t.Errorf("behaviours take Seal %d times; %d failures", with.Taken["Seal"], with.Failed)
	}
}
