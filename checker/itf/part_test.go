package itf

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// TestPart compares parts of traces in each form with the whole trace.
func TestPart(t *testing.T) {
	t.Parallel()
	const states = `[{"x": 1}, {"x": 2}, {"x": 3}, {"x": 4}, {"x": 5}]`
	docs := map[string]string{
		"ITF":             `{"#meta": {"mappings": ["x"]}, "vars": ["x"], "more": [null], "loop": 3, "states": ` + states + `}`,
		"states first":    `{"states": ` + states + `, "loop": 0}`,
		"capitals":        `{"States": ` + states + `}`,
		"array":           states,
		"twice":           `{"states": [{"x": 9}], "states": ` + states + `}`,
		"counterexample":  `{"counterexample": {"state": [[1, {"x": 1}], [2, {"x": 2}], [3, {"x": 3}], [4, {"x": 4}], [5, {"x": 5}]], "action": []}}`,
		"states and more": `{"states": ` + states + `, "LOOP": 2}`,
	}
	for name, doc := range docs {
		_, all, err := Read(strings.NewReader(doc))
		if err != nil || len(all.Steps) != 4 {
			t.Fatalf("%s: %v, %v", name, all, err)
		}
		views := []modules.View{all.Init}
		for _, s := range all.Steps {
			views = append(views, s.State)
		}
		for first := range 7 {
			for last := first; last < 8; last++ {
				_, part, n, err := ReadPart([]byte(doc), first, last)
				if err != nil || n != 5 || (part == nil) != (first > 4) {
					t.Fatalf("%s, %d to %d: %v, %d states, %v", name, first, last, part, n, err)
				}
				if part == nil {
					continue
				}
				have := []modules.View{part.Init}
				for _, s := range part.Steps {
					have = append(have, s.State)
				}
				if want := views[first : min(last, 4)+1]; !reflect.DeepEqual(have, want) || !reflect.DeepEqual(part.Loop, all.Loop) {
					t.Errorf("%s, %d to %d: %v, want %v", name, first, last, have, want)
				}
			}
		}
	}
	for _, doc := range []string{`{"states": [{"x": 1}, {"x": }]}`, `{"states": [{"x": 1}]`, `{"states": [{"x": 1}]} {}`, `{"states": []}`, `{"states": {}}`, `{"vars": 1, "states": [{"x": 1}]}`, `{"loop": 1, "states": [{"x": 1}]}`} {
		if _, part, _, err := ReadPart([]byte(doc), 0, 0); err == nil {
			t.Errorf("%s is read as %v", doc, part)
		}
	}
	if _, _, _, err := ReadPart([]byte(`{"states": [{"x": 1}, {"x": null}]}`), 1, 1); err == nil || !strings.Contains(err.Error(), "state 1: ") {
		t.Errorf("a wrong state of a part: %v", err)
	}
}

// TestPartWritten compares parts of random traces that Write wrote.
func TestPartWritten(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	for range 100 {
		s := &shape{kind: modules.Record, names: []string{"V"}, elems: []*shape{randomShape(r, 3)}}
		trace := &wire.Trace{Init: s.value(r)}
		for range 6 {
			trace.Steps = append(trace.Steps, wire.Step{Action: "A", Server: -1, Params: modules.View{Shape: modules.Record}, State: s.value(r)})
		}
		var doc bytes.Buffer
		if err := Write(&doc, Meta{}, trace); err != nil {
			continue // values that ITF has no form for
		}
		_, all, err := Read(bytes.NewReader(doc.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		_, part, n, err := ReadPart(doc.Bytes(), 2, 4)
		if err != nil || n != 7 || !reflect.DeepEqual(part.Init, all.Steps[1].State) || !reflect.DeepEqual(part.Steps, all.Steps[2:4]) {
			t.Fatalf("%v, %d states, %v, of\n%s", part, n, err, doc.Bytes())
		}
	}
}

// TestPartMemory bounds what reading a part of a long trace allocates.
func TestPartMemory(t *testing.T) {
	const states = 100_000
	var doc bytes.Buffer
	doc.WriteString(`{"vars": ["x", "queue"], "states": [`)
	for k := range states {
		if k > 0 {
			doc.WriteByte(',')
		}
		fmt.Fprintf(&doc, `{"x": %d, "queue": [1, 2, 3, {"#bigint": "4"}]}`, k)
	}
	doc.WriteString("]}")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, part, n, err := ReadPart(doc.Bytes(), 50_000, 50_010)
	runtime.ReadMemStats(&after)
	if err != nil || n != states || len(part.Steps) != 10 || part.Steps[0].State.Elems[0].Text != "50001" {
		t.Fatalf("%v, %d states, %v", part, n, err)
	}
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
		t.Errorf("%d bytes are allocated for 11 states of %d bytes", bytes, doc.Len())
	}
}
