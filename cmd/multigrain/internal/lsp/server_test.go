package lsp

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
)

// editor is a client of the protocol over pipes.
type editor struct {
	t     *testing.T
	rpc   *jrpc2.Client
	shown chan published
	told  chan message
}

// newEditor starts a server and connects an editor.
func newEditor(t *testing.T) *editor {
	t.Helper()
	toServer, fromEditor := io.Pipe()
	toEditor, fromServer := io.Pipe()
	env := &session.Env{Environ: os.Environ(), Cache: t.TempDir(), Soft: t.Context(), Hard: t.Context(),
		Watch: func(wire.Request) (func(wire.Progress), func()) { return nil, func() {} }}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, newServer(ctx, env), toServer, fromServer) }()
	e := connect(t, toEditor, fromEditor)
	t.Cleanup(func() {
		fromEditor.Close()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the server ended with %v", err)
			}
		case <-time.After(time.Minute):
			t.Error("the server does not end")
		}
		cancel()
		fromServer.Close()
		e.rpc.Close()
	})
	return e
}

// connect begins the protocol with a server.
func connect(t *testing.T, from io.Reader, to io.WriteCloser) *editor {
	t.Helper()
	e := &editor{t: t, shown: make(chan published, 100), told: make(chan message, 10)}
	e.rpc = jrpc2.NewClient(channel.LSP(from, to), &jrpc2.ClientOptions{OnNotify: func(r *jrpc2.Request) {
		var p published
		var m message
		switch {
		case r.Method() == "textDocument/publishDiagnostics" && r.UnmarshalParams(&p) == nil:
			e.shown <- p
		case r.Method() == "window/showMessage" && r.UnmarshalParams(&m) == nil:
			e.told <- m
		}
	}})
	e.call("initialize", map[string]any{"capabilities": map[string]any{}}, nil)
	e.notify("initialized", map[string]any{})
	return e
}

func (e *editor) call(method string, params, into any) {
	e.t.Helper()
	r, err := e.rpc.Call(e.t.Context(), method, params)
	if err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
	if into != nil {
		if err := r.UnmarshalResult(into); err != nil {
			e.t.Fatalf("%s: %v", method, err)
		}
	}
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	if err := e.rpc.Notify(e.t.Context(), method, params); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) open(uri, text string) {
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "hcl", "version": 1, "text": text}})
}

func (e *editor) change(uri, text string) {
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"text": text}}})
}

// problems waits for the diagnostics of a file.
func (e *editor) problems(uri string, want func([]problem) bool) []problem {
	e.t.Helper()
	late := time.After(2 * time.Minute)
	for {
		select {
		case p := <-e.shown:
			if p.URI == uri && want(p.Diagnostics) {
				return p.Diagnostics
			}
		case <-late:
			e.t.Fatal("no such diagnostics came")
		}
	}
}

// at is the request for the place of | in a text, which is removed.
func at(uri, marked string) (params map[string]any, text string) {
	k := strings.Index(marked, "|")
	text = marked[:k] + marked[k+1:]
	return map[string]any{"textDocument": map[string]any{"uri": uri}, "position": positionOf(text, k)}, text
}

const chain = "../../../../configs/examples/chain.hcl"

func example(t *testing.T) (uri, text string) {
	t.Helper()
	src, err := os.ReadFile(chain)
	if err != nil {
		t.Fatal(err)
	}
	return uriOf(chain), string(src)
}

// TestDiagnosticsOfUnsavedText opens a valid manifest, breaks it in the editor alone, applies the
// quick fix, and formats it.
func TestDiagnosticsOfUnsavedText(t *testing.T) {
	t.Parallel()
	e := newEditor(t)
	uri, text := example(t)
	e.open(uri, text)
	if p := e.problems(uri, func([]problem) bool { return true }); len(p) != 0 {
		t.Fatalf("a valid manifest has %v", p)
	}
	broken := strings.Replace(text, "module \"", "# ✓ 𝕏\nmodul \"", 1)
	e.change(uri, broken)
	p := e.problems(uri, func(p []problem) bool { return len(p) > 0 })
	if p[0].Code != "MG004" || p[0].Severity != 1 {
		t.Fatalf("got %+v", p)
	}
	from, to := offsetOf(broken, p[0].Range.Start), offsetOf(broken, p[0].Range.End)
	if broken[from:to] != "modul" {
		t.Errorf("the range is %q", broken[from:to])
	}
	var fixes []action
	e.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": uri}, "range": p[0].Range, "context": map[string]any{"diagnostics": p[:1]}}, &fixes)
	if len(fixes) != 1 || fixes[0].Edit.Changes[uri][0].NewText != "module" {
		t.Fatalf("fixes are %+v", fixes)
	}
	fixed := broken[:from] + fixes[0].Edit.Changes[uri][0].NewText + broken[to:]
	e.change(uri, fixed)
	e.problems(uri, func(p []problem) bool { return len(p) == 0 })

	e.change(uri, strings.Replace(fixed, " = ", "    =  ", 3))
	var edits []textEdit
	e.call("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": uri}, "options": map[string]any{}}, &edits)
	if len(edits) != 1 || edits[0].NewText != fixed {
		t.Errorf("formatting returns %+v", edits)
	}
	var lenses []lens
	e.call("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": uri}}, &lenses)
	if len(lenses) != 1 || lenses[0].Command.Command != checkCommand {
		t.Errorf("lenses are %+v", lenses)
	}
	if _, err := e.rpc.Call(t.Context(), "workspace/executeCommand", lenses[0].Command); err == nil {
		t.Error("check runs on text that is not saved")
	}
}

