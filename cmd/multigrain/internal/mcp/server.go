package mcp

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
)

// server answers the calls of one client.
type server struct {
	program string   // the path of this command
	root    string   // the folder that manifests and traces are in, absolute and without links
	environ []string // NAME=value
	store   store
}

// instructions are shown to the language model.
const instructions = `multigrain checks specifications of distributed protocols that are written in Go, in modules at several grains, ` +
	`which a manifest (HCL) composes. validate is fast. interaction says whether coarse grains keep what the others see. ` +
	`check explores all states. Only the words "holds" and "preserved" in a result without errors say so, within the bounds of the manifest; ` +
	`undecided is no success. Paths are relative to the folder of the server. Answers are bounded: follow the cursor with the tool more.`

// newServer returns the server with its tools. Program is the path of this command, and root the
// folder that manifests and traces must be in.
func newServer(program, root, version string, environ []string) (*sdk.Server, error) {
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, err
	}
	s := &server{program: program, root: abs, environ: environ}
	to := sdk.NewServer(&sdk.Implementation{Name: "multigrain", Version: version}, &sdk.ServerOptions{Instructions: instructions})
	s.tools(to)
	return to, nil
}

// file returns a file below the root as an argument of the command.
func (s *server) file(path string) (string, error) {
	local := path
	if filepath.IsAbs(path) {
		if rel, err := filepath.Rel(s.root, path); err == nil {
			local = rel
		}
	}
	if path == "" || !filepath.IsLocal(local) {
		return "", s.outside(path)
	}
	real, err := filepath.EvalSymlinks(filepath.Join(s.root, local))
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w. Give a path relative to %s", path, err, s.root)
	}
	if rel, err := filepath.Rel(s.root, real); err != nil || !filepath.IsLocal(rel) {
		return "", s.outside(path)
	}
	return "." + string(filepath.Separator) + filepath.Clean(local), nil
}

func (s *server) outside(path string) error {
	return fmt.Errorf("[%s] the path %q is outside of %s, where this server may read: start it with -root for another folder", codes.Mcp, path, s.root)
}

// budgetOf reads a limit of time. There is none without one: a call that may take long is refused.
func budgetOf(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if text == "" || err != nil || d <= 0 {
		return 0, fmt.Errorf("[%s] a call that explores states needs a budget, and timeout is %q: give a duration such as \"60s\" or \"10m\"", codes.Mcp, text)
	}
	return d, nil
}

// plain refuses text that another program could read as a flag or as several lines.
func plain(what, text string) error {
	if strings.HasPrefix(text, "-") || strings.ContainsAny(text, "\n\r\x00") {
		return fmt.Errorf("[%s] %s cannot be %q: it must be one line and not start with a dash", codes.Mcp, what, text)
	}
	return nil
}

// paged is how much of an answer is returned.
type paged struct {
	Bytes int `json:"bytes,omitempty" jsonschema:"the size of the answer in bytes, 4000 by default, at most 64000"`
}

// answer runs the command and returns the first part of its answer.
func (s *server) answer(ctx context.Context, req *sdk.CallToolRequest, c call) (*sdk.CallToolResult, any, error) {
	e, err := s.run(ctx, req, c.budget, c.input, c.args...)
	if err != nil {
		return nil, nil, err
	}
	e.judges = c.judges
	text := e.text()
	return shown(page(s.store.keep(text), 0, text, c.size)), nil, nil
}

// call is one run of the command.
type call struct {
	args   []string
	input  string
	budget time.Duration // 0: the verb explores nothing
	judges bool          // the verb has a verdict
	size   int           // of the answer in bytes, 0 for the usual one
}

func shown(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}
