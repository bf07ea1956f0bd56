package configs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTraceEncoded: what the program reads has names of the let block expanded, conjunctions taken
// apart, and variables replaced by values.
func TestTraceEncoded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "t.hcl")
	const src = `
system "zab" {
  source = "../zab"
}
variable "first" {
  default = 1
}
trace {
  format = "ndjson"
  let {
    who  = number(event.node) - var.first
    both = Up[who] && (Term[who] == event.term)
  }
  event "vote" {
    when   = has(event.granted)
    action = ["Request", "Grant"]
    where  = { I = who, S = [for x in event.set : x.id if x.id > 0] }
    check  = [both, "s-${Role[who]}" == event.role ? true : false]
  }
  event "idle" {}
  unlogged "Drop" {
    max    = 2
    events = ["vote"]
  }
}
`
	if err := os.WriteFile(path, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	m, diags := Load(path, Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	got := string(m.Trace.Encoded())
	const who = `{"op":"-","args":[{"op":"call","name":"number","args":[{"op":"field","name":"node","args":[{"op":"name","name":"event"}]}]},{"op":"literal","value":1}]}`
	for _, want := range []string{
		`{"field":"I","value":{"id":1,"text":"who","expr":` + who + `}}`,
		`{"id":3,"text":"Up[who]","expr":{"op":"index","args":[{"op":"name","name":"Up"},` + who + `]}}`,
		`{"id":4,"text":"Term[who] == event.term","expr":{"op":"==",`,
		`"text":"[for x in event.set : x.id if x.id \u003e 0]","expr":{"op":"for","name":"x",`,
		`"expr":{"op":"choose","args":[{"op":"==","args":[{"op":"template","args":[{"op":"literal","value":"s-"},`,
		`"actions":["Request","Grant"]`,
		`{"event":"idle"}`,
		`"unlogged":[{"action":"Drop","max":2,"events":["vote"]}]`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks\n%s", got, want)
		}
	}
	if !json.Valid([]byte(got)) {
		t.Error("not JSON")
	}
	if label, whole := m.Trace.Place(2); label.Start.Line != 21 || whole.Start.Line != 21 {
		t.Errorf("the unlogged action stands at %v, %v", label, whole)
	}
}

// TestTraceExtended: an extending manifest adds an event, replaces all blocks of another, and keeps
// the rest.
func TestTraceExtended(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, src string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("base.hcl", `
system "zab" {
  source = "../zab"
}
trace {
  format = "ndjson"
  let {
    who = number(event.node)
  }
  event "vote" {
    when   = event.a
    action = ["A"]
  }
  event "vote" {
    when   = !event.a
    action = ["B"]
  }
  event "idle" {}
  unlogged "Drop" {
    max = 2
  }
  unlogged "Crash" {
    max = 1
  }
}
`)
	for _, c := range []struct{ over, want string }{
		{`event "more" {}`, "vote A, vote B, idle, more; Drop 2, Crash 1"},
		{`event "vote" { action = ["C"] }`, "idle, vote C; Drop 2, Crash 1"},
		{"event \"vote\" { action = [\"C\"] }\nevent \"vote\" { action = [\"D\"] }\nevent \"x\" { where = { I = who } }",
			"idle, vote C, vote D, x; Drop 2, Crash 1"},
		{`unlogged "Drop" { max = 3 }`, "vote A, vote B, idle; Crash 1, Drop 3"},
		{`format = "ndjson"`, "vote A, vote B, idle; Drop 2, Crash 1"},
	} {
		m, diags := Load(write("over.hcl", "extends = \"base.hcl\"\ntrace {\n"+c.over+"\n}\n"), Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		var events, unlogged []string
		for _, e := range m.Trace.Events {
			events = append(events, strings.Join(append([]string{e.Name}, values(e.Actions)...), " "))
		}
		for _, u := range m.Trace.Unlogged {
			unlogged = append(unlogged, fmt.Sprint(u.Action, " ", u.Max.Value))
		}
		if got := strings.Join(events, ", ") + "; " + strings.Join(unlogged, ", "); got != c.want {
			t.Errorf("%s\ngives %s\nwant  %s", c.over, got, c.want)
		}
	}
}

// TestTraceOrder: the program reads which order counts; others than those that exist are errors.
func TestTraceOrder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "t.hcl")
	for order, want := range map[string]string{"nodes": `"order":"nodes"`, "log": `"order":"log"`, "clocks": `"order":"clocks"`, "time": ""} {
		src := "system \"zab\" {\n  source = \"../zab\"\n}\ntrace {\n  format = \"ndjson\"\n  order = \"" + order + "\"\n  event \"vote\" {}\n}\n"
		if err := os.WriteFile(path, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		m, diags := Load(path, Options{})
		switch {
		case want == "" && !diags.HasErrors():
			t.Errorf("the order %s is none, and there is no error", order)
		case want != "" && (diags.HasErrors() || !strings.Contains(string(m.Trace.Encoded()), want)):
			t.Errorf("the order %s: %v", order, diags)
		}
	}
}
