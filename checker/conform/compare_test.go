package conform

import (
	"fmt"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

type (
	letter  uint8
	post    struct{ Kind, Body, Page letter }
	channel = modules.Channel[post, [4]post]
	posts   struct {
		Bag modules.Bag[int8, letter, post, [4]post, [2]channel, [2][2]channel]
		Net modules.Net[int8, letter, post, [4]post, [2]channel, [2][2]channel]
	}
)

// TestDifferencesOfBags: a message that one side has more does not make others differ, whatever
// its place among them. Messages of a queue are compared place by place.
func TestDifferencesOfBags(t *testing.T) {
	t.Parallel()
	v, err := newVariables[posts]([]string{"Bag", "Net"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	both := []post{{2, 1, 1}, {2, 2, 2}}
	for _, c := range []struct {
		name       string
		spec, impl []post // in addition to both
		want       []string
	}{
		{"equal", nil, nil, nil},
		{"one more, first", []post{{1, 1, 1}}, nil, []string{"Bag[0][1][1] {1, 1, 1} -"}},
		{"one more, last", nil, []post{{3, 1, 1}}, []string{"Bag[0][1][3] - {3, 1, 1}"}},
		{"a second copy", nil, []post{{2, 1, 1}}, []string{"Bag[0][1][2] - {2, 1, 1}"}},
		{"another field", []post{{2, 3, 3}}, []post{{2, 0, 3}}, []string{"Bag[0][1][3].Body 3 0"}},
		{"the nearest", []post{{3, 1, 1}, {3, 3, 3}}, []post{{3, 0, 3}, {3, 1, 2}},
			[]string{"Bag[0][1][3].Page 1 2", "Bag[0][1][4].Body 3 0"}},
		{"another kind", []post{{1, 1, 1}}, []post{{3, 1, 1}}, []string{"Bag[0][1][1] {1, 1, 1} -", "Bag[0][1][3] - {3, 1, 1}"}},
	} {
		var s, i posts
		for _, m := range slices.Concat(both, c.spec) {
			s.Bag.Send(0, 1, m)
		}
		for _, m := range slices.Concat(both, c.impl) {
			i.Bag.Send(0, 1, m)
		}
		if got := shownValues(v.differences(&s, &i)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	var s, i posts
	s.Net.Send(0, 1, post{1, 1, 1})
	s.Net.Send(0, 1, post{2, 1, 1})
	i.Net.Send(0, 1, post{2, 1, 1})
	if got, want := shownValues(v.differences(&s, &i)), []string{"Net[0][1][1].Kind 1 2", "Net[0][1][2] {2, 1, 1} -"}; !slices.Equal(got, want) {
		t.Errorf("a queue: %q, want %q", got, want)
	}
}

func shownValues(values []Value) (out []string) {
	side := func(v *modules.View) string {
		if v == nil {
			return "-"
		}
		return viewText(v)
	}
	for _, v := range values {
		out = append(out, fmt.Sprint(v.Path, " ", side(v.Specification), " ", side(v.Implementation)))
	}
	return out
}
