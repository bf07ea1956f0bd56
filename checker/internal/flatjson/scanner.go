package flatjson

import (
	"errors"
	"reflect"
	"unsafe"
)

// Scanner reads JSON of one line.
type Scanner struct {
	b  []byte
	at int
}

var errJSON = errors.New("malformed JSON")

func (s *Scanner) space() {
	for s.at < len(s.b) && (s.b[s.at] == ' ' || s.b[s.at] == '\t' || s.b[s.at] == '\r') {
		s.at++
	}
}

// next reports whether c comes next, and takes it.
func (s *Scanner) next(c byte) bool {
	s.space()
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return false
}

// Text takes a string and returns its bytes, which are a part of the line. It returns an error if
// no string comes next, or one with a backslash.
func (s *Scanner) Text() ([]byte, error) {
	if !s.next('"') {
		return nil, errJSON
	}
	from := s.at
	for ; s.at < len(s.b); s.at++ {
		switch s.b[s.at] {
		case '"':
			s.at++
			return s.b[from : s.at-1], nil
		case '\\':
			return nil, errors.New("a name with a backslash")
		}
	}
	return nil, errJSON
}

// number takes an integer. It is a part of the line.
func (s *Scanner) number() ([]byte, error) {
	s.space()
	from := s.at
	if s.at < len(s.b) && s.b[s.at] == '-' {
		s.at++
	}
	for s.at < len(s.b) && s.b[s.at] >= '0' && s.b[s.at] <= '9' {
		s.at++
	}
	if s.at == from {
		return nil, errJSON
	}
	return s.b[from:s.at], nil
}

// Members takes an object and calls f after each name in it, which is a part of the line; f takes
// the value. It returns an error of f, or one if no object comes next or a name stands twice in it.
func (s *Scanner) Members(f func(name []byte) error) error {
	if !s.next('{') {
		return errJSON
	}
	if s.next('}') {
		return nil
	}
	var met names
	for {
		name, err := s.Text()
		if err == nil {
			err = met.add(s.b, s.at-1-len(name), s.at-1)
		}
		if err != nil {
			return err
		}
		if !s.next(':') {
			return errJSON
		}
		if err := f(name); err != nil {
			return err
		}
		if s.next('}') {
			return nil
		}
		if !s.next(',') {
			return errJSON
		}
	}
}

// elements calls f before each element of an array.
func (s *Scanner) elements(f func(k int) error) error {
	if !s.next('[') {
		return errJSON
	}
	if s.next(']') {
		return nil
	}
	for k := 0; ; k++ {
		if err := f(k); err != nil {
			return err
		}
		if s.next(']') {
			return nil
		}
		if !s.next(',') {
			return errJSON
		}
	}
}

// skip takes any value.
func (s *Scanner) skip(depth int) error {
	s.space()
	if s.at >= len(s.b) || depth > 16 {
		return errJSON
	}
	switch c := s.b[s.at]; {
	case c == '{':
		return s.Members(func([]byte) error { return s.skip(depth + 1) })
	case c == '[':
		return s.elements(func(int) error { return s.skip(depth + 1) })
	case c == '"':
		_, err := s.Text()
		return err
	case c == '-' || c >= '0' && c <= '9':
		_, err := s.number()
		return err
	}
	for _, word := range []string{"true", "false", "null"} {
		if s.word(word) {
			return nil
		}
	}
	return errJSON
}

// word reports whether a word comes next, and takes it.
func (s *Scanner) word(w string) bool {
	if len(s.b)-s.at < len(w) || string(s.b[s.at:s.at+len(w)]) != w {
		return false
	}
	s.at += len(w)
	return true
}

// NewScanner scans a text.
func NewScanner(text []byte) *Scanner { return &Scanner{b: text} }

// Int takes an integer and calls to with it, with 0 if there is none. It returns an error if no
// integer of 64 bits comes next.
func (s *Scanner) Int(to func(int64)) error {
	var x int64
	c := Codec{kind: signed, Type: reflect.TypeFor[int64](), Size: 8}
	err := c.ReadScalar(s, unsafe.Pointer(&x))
	to(x)
	return err
}

// Bool takes a truth value into to. It returns an error if none comes next.
func (s *Scanner) Bool(to *bool) error {
	c := Codec{kind: boolean, Type: reflect.TypeFor[bool](), Size: 1}
	return c.ReadScalar(s, unsafe.Pointer(to))
}

// Skip takes a value of any kind. It returns an error if none comes next.
func (s *Scanner) Skip() error { return s.skip(0) }

// Raw takes a value of any kind and returns its text. It returns an error if none comes next.
func (s *Scanner) Raw() ([]byte, error) {
	s.space()
	from := s.at
	err := s.skip(0)
	return s.b[from:s.at], err
}

// Texts takes an array of texts. It returns an error if none comes next.
func (s *Scanner) Texts() (out []string, err error) {
	err = s.elements(func(int) error {
		text, err := s.Text()
		out = append(out, string(text))
		return err
	})
	return out, err
}

// AtText reports whether the next value is a text.
func (s *Scanner) AtText() bool {
	s.space()
	return s.at < len(s.b) && s.b[s.at] == '"'
}

// End reports an error where the text continues.
func (s *Scanner) End() error {
	if s.space(); s.at != len(s.b) {
		return errJSON
	}
	return nil
}
