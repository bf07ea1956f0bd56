package record

import "testing"

// TestWithin says which of two records with the same key has all that the other one has.
func TestWithin(t *testing.T) {
	t.Parallel()
	s := ShapeOf(8, 1, 1)
	of := func(unseen, low, high uint32) Record {
		r := make(Record, s.Size)
		*s.Unseen(r), *s.Low(r, 0), *s.High(r, 0) = unseen, low, high
		return r
	}
	for _, x := range []struct {
		a, b         Record
		within, join bool
	}{
		{of(0, 1, 2), of(0, 0, 3), true, true},
		{of(2, 1, 2), of(1, 0, 3), true, true},
		{of(1, 1, 2), of(2, 0, 3), false, false}, // it may take one time-out more
		{of(0, 0, 2), of(0, 1, 3), false, true},
		{of(2, 0, 2), of(1, 1, 3), false, false},
	} {
		if string(s.Key(x.a)) != string(s.Key(x.b)) {
			t.Error("they have different keys")
		}
		if got := s.Within(x.a, x.b); got != x.within {
			t.Errorf("%v within %v: %t", x.a, x.b, got)
		}
		if got := s.Join(x.a, x.b); got != x.join {
			t.Errorf("%v joined with %v: %t", x.a, x.b, got)
		}
	}
}
