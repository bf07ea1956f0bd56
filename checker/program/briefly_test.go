package program

import (
	"reflect"
	"testing"
)

// sort and role are enumerations whose constants for 0 have names. No is a role, and not 0.
type (
	sort uint8
	role int8
)

type letter struct {
	Kind       sort
	Term, Size int
	From       role
	Urgent     bool
}

// TestBriefly: what a condition has read is shown without zeros that say nothing. No other value is
// left out.
func TestBriefly(t *testing.T) {
	names := func(t reflect.Type, value int64) (string, bool) {
		switch {
		case t == reflect.TypeFor[sort]() && value < 2:
			return []string{"Beat", "Append"}[value], true
		case t == reflect.TypeFor[role]() && value == -1:
			return "Nobody", true
		case t == reflect.TypeFor[role]() && value < 2:
			return []string{"First", "Second"}[value], true
		}
		return "", false
	}
	for _, x := range []struct {
		value any
		want  string
	}{
		{letter{Kind: 1, Term: 3}, "{Kind: Append, Term: 3}"},
		{letter{Kind: 1, From: -1}, "{Kind: Append, From: Nobody}"},
		{letter{Kind: 1, From: 1, Urgent: true}, "{Kind: Append, From: Second, Urgent: true}"},
		{[2]letter{{Kind: 1}, {}}, "[{Kind: Append}, zero]"},
		{[9]letter{{Kind: 1, Size: 2}}, "[{Kind: Append, Size: 2}, 8 times zero]"},
		{struct{ Term, Size int }{0, 4}, "{Term: 0, Size: 4}"},
		{role(0), "First"},
		{0, "0"},
	} {
		if have := briefly(x.value, names); have != x.want {
			t.Errorf("%+v is shown as %s, want %s", x.value, have, x.want)
		}
	}
	if have := briefly(letter{Term: 1}, nil); have != "{Kind: 0, Term: 1}" {
		t.Errorf("without names: %s", have)
	}
}
