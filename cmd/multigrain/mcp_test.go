package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent is a client of the verb mcp.
type agent struct {
	t       *testing.T
	session *sdk.ClientSession
	beats   atomic.Int64 // notifications of progress
}

// agentIn starts the command as a server of a folder, and a client.
func agentIn(t *testing.T, folder string) *agent {
	t.Helper()
	a := &agent{t: t}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *sdk.ProgressNotificationClientRequest) { a.beats.Add(1) }})
	cmd := exec.Command(binary(t), "mcp", "-root", folder)
	cmd.Stderr = os.Stderr
	session, err := client.Connect(context.Background(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a.session = session
	t.Cleanup(func() { session.Close() })
	return a
}

// received is an answer as the client gets it.
type received struct {
	ExitCode    int      `json:"exit_code"`
	Means       string   `json:"means"`
	Verdict     string   `json:"verdict"`
	Stopped     string   `json:"stopped"`
	Diagnostics []string `json:"diagnostics"`
	Lines       []string `json:"text"`
	Cursor      string   `json:"cursor"`
	refused     string   // why the call was refused
	size        int      // of the result in the message, in bytes
}

func (s *received) text() string { return strings.Join(s.Lines, "\n") }

// call calls a tool with arguments in JSON.
func (a *agent) call(ctx context.Context, tool, arguments string) *received {
	a.t.Helper()
	p := &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)}
	p.SetProgressToken(tool)
	r, err := a.session.CallTool(ctx, p)
	if err != nil {
		return &received{refused: err.Error()}
	}
	text := r.Content[0].(*sdk.TextContent).Text
	if r.IsError {
		return &received{refused: text}
	}
	message, err := json.Marshal(r)
	if err != nil {
		a.t.Fatal(err)
	}
	s := &received{size: len(message)}
	if err := json.Unmarshal([]byte(text), s); err != nil {
		a.t.Fatalf("%s: %v\n%s", tool, err, text)
	}
	return s
}

// ask calls a tool and expects an answer of the usual size.
func (a *agent) ask(tool, arguments string) *received {
	a.t.Helper()
	s := a.call(context.Background(), tool, arguments)
	if s.refused != "" {
		a.t.Fatalf("%s %s is refused: %s", tool, arguments, s.refused)
	}
	if s.size > 4096 {
		a.t.Errorf("%s %s: the answer has %d bytes", tool, arguments, s.size)
	}
	return s
}

const agentManifest = `
system "registry" {
  source = "./spec"
}

module "issue" {
  grain = "silent"
}

module "serve" {
  grain  = "baseline"
  target = true
}

module "faults" {
  grain = "return"
}

check {
  invariants = ["ServedIssued"]
}
`

// registryModule writes a Go module with the specification registry into a folder, with a text of
// it replaced.
func registryModule(t *testing.T, folder, old, text string) (source string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	spec := read("cmd/multigrain/testdata/spec/registry/registry.go")
	if !strings.Contains(spec, old) {
		t.Fatalf("the specification has no %q", old)
	}
	source = filepath.Join(folder, "spec", "registry.go")
	mod := strings.Replace(read("go.mod"), "module github.com/multigrain/multigrain", "module example.org/agent", 1) +
		"\nrequire github.com/multigrain/multigrain v0.0.0\n\nreplace github.com/multigrain/multigrain => " + root + "\n"
	for path, content := range map[string]string{source: strings.Replace(spec, old, text, 1), filepath.Join(folder, "go.mod"): mod,
		filepath.Join(folder, "go.sum"): read("go.sum"), filepath.Join(folder, "registry.hcl"): agentManifest} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return source
}

// issued is the line of the coarse grain that the session leaves out and puts in.
const issued = "\t\tn.Number = s.Number + 1\n\t\tn.Owner = p.I\n"

