package assemble

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShapes: the State types of the project's own specifications have copies.
func TestShapes(t *testing.T) {
	for _, path := range []string{"../../../../raft/reference", "../../../../raft", "../../../../zab", "../../../../zab/protocol"} {
		shape, err := shapeOf(open(t, path), nil, "State")
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "engine.go", "package engine\n"+shape, 0); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestShape: the copy follows the State type, the texts that replace files, and nothing else.
func TestShape(t *testing.T) {
	s := open(t, "./capacities")
	name := s.Files()[0]
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	shape := func(edit func(string) string) string {
		t.Helper()
		out, err := shapeOf(s, map[string][]byte{name: []byte(edit(string(text)))}, "State")
		if err != nil {
			t.Fatalf("%s: %v", filepath.Base(name), err)
		}
		return out
	}
	plain := shape(func(s string) string { return s })
	if same := shape(func(s string) string { return s + "\n// More.\nfunc more(s *State) bool { return s == nil }\n" }); same != plain {
		t.Errorf("a function changes the shape: %s, was %s", same, plain)
	}
	for what, of := range map[string][2]string{
		"a field":   {"type State struct {", "type State struct {\n\tMore [3]int8\n"},
		"a pointer": {"type State struct {", "type State struct {\n\tMore *int8\n"},
	} {
		if !strings.Contains(string(text), of[0]) {
			t.Fatalf("the fixture has no %q", of[0])
		}
		edited := strings.Replace(string(text), of[0], of[1], 1)
		out, err := shapeOf(s, map[string][]byte{name: []byte(edited)}, "State")
		if (err != nil) != (what == "a pointer") || out == plain {
			t.Errorf("%s: %s, %v", what, out, err)
		}
	}
}
