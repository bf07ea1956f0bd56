package changes

import (
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// TestInComment: a tag of javadoc is no annotation, and an annotation after a comment is one.
func TestInComment(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"     * @return the folder": true, "  // @Test": true, "*": true,
		"  @Managed": false, "  */ @Managed": false, "/* all */ @Managed": false, "int area = width": false, " *@Managed": false,
	} {
		if got := inComment.MatchString(line); got != want {
			t.Errorf("%q: %v, not %v", line, got, want)
		}
	}
}

// TestIdle: an action that no walk took decides nothing only where all changed lines do as before,
// and write nothing.
func TestIdle(t *testing.T) {
	t.Parallel()
	same, other := result.RanPlace{Kind: "line", Same: true}, result.RanPlace{Kind: "line", True: true}
	for _, c := range []struct {
		name    string
		coded   *coded
		places  []result.RanPlace
		written []result.Written
		want    bool
	}{
		{"as before", &coded{written: true}, []result.RanPlace{same, same}, nil, true},
		{"a line does something else", &coded{written: true}, []result.RanPlace{same, other}, nil, false},
		{"it writes what is observed", &coded{written: true}, []result.RanPlace{same}, []result.Written{{Observed: true}}, false},
		{"no line can run", &coded{written: true}, nil, nil, false},
		{"not compared", &coded{}, []result.RanPlace{same}, nil, false},
		{"Go", nil, []result.RanPlace{same}, nil, false},
	} {
		o := &observer{coded: c.coded, out: &result.Observed{Places: c.places, Written: c.written}}
		if got := o.idle(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestDecisive: contents of memory are compared in compositions that decide something and have the
// sizes of the manifest. Without any, nothing is known of them.
func TestDecisive(t *testing.T) {
	t.Parallel()
	own := &pass{doc: &result.Walked{}}
	refused, sized := &pass{doc: &result.Walked{Reason: "the adapter cannot follow it"}}, &pass{doc: &result.Walked{}, sized: true}
	o := &observer{done: []*pass{own, refused, sized}, out: &result.Observed{}}
	if got := o.decisive(); !slices.Equal(got, []*pass{own}) {
		t.Errorf("%d compositions, want the first", len(got))
	}
	for n, want := range map[int]int64{1: 150, 2: 75, 3: 50, 4: 40, 5: 40} {
		if o.done = append(slices.Repeat([]*pass{own}, n), sized); o.heldEach() != want {
			t.Errorf("%d compositions: %d walks each, want %d", n, o.heldEach(), want)
		}
	}
	o.done = []*pass{refused, sized}
	if held, _ := o.held(); held == nil || held.Reason == "" {
		t.Errorf("nothing was compared, and the result is %+v", held)
	}
}

// TestLacks: an action that no walk took is missing before the walks are over, unless walks of
// another composition took it.
func TestLacks(t *testing.T) {
	t.Parallel()
	plain := &pass{doc: &result.Walked{Unfired: []string{"Leave"}}}
	other := &pass{doc: &result.Walked{}, fired: []string{"Leave"}}
	o := &observer{done: []*pass{plain}, out: &result.Observed{}}
	if !o.lacks() {
		t.Error("the action is not missing")
	}
	if o.done = append(o.done, other); o.lacks() {
		t.Errorf("%v is missing, and a walk took it", o.out.Unfired)
	}
}

// TestHasBranch: a branch that one run did not evaluate and another one did not take is missing in
// both.
func TestHasBranch(t *testing.T) {
	t.Parallel()
	m := wire.Untaken{File: "a.go", Line: 1, Condition: "x", Value: true}
	evaluated, other := m, m
	evaluated.Evaluated, other.Value = true, false
	if !hasBranch([]wire.Untaken{evaluated}, m) || hasBranch([]wire.Untaken{other}, m) {
		t.Error("branches are not told apart by their places and values")
	}
}
