package itf

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// shape is a random type: traces are values of it.
type shape struct {
	kind  modules.Shape
	names []string
	elems []*shape
	len   int
}

func randomShape(r *rand.Rand, depth int) *shape {
	s := &shape{kind: modules.Shape(r.IntN(7))}
	if depth == 0 {
		s.kind = modules.Scalar
	}
	switch s.kind {
	case modules.Record:
		for k := range r.IntN(4) {
			s.names = append(s.names, string(rune('A'+k))+[]string{"", ".x", "*", "ä"}[r.IntN(4)])
			s.elems = append(s.elems, randomShape(r, depth-1))
		}
	case modules.Function:
		s.len = r.IntN(4)
		fallthrough
	case modules.Sequence, modules.Collection, modules.Mapping, modules.Multiset:
		s.elems = []*shape{randomShape(r, depth-1)}
	}
	return s
}

var texts = []string{"0", "7", "-3", "true", "false", "NEWLEADER", "", "007", "-0", "1e3", "99999999999999999999", "a\"<b>", "Some", "null"}

func (s *shape) value(r *rand.Rand) modules.View {
	v := modules.View{Shape: s.kind}
	n := r.IntN(4)
	switch s.kind {
	case modules.Scalar:
		v.Text = texts[r.IntN(len(texts))]
		return v
	case modules.Record:
		for k, e := range s.elems {
			v.Names = append(v.Names, s.names[k])
			v.Elems = append(v.Elems, e.value(r))
		}
		return v
	case modules.Function:
		n = s.len
	case modules.Mapping:
		keys := [][]string{{"0", "1", "2"}, {"2", "FOLLOWING", ""}}[r.IntN(2)]
		v.Names = append(v.Names, keys[:n]...)
	}
	for range n {
		v.Elems = append(v.Elems, s.elems[0].value(r))
	}
	return v
}

func randomTrace(r *rand.Rand) *wire.Trace {
	record := func() *shape {
		s := &shape{kind: modules.Record}
		for k := range r.IntN(4) {
			s.names = append(s.names, []string{"State", "tag", "value", "Msgs"}[k])
			s.elems = append(s.elems, randomShape(r, 3))
		}
		return s
	}
	state := record()
	params := []*shape{record(), randomShape(r, 2), {kind: modules.Record}}
	t := &wire.Trace{Init: state.value(r)}
	if r.IntN(3) == 0 {
		t.Loop = new(int)
	}
	for range r.IntN(5) {
		k := r.IntN(len(params))
		t.Steps = append(t.Steps, wire.Step{
			Action: []string{"Timeout", "Recv.x", ""}[k], Module: []string{"election", "", "faults"}[r.IntN(3)],
			Server: r.IntN(4) - 1, Environment: r.IntN(2) == 0, Params: params[k].value(r), State: state.value(r),
		})
	}
	return t
}

func FuzzRoundTrip(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		want := randomTrace(rand.New(rand.NewPCG(seed, 1)))
		meta := Meta{
			Spec: "mspec-1", System: "zab", Invariant: "I-10", Kind: "state", Variables: map[string]string{"servers": "3"},
			Modules: []Module{{Module: "election", Grain: "coarse"}, {Module: "broadcast", Grain: "baseline", Target: true}},
		}
		var out bytes.Buffer
		if err := Write(&out, meta, want); err != nil {
			t.Fatal(err)
		}
		gotMeta, got, err := Read(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatalf("%v\n%s", err, out.Bytes())
		}
		if a, b := asJSON(t, want), asJSON(t, got); a != b {
			t.Errorf("wrote %s\nread  %s\nfrom %s", a, b, out.Bytes())
		}
		if a, b := asJSON(t, meta), asJSON(t, gotMeta); a != b {
			t.Errorf("wrote %s\nread  %s", a, b)
		}
	})
}

