package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ofManifest names a manifest, and values of its variables.
type ofManifest struct {
	Manifest string            `json:"manifest" jsonschema:"the path of the manifest, such as configs/zab/mspec-3.hcl"`
	Vars     map[string]string `json:"vars,omitempty" jsonschema:"values of the manifest's variables, by name"`
	paged
}

// arguments returns the flags for the variables, and the manifest.
func (s *server) arguments(in ofManifest) ([]string, error) {
	path, err := s.file(in.Manifest)
	if err != nil {
		return nil, err
	}
	var args []string
	for name, value := range in.Vars {
		args = append(args, "-var="+name+"="+value)
	}
	slices.Sort(args)
	return append(args, path), nil
}

type listing struct {
	System string `json:"system,omitempty" jsonschema:"a folder with a specification, an import path, or a system's name; without it all systems"`
	paged
}

type interacting struct {
	ofManifest
	Level   string `json:"level,omitempty" jsonschema:"L0 (the default) compares footprints; L1, L2 and L3 explore states and need timeout"`
	Timeout string `json:"timeout,omitempty" jsonschema:"the budget of levels above L0, such as 60s"`
	Why     string `json:"why,omitempty" jsonschema:"a variable: print the chain that keeps it"`
	Suggest bool   `json:"suggest,omitempty" jsonschema:"list what coarse grains of the other modules may leave out"`
}

type checking struct {
	ofManifest
	Timeout   string `json:"timeout" jsonschema:"the budget, such as 60s or 10m; required"`
	MaxStates int64  `json:"max_states,omitempty" jsonschema:"end the exploration after this many distinct states"`
}

type exploring struct {
	ofManifest
	Init    int      `json:"init,omitempty" jsonschema:"the number of the initial state, from 0"`
	Path    []string `json:"path,omitempty" jsonschema:"steps to take from there, as an answer names them, such as Elect(I: 0)"`
	Find    string   `json:"find,omitempty" jsonschema:"search from there: a formula, \"action STEP\", or \"violation\"; needs timeout"`
	Timeout string   `json:"timeout,omitempty" jsonschema:"the budget of find, such as 60s"`
}

type asking struct {
	ofManifest
	Init   int      `json:"init,omitempty" jsonschema:"the number of the initial state, from 0"`
	Path   []string `json:"path,omitempty" jsonschema:"steps to take from there"`
	Action string   `json:"action" jsonschema:"an action, or one step of it: what refuses it?"`
}

type showing struct {
	Trace string `json:"trace" jsonschema:"the path of a trace, as check names it"`
	First int    `json:"first,omitempty" jsonschema:"the first step to show, from 1"`
	Last  int    `json:"last,omitempty" jsonschema:"the last step to show"`
	paged
}

type explaining struct {
	Code string `json:"code" jsonschema:"a diagnostic code, such as MG210"`
	paged
}

type continuing struct {
	Cursor string `json:"cursor" jsonschema:"the cursor at the end of an answer; \"latest\" is the start of the last result, also that of a cancelled call"`
	paged
}

// tools adds the tools to a server.
func (s *server) tools(to *sdk.Server) {
	reads := func() *sdk.ToolAnnotations {
		return &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(bool)}
	}
	runs := func() *sdk.ToolAnnotations {
		return &sdk.ToolAnnotations{DestructiveHint: new(bool), IdempotentHint: true}
	}
	sdk.AddTool(to, &sdk.Tool{Name: "validate", Annotations: reads(),
		Description: "Compare a manifest with the catalog of its system, and the code of the specification with the rules for it."}, s.validate)
	sdk.AddTool(to, &sdk.Tool{Name: "list", Annotations: reads(),
		Description: "List modules, grains, invariants, bounds and options of a system."}, s.list)
	sdk.AddTool(to, &sdk.Tool{Name: "explain", Annotations: reads(), Description: "Say what a diagnostic code means, with an example and the remedy."}, s.explain)
	sdk.AddTool(to, &sdk.Tool{Name: "show", Annotations: reads(), Description: "Show steps of a trace: each with what it changes."}, s.show)
	sdk.AddTool(to, &sdk.Tool{Name: "more", Annotations: reads(), Description: "Read the next part of an earlier answer."}, s.more)
	sdk.AddTool(to, &sdk.Tool{Name: "interaction", Annotations: runs(),
		Description: "Say whether coarse grains keep what the modules under test can see. Levels L1 to L3 compile and run the specification."}, s.interaction)
	sdk.AddTool(to, &sdk.Tool{Name: "check", Annotations: runs(),
		Description: "Explore all states of a composition within a budget. Compiles and runs the specification; writes counterexamples next to the manifest."}, s.check)
	sdk.AddTool(to, &sdk.Tool{Name: "explore", Annotations: runs(),
		Description: "Take a path and print the state at its end and the steps that are possible there, or search from there. Compiles and runs the specification."}, s.explore)
	sdk.AddTool(to, &sdk.Tool{Name: "why_not", Annotations: runs(),
		Description: "Say which condition, with its values, refuses an action at the end of a path. Compiles and runs the specification."}, s.whyNot)
}

func (s *server) validate(ctx context.Context, req *sdk.CallToolRequest, in ofManifest) (*sdk.CallToolResult, any, error) {
	args, err := s.arguments(in)
	if err != nil {
		return nil, nil, err
	}
	return s.answer(ctx, req, call{args: append([]string{"validate"}, args...), judges: true, size: in.Bytes})
}