// TestAgentMends is a session of an agent: it finds that a coarse grain loses an update, reads what
// that means, edits the grain, and checks the composition.
func TestAgentMends(t *testing.T) {
	inTime(t)
	folder := t.TempDir()
	source := registryModule(t, folder, issued, "\t\tn.Number = s.Number + 1\n")
	a := agentIn(t, folder)
	if s := a.ask("validate", `{"manifest": "registry.hcl"}`); s.Verdict != "valid" || s.ExitCode != 0 {
		t.Fatalf("validate: %+v", s)
	}
	s := a.ask("interaction", `{"manifest": "registry.hcl"}`)
	if s.Verdict != "broken" || s.ExitCode != 10 || !strings.Contains(strings.Join(s.Diagnostics, "\n"), "MG210") || !strings.Contains(s.text(), "Owner") {
		t.Fatalf("interaction of the broken grain: %+v", s)
	}
	if s := a.ask("explain", `{"code": "MG210"}`); !strings.Contains(s.text(), "Update lost") {
		t.Errorf("explain: %+v", s)
	}
	if s := a.ask("check", `{"manifest": "registry.hcl", "timeout": "10m"}`); s.ExitCode != 10 || s.Verdict == "holds" {
		t.Errorf("check of the broken grain: %+v", s)
	}
	text, err := os.ReadFile(source)
	if err == nil {
		err = os.WriteFile(source, []byte(strings.Replace(string(text), "\t\tn.Number = s.Number + 1\n", issued, 1)), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if s := a.ask("interaction", `{"manifest": "registry.hcl"}`); s.Verdict != "preserved" || s.ExitCode != 0 || len(s.Diagnostics) != 0 {
		t.Fatalf("interaction of the mended grain: %+v", s)
	}
	before := a.beats.Load()
	s = a.ask("check", `{"manifest": "registry.hcl", "timeout": "10m"}`)
	if s.Verdict != "holds" || s.ExitCode != 0 || !strings.Contains(s.text(), "holds within the bounds") {
		t.Errorf("check of the mended grain: %+v", s)
	}
	if a.beats.Load() == before {
		t.Error("check has no progress")
	}
	s = a.ask("explore", `{"manifest": "registry.hcl", "timeout": "10m", "path": ["Skip(I: 0)"]}`)
	if s.ExitCode != 0 || s.Verdict != "" || !strings.Contains(s.text(), "Number = 1") || !strings.Contains(s.text(), "IssueAtOnce") {
		t.Errorf("explore: %+v", s)
	}
	s = a.ask("why_not", `{"manifest": "registry.hcl", "timeout": "10m", "action": "Serve"}`)
	if s.ExitCode != 0 || !strings.Contains(s.text(), "s.Owner == p.I is false") {
		t.Errorf("why_not: %+v", s)
	}
	// A step that is not possible is an error, and a second line is no second command.
	if s := a.ask("explore", `{"manifest": "registry.hcl", "timeout": "10m", "path": ["Serve(I: 0)"]}`); s.ExitCode == 0 || !strings.Contains(s.text(), "MG582") {
		t.Errorf("explore of an impossible step: %+v", s)
	}
}

// TestAgentRefused: calls without a budget and paths outside of the folder are refused, whatever
// their form; their neighbours are not.
func TestAgentRefused(t *testing.T) {
	t.Parallel()
	folder, other := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	secret := filepath.Join(other, "secret.hcl")
	write(secret, `token "abc" {`)
	write(filepath.Join(folder, "m.hcl"), "system \"x\" {\n  source = \"./none\"\n}\n")
	write(filepath.Join(folder, "based.hcl"), "extends = \""+secret+"\"\n")
	if err := os.Symlink(other, filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	a := agentIn(t, folder)
	for _, c := range []struct{ tool, arguments, why string }{
		{"check", `{"manifest": "m.hcl"}`, "needs a budget"},
		{"check", `{"manifest": "m.hcl", "timeout": "soon"}`, "needs a budget"},
		{"check", `{"manifest": "m.hcl", "timeout": "-5s"}`, "needs a budget"},
		{"check", `{"manifest": "m.hcl", "max_states": 10}`, "needs a budget"},
		{"interaction", `{"manifest": "m.hcl", "level": "L1"}`, "needs a budget"},
		{"interaction", `{"manifest": "m.hcl", "level": "L3"}`, "needs a budget"},
		{"explore", `{"manifest": "m.hcl"}`, "needs a budget"},
		{"why_not", `{"manifest": "m.hcl", "action": "A"}`, "needs a budget"},
		{"why_not", `{"manifest": "m.hcl", "timeout": "9s", "action": "A\nfind violation"}`, "not one line"},
		{"explore", `{"manifest": "m.hcl", "timeout": "9s", "path": ["A\nquit"]}`, "not one line"},
		{"explore", `{"manifest": "m.hcl", "timeout": "9s", "find": "x\nquit"}`, "not one line"},
		{"validate", `{"manifest": "../m.hcl"}`, "outside of"},
		{"validate", `{"manifest": "` + secret + `"}`, "outside of"},
		{"validate", `{"manifest": "link/secret.hcl"}`, "outside of"},
		{"validate", `{"manifest": "based.hcl"}`, "outside of"},
		{"show", `{"trace": "link/secret.hcl"}`, "outside of"},
		{"explore", `{"manifest": "m.hcl", "timeout": "9s", "trace": "../t.itf.json:3"}`, "outside of"},
		{"list", `{"system": ".."}`, "outside of"},
		{"list", `{"system": "link"}`, "outside of"},
		{"list", `{"system": "` + other + `"}`, "outside of"},
		{"list", `{"system": "x/../../y"}`, "outside of"},
		{"list", `{"system": "-json"}`, "cannot be"},
		{"more", `{"cursor": "7:1"}`, "names nothing"},
		{"validate", `{"manifest": "m.hcl", "colour": "red"}`, "colour"},
	} {
		if s := a.call(context.Background(), c.tool, c.arguments); !strings.Contains(s.refused, c.why) {
			t.Errorf("%s %s: refused: %q; %+v", c.tool, c.arguments, s.refused, s)
		}
		if c.why == "needs a budget" || c.why == "outside of" {
			if s := a.call(context.Background(), c.tool, c.arguments); !strings.Contains(s.refused, "[MG579]") || strings.Contains(s.refused, "abc") {
				t.Errorf("%s %s: %q", c.tool, c.arguments, s.refused)
			}
		}
	}
	// A manifest that is wrong is no refused call: it has its diagnostics.
	if s := a.ask("validate", `{"manifest": "m.hcl"}`); s.Verdict != "invalid" || s.ExitCode != 150 || len(s.Diagnostics) == 0 {
		t.Errorf("validate: %+v", s)
	}
	if s := a.ask("interaction", `{"manifest": "m.hcl", "level": "L0"}`); s.ExitCode != 150 {
		t.Errorf("interaction: %+v", s)
	}
}

// TestAgentCancels: a call that is cancelled ends, and the next call runs. A budget that is over is
// no verdict. An answer that does not fit is read in parts.
func TestAgentCancels(t *testing.T) {
	inTime(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	a := agentIn(t, root)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if s := a.call(ctx, "check", `{"manifest": "configs/examples/chain.hcl", "timeout": "10m", "set": {"puts": "6", "gets": "6"}}`); s.refused == "" {
		t.Errorf("a cancelled call: %+v", s)
	}
	s := a.ask("check", `{"manifest": "configs/examples/chain.hcl", "timeout": "1s", "set": {"puts": "6", "gets": "6"}}`)
	if s.Verdict == "holds" || s.ExitCode != 20 {
		t.Errorf("a budget of one second: %+v", s)
	}
	s = a.ask("list", `{"system": "zab"}`)
	whole, parts := s.text(), 1
	for s.Cursor != "" {
		parts++
		s = a.ask("more", `{"cursor": "`+s.Cursor+`"}`)
		whole += "\n" + s.text()
	}
	if !strings.Contains(whole, "I-8") || parts < 3 {
		t.Errorf("list zab has %d parts:\n%s", parts, whole)
	}
	if s := a.call(context.Background(), "list", `{"system": "zab", "bytes": 64000}`); strings.TrimSpace(s.text()) != strings.TrimSpace(whole) {
		t.Error("the parts are not the whole")
	}
}