func asJSON(t *testing.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func FuzzRead(f *testing.F) {
	var out bytes.Buffer
	if err := Write(&out, Meta{}, randomTrace(rand.New(rand.NewPCG(5, 1)))); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Add([]byte(`{"vars":["x"],"states":[{"x":{"#map":[[[1,2],{"#tup":[true]}]]}}]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		meta, trace, err := Read(bytes.NewReader(src))
		if err != nil {
			return
		}
		// What could be read need not be writable, since other tools allow more, but must not bring
		// the writer down.
		_ = Write(new(bytes.Buffer), meta, trace)
		for k := range trace.Steps {
			Changes(trace.Init, trace.Steps[k].State)
		}
	})
}

// The examples are those of the format's description, ADR 015, and of Quint's documentation of
// --mbt.
func TestReadOthers(t *testing.T) {
	t.Parallel()
	const src = `{
	  "#meta": {"varTypes": {"bank_of_boat": "Str"}, "variables": 7},
	  "vars": ["bank_of_boat", "who_is_on_bank"],
	  "states": [
	    {"#meta": {"index": 0}, "bank_of_boat": "E", "n": 3, "big": {"#bigint": "-12345678901234567890"},
	     "who_is_on_bank": {"#map": [["E", {"#set": ["c1_OF_PERSON"]}], ["W", {"#set": []}]]}, "mbt::actionTaken": "init"},
	    {"#meta": {"index": 1}, "bank_of_boat": "W", "pair": {"#tup": [1, true]}, "odd": {"#map": [[{"#tup": [1, 2]}, "x"]]},
	     "f": {"#map": [[0, "a"], [1, "b"]]}, "huge": {"#unserializable": "Nat"},
	     "who_is_on_bank": {"#map": []}, "mbt::actionTaken": "Move",
	     "mbt::nondetPicks": {"who": {"tag": "Some", "value": "c1"}, "when": {"tag": "None", "value": {"tag": "UNIT"}}}}
	  ]}`
	_, trace, err := Read(strings.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Text(trace.Init), "{bank_of_boat: E, n: 3, big: -12345678901234567890, who_is_on_bank: [E: {c1_OF_PERSON}, W: {}]}"; got != want {
		t.Errorf("initial state\n got %s\nwant %s", got, want)
	}
	s := trace.Steps[0]
	if got, want := Text(s.State), "{bank_of_boat: W, pair: <<1, true>>, odd: [<<1, 2>>: x], f: [a, b], huge: Nat, who_is_on_bank: []}"; got != want {
		t.Errorf("state 1\n got %s\nwant %s", got, want)
	}
	if got, want := s.Action+Text(s.Params), "Move{who: c1}"; got != want || s.Server != -1 {
		t.Errorf("step %s of server %d, want %s of -1", got, s.Server, want)
	}
}

// TestReadArray: an array of states is a trace, as TLC's JsonSerialize writes it.
func TestReadArray(t *testing.T) {
	t.Parallel()
	_, tr, err := Read(strings.NewReader(` [{"x":1,"log":[]},{"x":2,"log":["a"]},{"log":["a"],"x":3,"#meta":{"index":2}}]`))
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Steps) != 2 || len(tr.Steps[1].State.Elems) != 2 {
		t.Errorf("%d steps, %+v", len(tr.Steps), tr.Steps)
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ src, want string }{
		{"", "not JSON"},
		{"{\n\n\"states\": [}", "line 3: it is not JSON"},
		{`[]`, "not an ITF trace"},
		{`"x"`, "it is a JSON string"},
		{`[1]`, "element 0 is no object"},
		{`[{"x":1},null]`, "element 1 is no object"},
		{`[{"version":"1","n":3},{"Step":1,"Send":{"from":1}}]`, "element 0: n, version; element 1: Send, Step"},
		{`[{"x":1},{"x":1,"y":2}]`, "element 0: x; element 1: x, y"},
		{`[{"x":1},{"x":null}]`, "state 1: null is no value"},
		{`{"vars":[],"states":[]}`, `no "states"`},
		{`{"states":[{"x":1},{"x":null}]}`, "state 1: null is no value"},
		{`{"states":[1]}`, "state 0: it is not an object"},
		{`{"states":[{"x":1}],"loop":1}`, `"loop" is 1`},
		{`{"states":[{"x":` + strings.Repeat("9", 10_001) + `}]}`, `state 0: x: a number of 10001 characters is too long`},
		{`{"states":[{"x":{"#bigint":"` + strings.Repeat("9", 10_001) + `"}}]}`, `state 0: x: a number of 10001 characters is too long`},
		{`{"states":[{"x":1.5}]}`, `state 0: x: "1.5" is not a whole number`},
		{`{"states":[{"x":1,"x":2}]}`, `field "x" occurs twice`},
		{`{"states":[{"x":{"#what":2}}]}`, `no value of the form "#what"`},
		{`{"states":[{"x":{"#set":2}}]}`, "a list is required"},
		{`{"states":[{"x":{"#map":[1]}}]}`, "pairs of a key and a value"},
		{`{"states":[{"x":{"#map":[[1,1],[{"#bigint":"1"},2]]}}]}`, "the key 1 occurs twice"},
		{`{"states":[{"x":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}]}`, "nested more than 200 deep"},
	} {
		_, _, err := Read(strings.NewReader(c.src))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.src, err, c.want)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	scalar := modules.View{Text: "1"}
	array := modules.View{Shape: modules.Function, Elems: []modules.View{scalar}}
	asMap := modules.View{Shape: modules.Mapping, Names: []string{"0"}, Elems: []modules.View{scalar}}
	rec := func(name string, v modules.View) modules.View {
		return modules.View{Shape: modules.Record, Names: []string{name}, Elems: []modules.View{v}}
	}
	for _, c := range []struct {
		name  string
		trace wire.Trace
		want  string
	}{
		{"scalar state", wire.Trace{Init: scalar}, "not a record"},
		{"reserved variable", wire.Trace{Init: rec("mbt::actionTaken", scalar)}, "mbt::actionTaken"},
		{"reserved field", wire.Trace{Init: rec("x", rec("#set", scalar))}, "ITF keeps"},
		{"names", wire.Trace{Init: modules.View{Shape: modules.Record, Elems: []modules.View{scalar}}}, "0 names for 1"},
		{"both", wire.Trace{Init: rec("x", array), Steps: []wire.Step{{State: rec("x", asMap)}}}, "an array in one state and a map"},
		{"bag and queue", wire.Trace{Init: rec("x", modules.View{Shape: modules.Sequence}), Steps: []wire.Step{{State: rec("x", modules.View{Shape: modules.Multiset})}}},
			"x is a sequence in one state and a multiset in another"},
		{"bytes", wire.Trace{Init: rec("x", modules.View{Text: "\xff"})}, "not UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Write(new(bytes.Buffer), Meta{}, &c.trace)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	read := func(state string) modules.View {
		_, trace, err := Read(strings.NewReader(`{"states":[` + state + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		return trace.Init
	}
	a := read(`{"x": 1, "f": {"#map":[[0, 5], [1, {"k": 1, "l": 2}]]}, "q": ["a"], "m": {"#map": [["A", 1], ["B", 2]]}, "same": 1}`)
	b := read(`{"x": 2, "f": {"#map":[[0, 5], [1, {"k": 1, "l": 3}]]}, "q": ["a", "b"], "m": {"#map": [["B", 3], ["C", 4]]}, "same": 1}`)
	var got []string
	part := func(v *modules.View) string {
		if v == nil {
			return "none"
		}
		return Text(*v)
	}
	for _, c := range Changes(a, b) {
		got = append(got, c.Path+" "+part(c.Old)+" "+part(c.New))
	}
	want := "x 1 2; f[1].l 2 3; q <<a>> <<a, b>>; m[A] 1 none; m[B] 2 3; m[C] none 4"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	if c := Changes(a, a); c != nil {
		t.Errorf("a state differs from itself: %v", c)
	}
}