func (s *server) list(ctx context.Context, req *sdk.CallToolRequest, in listing) (*sdk.CallToolResult, any, error) {
	args := []string{"list"}
	if in.System != "" {
		if err := plain("a system", in.System); err != nil {
			return nil, nil, err
		}
		if strings.HasPrefix(in.System, ".") || strings.HasPrefix(in.System, "/") {
			folder, err := s.file(in.System)
			if err != nil {
				return nil, nil, err
			}
			in.System = folder
		}
		args = append(args, in.System)
	}
	return s.answer(ctx, req, call{args: args, size: in.Bytes})
}

func (s *server) explain(ctx context.Context, req *sdk.CallToolRequest, in explaining) (*sdk.CallToolResult, any, error) {
	if err := plain("a code", in.Code); err != nil {
		return nil, nil, err
	}
	return s.answer(ctx, req, call{args: []string{"explain", in.Code}, size: in.Bytes})
}

func (s *server) show(ctx context.Context, req *sdk.CallToolRequest, in showing) (*sdk.CallToolResult, any, error) {
	path, err := s.file(in.Trace)
	if err != nil {
		return nil, nil, err
	}
	args := []string{"show"}
	if in.First != 0 || in.Last != 0 {
		first := max(in.First, 1)
		args = append(args, fmt.Sprintf("-steps=%d..%d", first, max(in.Last, first)))
	}
	return s.answer(ctx, req, call{args: append(args, path), size: in.Bytes})
}

func (s *server) more(_ context.Context, _ *sdk.CallToolRequest, in continuing) (*sdk.CallToolResult, any, error) {
	number, offset, text, err := s.store.at(in.Cursor)
	if err != nil {
		return nil, nil, err
	}
	return shown(page(number, offset, text, in.Bytes)), nil, nil
}

func (s *server) interaction(ctx context.Context, req *sdk.CallToolRequest, in interacting) (*sdk.CallToolResult, any, error) {
	args, err := s.arguments(in.ofManifest)
	if err != nil {
		return nil, nil, err
	}
	flags := []string{"interaction"}
	if in.Level != "" {
		flags = append(flags, "-level="+in.Level)
	}
	var budget time.Duration
	if in.Level > "L0" {
		if budget, err = budgetOf(in.Timeout); err != nil {
			return nil, nil, err
		}
		flags = append(flags, "-timeout="+in.Timeout)
	}
	if in.Why != "" {
		flags = append(flags, "-why="+in.Why)
	}
	if in.Suggest {
		flags = append(flags, "-suggest")
	}
	return s.answer(ctx, req, call{args: append(flags, args...), budget: budget, judges: in.Why == "" && !in.Suggest, size: in.Bytes})
}

func (s *server) check(ctx context.Context, req *sdk.CallToolRequest, in checking) (*sdk.CallToolResult, any, error) {
	args, err := s.arguments(in.ofManifest)
	if err != nil {
		return nil, nil, err
	}
	budget, err := budgetOf(in.Timeout)
	if err != nil {
		return nil, nil, err
	}
	flags := []string{"check", "-explain", "-timeout=" + in.Timeout}
	if in.MaxStates > 0 {
		flags = append(flags, fmt.Sprintf("-max-states=%d", in.MaxStates))
	}
	return s.answer(ctx, req, call{args: append(flags, args...), budget: budget, judges: true, size: in.Bytes})
}

// script returns the lines that take a path and ask something at its end.
func script(init int, path []string, ask ...string) (string, error) {
	lines := []string{fmt.Sprintf("init %d", init)}
	for _, step := range path {
		lines = append(lines, "do "+step)
	}
	lines = append(lines, ask...)
	for _, line := range lines {
		if strings.ContainsAny(line, "\n\r\x00") {
			return "", errors.New("a step, an action or a formula must be one line")
		}
	}
	return strings.Join(lines, "\n") + "\n", nil
}

func (s *server) explore(ctx context.Context, req *sdk.CallToolRequest, in exploring) (*sdk.CallToolResult, any, error) {
	args, err := s.arguments(in.ofManifest)
	if err != nil {
		return nil, nil, err
	}
	flags, ask := []string{"explore", "-terminal"}, []string{"state", "steps"}
	var budget time.Duration
	if in.Find != "" {
		if budget, err = budgetOf(in.Timeout); err != nil {
			return nil, nil, err
		}
		flags, ask = append(flags, "-timeout="+in.Timeout), []string{"find " + in.Find, "path"}
	}
	return s.converse(ctx, req, call{args: append(flags, args...), budget: budget, size: in.Bytes}, in.Init, in.Path, ask)
}

func (s *server) whyNot(ctx context.Context, req *sdk.CallToolRequest, in asking) (*sdk.CallToolResult, any, error) {
	args, err := s.arguments(in.ofManifest)
	if err != nil {
		return nil, nil, err
	}
	return s.converse(ctx, req, call{args: append([]string{"explore", "-terminal"}, args...), size: in.Bytes}, in.Init, in.Path, []string{"why not " + in.Action})
}

// converse takes a path in the text of explore. The answer has what follows the path.
func (s *server) converse(ctx context.Context, req *sdk.CallToolRequest, c call, init int, path, ask []string) (*sdk.CallToolResult, any, error) {
	var err error
	if c.input, err = script(init, path, ask...); err != nil {
		return nil, nil, err
	}
	e, err := s.run(ctx, req, c.budget, c.input, c.args...)
	if err != nil {
		return nil, nil, err
	}
	if _, after, found := strings.Cut(e.out, "\n> "+ask[0]+"\n"); found {
		e.out = after
	}
	text := e.text()
	return shown(page(s.store.keep(text), 0, text, c.size)), nil, nil
}
