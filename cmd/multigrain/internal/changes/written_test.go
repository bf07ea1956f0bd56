package changes

import (
	"testing"

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
