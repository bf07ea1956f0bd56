package itf

import (
	"strings"
	"testing"
)

// TestReadTLC: versions of TLC write a counterexample in three forms with -dumpTrace json. They are
// an array of states, a graph, and a graph with the variables next to it.
func TestReadTLC(t *testing.T) {
	t.Parallel()
	const states = `"state":[[2,{"x":1,"box":[["a",0]]}],[1,{"x":0,"box":[]}]],`
	const actions = `"action":[[[1,{"x":0,"box":[]}],{"name":"Tick","location":{"module":"Clock"},"context":{"n":1},"parameters":["n"]},[2,{"x":1,"box":[["a",0]]}]]`
	for name, text := range map[string]string{
		"graph":                `{` + states + actions + `]}`,
		"graph with variables": `{"counterexample":{` + states + actions + `]},"vars":["x","box"]}`,
		"loop":                 `{` + states + actions + `,[[2,{}],{"name":"Back"},[1,{}]]]}`,
		"array":                `[{"x":0,"box":[]},{"x":1,"box":[["a",0]]}]`,
	} {
		_, trace, err := Read(strings.NewReader(text))
		if err != nil || len(trace.Steps) != 1 {
			t.Errorf("%s: %+v, %v", name, trace, err)
			continue
		}
		if s := Text(trace.Steps[0].State); !strings.Contains(s, "x: 1") && !strings.Contains(s, "x |-> 1") {
			t.Errorf("%s: the second state is %s", name, s)
		}
		if name == "array" {
			continue
		}
		if s := trace.Steps[0]; s.Action != "Tick" || Text(s.Params) == "" || s.Params.Names[0] != "n" {
			t.Errorf("%s: %s%s", name, s.Action, Text(s.Params))
		}
		if (trace.Loop != nil) != (name == "loop") || trace.Loop != nil && *trace.Loop != 0 {
			t.Errorf("%s: loop %v", name, trace.Loop)
		}
	}
	for name, text := range map[string]string{
		"a gap":       `{"state":[[1,{"x":0}],[3,{"x":1}]],"action":[]}`,
		"no number":   `{"state":[[{"x":0}]],"action":[]}`,
		"no object":   `{"state":[[1,5]],"action":[]}`,
		"no triple":   `{"state":[[1,{"x":0}]],"action":[[1]]}`,
		"empty graph": `{"state":[],"action":[]}`,
	} {
		if _, _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}
