package session

import "testing"

// TestSetStrategy: learned weights may name what they know of a state, and a later flag replaces
// that.
func TestSetStrategy(t *testing.T) {
	for _, c := range []struct {
		flags []string
		hash  string
		fails bool
	}{
		{flags: []string{"learned"}},
		{flags: []string{"learned:roles"}, hash: "roles"},
		{flags: []string{"learned:roles", "learned"}},
		{flags: []string{"learned:roles", "guided"}},
		{flags: []string{"learned:"}, fails: true},
		{flags: []string{"learned:logs"}, fails: true},
		{flags: []string{"weighted:roles"}, fails: true},
	} {
		var w Walks
		var err error
		for _, f := range c.flags {
			err = w.SetStrategy(f)
		}
		if (err != nil) != c.fails || !c.fails && w.Hash != c.hash {
			t.Errorf("%v: %v, hash %q", c.flags, err, w.Hash)
		}
	}
}