// TestFixesOfNames: a quick fix of a misspelt bound or option replaces its name, and not its value.
func TestFixesOfNames(t *testing.T) {
	t.Parallel()
	e := newEditor(t)
	uri, text := example(t)
	e.open(uri, text)
	for whole, want := range map[string]string{
		strings.Replace(text, "  servers = var", "  server = var", 1): "servers",
		text + "\noptions {\n  read_at_hea = false\n}\n":              "read_at_head",
	} {
		e.change(uri, whole)
		p := e.problems(uri, func(p []problem) bool { return len(p) > 0 && strings.Contains(p[0].Message, want) })
		var fixes []action
		e.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": uri}, "range": p[0].Range, "context": map[string]any{"diagnostics": p[:1]}}, &fixes)
		from, to := offsetOf(whole, p[0].Range.Start), offsetOf(whole, p[0].Range.End)
		if len(fixes) != 1 || fixes[0].Edit.Changes[uri][0].NewText != want || !strings.HasPrefix(want, whole[from:to]) {
			t.Errorf("%q is replaced by %+v", whole[from:to], fixes)
		}
	}
}

// TestBaseInEditor breaks the open base of an open manifest that extends it.
func TestBaseInEditor(t *testing.T) {
	t.Parallel()
	e := newEditor(t)
	base, text := example(t)
	dir := t.TempDir()
	top := filepath.Join(dir, "top.hcl")
	abs, _ := filepath.Abs(chain)
	if err := os.WriteFile(top, []byte("extends = "+quoted(abs)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	e.open(uriOf(top), "extends = "+quoted(abs)+"\n")
	e.problems(uriOf(top), func(p []problem) bool { return len(p) == 0 })
	e.open(base, text+"\nbounds2 {}\n")
	e.problems(base, func(p []problem) bool { return len(p) == 1 && p[0].Code == "MG004" })
	e.change(base, text)
	e.problems(base, func(p []problem) bool { return len(p) == 0 })
}

func quoted(s string) string { b, _ := json.Marshal(s); return string(b) }

// TestCompletionHoverDefinition asks at places of text that is not finished.
func TestCompletionHoverDefinition(t *testing.T) {
	t.Parallel()
	e := newEditor(t)
	uri, text := example(t)
	for _, c := range []struct{ name, add, has, lacks string }{
		{"top", "\nch|", "check", "crashes"},
		{"attribute", "\ncheck {\n  inv|", "invariants", "module"},
		{"module", "\nmodule \"|", "client", "check"},
		{"grain", "\nmodule \"client\" {\n  grain = \"|", "coarse", "check"},
		{"bound", "\nbounds {\n  |", "puts", "check"},
		{"nested block", "\ninteraction {\n  ag|", "against", "system"},
		{"level", "\ninteraction {\n  level = \"|", "L2", "holds"},
		{"verdict", "\nexpect {\n  verdict = \"|", "unexplored", "L2"},
		{"interaction", "\nexpect {\n  interaction = |", "gap", "holds"},
		{"second value", "\ncheck {\n  unused = [\"x\", \"|", "", "check"},
		{"object", "\ntrace {\n  event \"x\" {\n    where = { |", "", "check"},
	} {
		params, whole := at(uri, text+c.add)
		e.open(uri, whole)
		var got struct{ Items []item }
		e.call("textDocument/completion", params, &got)
		var labels []string
		for _, i := range got.Items {
			labels = append(labels, i.Label)
			if c.name == "attribute" && i.Documentation == nil {
				t.Errorf("%s has no documentation", i.Label)
			}
		}
		all := " " + strings.Join(labels, " ") + " "
		if c.has != "" && !strings.Contains(all, " "+c.has+" ") || strings.Contains(all, " "+c.lacks+" ") {
			t.Errorf("%s: completion offers %s", c.name, all)
		}
	}
	ask := func(method, marked string, into any) {
		params, whole := at(uri, marked)
		e.open(uri, whole)
		e.call(method, params, into)
	}
	var h hovered
	ask("textDocument/hover", text+"\ncheck {\n  invari|ants = []\n}\n", &h)
	if !strings.Contains(h.Contents.Value, "names or patterns of the invariants") {
		t.Errorf("hover shows %q", h.Contents.Value)
	}
	var l location
	ask("textDocument/definition", text+"\nbounds {\n  pu|ts = 1\n}\n", &l)
	line := lineAt(t, l)
	if !strings.Contains(line, "uts") {
		t.Errorf("the definition is %+v: %s", l, line)
	}
	var uses []location
	ask("textDocument/references", text+"\nbounds {\n  pu|ts = 1\n}\n", &uses)
	if len(uses) < 3 {
		t.Errorf("references are %+v", uses)
	}
	var none *location
	ask("textDocument/definition", text+"\nbounds {\n  nosu|ch = 1\n}\n", &none)
	if none != nil {
		t.Errorf("an unknown name is defined at %+v", none)
	}
}

// lineAt returns the line of a location.
func lineAt(t *testing.T, l location) string {
	src, err := os.ReadFile(pathOf(l.URI))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(src), "\n")[l.Range.Start.Line]
}

func TestPositions(t *testing.T) {
	t.Parallel()
	text := "aß𝕏b\nc\r\nd"
	for k := range text {
		if p := positionOf(text, k); offsetOf(text, p) != k {
			t.Errorf("byte %d is %+v, which is byte %d", k, p, offsetOf(text, p))
		}
	}
	if at := offsetOf(text, position{0, 99}); at != strings.Index(text, "\n") {
		t.Errorf("a position after the end of line is byte %d", at)
	}
}
