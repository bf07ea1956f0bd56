package flatjson

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// names are the names of an object's members so far, as places in a text. The zero value has none.
type names struct {
	seen uint64 // a bit of a hash for each name: a name with a new bit is a new one
	n    int
	few  [12]place
	many map[string]bool // all of them, if they are more than few has room for
}

// place is a part of a text, of at most 4 GiB.
type place struct{ from, to uint32 }

// add adds the name at a place of a text. It returns an error if the name was added before.
func (x *names) add(text []byte, from, to int) error {
	if to > from { // few names of an object share a bit
		bit := uint64(1) << ((to - from + 7*int(text[from]) + 13*int(text[to-1])) & 63)
		if x.seen&bit == 0 && x.n < len(x.few) {
			x.seen |= bit
			x.few[x.n] = place{uint32(from), uint32(to)}
			x.n++
			return nil
		}
		x.seen |= bit
	}
	return x.more(text, from, to)
}

// more adds a name that may be there.
func (x *names) more(text []byte, from, to int) error {
	if x.has(text, text[from:to]) {
		return twice(text[from:to])
	}
	switch {
	case x.n < len(x.few):
		x.few[x.n] = place{uint32(from), uint32(to)}
	case x.many == nil:
		x.many = map[string]bool{string(text[from:to]): true}
		for _, f := range x.few {
			x.many[string(text[f.from:f.to])] = true
		}
	default:
		x.many[string(text[from:to])] = true
	}
	x.n++
	return nil
}

// TwiceError is the error of an object that has a key twice.
type TwiceError struct{ Key string }

func (e *TwiceError) Error() string { return fmt.Sprintf("key %.40q stands twice in an object", e.Key) }

func twice(name []byte) error { return &TwiceError{string(name)} }

func (x *names) has(text, name []byte) bool {
	if x.many != nil {
		return x.many[string(name)]
	}
	for _, f := range x.few[:x.n] {
		if bytes.Equal(text[f.from:f.to], name) {
			return true
		}
	}
	return false
}

// Distinct returns a *TwiceError if an object in a text has two members with one name. The text is
// JSON that a decoder has accepted.
func Distinct(text []byte) error {
	_, err := distinct(text, 0, bytes.IndexByte(text, '\\') >= 0)
	return err
}

// distinct passes over what follows a position in an object or an array, and returns the position
// after it. With escapes, one name may stand in two forms.
func distinct(b []byte, at int, escapes bool) (int, error) {
	var met names
	var spelled map[string]bool
	for at < len(b) {
		switch b[at] {
		case '{', '[':
			next, err := distinct(b, at+1, escapes)
			if err != nil {
				return 0, err
			}
			at = next
		case '}', ']':
			return at + 1, nil
		case '"':
			from := at
			at = pastText(b, at)
			if !isName(b, at) {
				continue
			}
			if !escapes {
				if err := met.add(b, from+1, at-1); err != nil {
					return 0, err
				}
				continue
			}
			name := plain(b[from:at])
			if spelled[name] {
				return 0, twice([]byte(name))
			}
			if spelled == nil {
				spelled = map[string]bool{}
			}
			spelled[name] = true
		default:
			at++
		}
	}
	return at, nil
}

// pastText returns the position after the text that begins at a position.
func pastText(b []byte, at int) int {
	for at++; at < len(b) && b[at] != '"'; at++ {
		if b[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(b))
}

// isName reports whether a colon follows.
func isName(b []byte, at int) bool {
	for at < len(b) && (b[at] == ' ' || b[at] == '\t' || b[at] == '\r' || b[at] == '\n') {
		at++
	}
	return at < len(b) && b[at] == ':'
}

// plain returns what a text in quotes stands for.
func plain(quoted []byte) (s string) {
	_ = json.Unmarshal(quoted, &s) // a decoder has accepted it
	return s
}
