package checker

import "testing"

func TestBranches(t *testing.T) {
	t.Parallel()
	b := &Branches{Points: []Point{{Text: "a"}, {Text: "b"}, {Text: "c"}}, Taken: []uint32{1, 1, 1, 0, 0, 0}}
	if b.Count() != 3 {
		t.Errorf("%d taken", b.Count())
	}
	missing := b.Missing()
	want := []struct {
		text             string
		value, evaluated bool
	}{{"b", true, true}, {"c", false, false}, {"c", true, false}}
	if len(missing) != len(want) {
		t.Fatalf("%+v", missing)
	}
	for k, w := range want {
		if m := missing[k]; m.Text != w.text || m.Value != w.value || m.Evaluated != w.evaluated {
			t.Errorf("%+v, want %+v", m, w)
		}
	}
	b.Never = []int{5}
	if missing := b.Missing(); len(missing) != 2 || b.Of() != 5 {
		t.Errorf("%d of %d branches are missing", len(missing), b.Of())
	}
}
