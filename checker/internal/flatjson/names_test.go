package flatjson

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// many is an object with n members.
func many(n int) string {
	var b strings.Builder
	for k := range n {
		fmt.Fprintf(&b, `,"key%d":%d`, k, k)
	}
	return "{" + b.String()[1:] + "}"
}

// TestTwice finds a name that stands twice in an object, at any depth, also where the value of a
// member is passed over, and in an object with many members.
func TestTwice(t *testing.T) {
	t.Parallel()
	for text, twice := range map[string]bool{
		`{"a":1,"b":2}`:                              false,
		`{"a":1,"b":2,"a":1}`:                        true,
		`{"a":1 , "a" : 2}`:                          true,
		`{"a":{"a":{"a":1}},"b":{"a":1}}`:            false,
		`{"a":{"b":1,"b":1}}`:                        true,
		`{"a":[{"b":1},{"b":1}]}`:                    false,
		`{"a":[{"b":1},{"c":1,"c":1}]}`:              true,
		`{"a":"b","b":"a"}`:                          false,
		`{"":1,"":2}`:                                true,
		`{"x":"\"a\":1","a":"{"}`:                    false,
		`{"event":"out","event":"in"}`:               true,
		many(12):                                     false,
		many(100):                                    false,
		many(100)[:len(many(100))-1] + `,"key3":1}`:  true,
		many(100)[:len(many(100))-1] + `,"key77":1}`: true,
		many(12)[:len(many(12))-1] + `,"key11":1}`:   true,
		many(12)[:len(many(12))-1] + `,"key12":1}`:   false,
	} {
		if err := Distinct([]byte(text)); (err != nil) != twice {
			t.Errorf("Distinct %.60s: %v", text, err)
		}
		if strings.Contains(text, `\`) {
			continue // which streams do not have
		}
		if err := NewScanner([]byte(text)).Skip(); (err != nil) != twice || err != nil && !strings.Contains(err.Error(), "stands twice") {
			t.Errorf("Skip %.60s: %v", text, err)
		}
	}
	for _, text := range []string{`{"a\"b":1,"ab":1,"a\"b":2}`, `{"a":1,"\u0061":2}`} {
		if err := Distinct([]byte(text)); err == nil {
			t.Errorf("%s has no name twice", text)
		}
	}
	if len(many(200_000)) < 1<<20 {
		t.Fatal("the line is too short")
	}
	if err := Distinct([]byte(many(200_000))); err != nil { // within a second
		t.Error(err)
	}
}

// FuzzDistinct compares with the number of members that a decoder keeps.
func FuzzDistinct(f *testing.F) {
	for _, text := range []string{`{"a":1,"b":[{"a":1,"a":2}]}`, `{"a":"\\","a":1}`, `[]`, `{"a":{}}`, `"`, `{"\u0061":1,"a":2}`, `{"a` + "\n" + `":1}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var v any
		if json.Unmarshal(text, &v) != nil {
			_ = Distinct(text) // it returns
			return
		}
		kept, all := members(v), 0
		d := json.NewDecoder(strings.NewReader(string(text)))
		var open []bool // an object, in which a name comes next
		var inObject []bool
		for {
			tok, err := d.Token()
			if err != nil {
				break
			}
			last := len(open) - 1
			if _, closing := tok.(json.Delim); last >= 0 && inObject[last] && open[last] && !(closing && tok == json.Delim('}')) {
				all++
				open[last] = false
				continue
			}
			switch tok {
			case json.Delim('{'), json.Delim('['):
				if last >= 0 {
					open[last] = true
				}
				open, inObject = append(open, true), append(inObject, tok == json.Delim('{'))
			case json.Delim('}'), json.Delim(']'):
				open, inObject = open[:last], inObject[:last]
			default:
				if last >= 0 {
					open[last] = true
				}
			}
		}
		if err := Distinct(text); (err == nil) != (all == kept) {
			t.Errorf("%q: %v, and %d of %d members are kept", text, err, kept, all)
		}
	})
}

// members counts the members of all objects in a value.
func members(v any) (n int) {
	switch v := v.(type) {
	case map[string]any:
		n = len(v)
		for _, x := range v {
			n += members(x)
		}
	case []any:
		for _, x := range v {
			n += members(x)
		}
	}
	return n
}

// BenchmarkRead reads a message of a stream.
func BenchmarkRead(b *testing.B) {
	type entry struct{ Term, Value uint64 }
	type message struct {
		Kind, Term, Index, LogTerm, Commit uint64
		Entry                              entry
	}
	c := CodecOf(reflect.TypeFor[message](), func(reflect.Type) map[string]int64 { return nil })
	line := []byte(`{"event":"in","peer":2,"msg":{"Kind":3,"Term":3,"Index":7,"LogTerm":3,"Commit":6,"Entry":{"Term":3,"Value":81}},"at":1763650000000000000}`)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		var m message
		s := NewScanner(line)
		err := s.Members(func(name []byte) error {
			if string(name) == "msg" {
				return c.Read(s, reflect.ValueOf(&m).UnsafePointer())
			}
			return s.Skip()
		})
		if err != nil || m.Entry.Value != 81 {
			b.Fatal(err, m)
		}
	}
}
