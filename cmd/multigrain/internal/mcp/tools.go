package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
)

// instructions are shown to the language model.
const instructions = `multigrain checks specifications of distributed protocols that are written in Go, in modules at several grains, ` +
	`which a manifest (HCL) composes. validate is fast. interaction says whether coarse grains keep what the other modules see. ` +
	`check explores all states. Only a verdict "holds" or "preserved" with exit code 0 says so, within the bounds of the manifest; ` +
	`"undecided" is no success. Paths are relative to the folder of the server. Answers are bounded: give the cursor to the tool more.`

// paged is how much of an answer is returned.
type paged struct {
	Bytes int `json:"bytes,omitempty" jsonschema:"the size of the answer in bytes: 4000 by default, from 1000 to 64000"`
}

// ofManifest names a manifest, and values of its variables.
type ofManifest struct {
	Manifest string            `json:"manifest" jsonschema:"the path of the manifest, such as configs/zab/mspec-3.hcl"`
	Vars     map[string]string `json:"vars,omitempty" jsonschema:"values of the manifest's variables, by name"`
	Set      map[string]string `json:"set,omitempty" jsonschema:"bounds, options or attributes of the check block that this run replaces, by name, such as crashes"`
	paged
}

type listingArgs struct {
	System string   `json:"system,omitempty" jsonschema:"a folder with a specification, an import path, or a system's name; without it all systems"`
	Names  []string `json:"names,omitempty" jsonschema:"entries that are printed whole, such as I-8, election/coarse or crashes"`
	paged
}

type interactionArgs struct {
	ofManifest
	Level   string `json:"level,omitempty" jsonschema:"L0, the default, compares footprints. L1, L2 and L3 explore states and need timeout"`
	Timeout string `json:"timeout,omitempty" jsonschema:"the budget of levels above L0, such as 60s; building counts"`
	Why     string `json:"why,omitempty" jsonschema:"a variable: print the chain that keeps it"`
	Suggest bool   `json:"suggest,omitempty" jsonschema:"list what coarse grains of the other modules may leave out"`
}

type checkArgs struct {
	ofManifest
	Timeout   string `json:"timeout,omitempty" jsonschema:"the budget, such as 60s or 10m; required; building counts"`
	MaxStates int64  `json:"max_states,omitempty" jsonschema:"end the exploration after this many distinct states"`
}

// at is a place in the graph of states.
type at struct {
	Trace string   `json:"trace,omitempty" jsonschema:"begin with the steps of this trace, or with its first N steps: PATH:N"`
	Init  int      `json:"init,omitempty" jsonschema:"the number of the initial state, from 0; not with trace"`
	Path  []string `json:"path,omitempty" jsonschema:"steps to take, as an answer names them, such as Elect(I: 0)"`
}

type exploreArgs struct {
	ofManifest
	at
	Timeout   string   `json:"timeout,omitempty" jsonschema:"the budget, such as 60s; required; building counts"`
	Variables []string `json:"variables,omitempty" jsonschema:"print only the variables of the state that begin so"`
	Find      string   `json:"find,omitempty" jsonschema:"search from there: a formula, \"action STEP\", or \"violation\""`
	MaxStates int64    `json:"max_states,omitempty" jsonschema:"end the search after this many distinct states"`
}

type whyNotArgs struct {
	ofManifest
	at
	Timeout string `json:"timeout,omitempty" jsonschema:"the budget, such as 60s; required; building counts"`
	Action  string `json:"action" jsonschema:"an action, or one step of it: what refuses it?"`
}

type showArgs struct {
	Trace string `json:"trace" jsonschema:"the path of a trace, as check names it"`
	First int    `json:"first,omitempty" jsonschema:"the first step to show, from 1"`
	Last  int    `json:"last,omitempty" jsonschema:"the last step to show"`
	Full  bool   `json:"full,omitempty" jsonschema:"show whole states, not only what changes"`
	paged
}

type explainArgs struct {
	Code string `json:"code" jsonschema:"a diagnostic code, such as MG210"`
	paged
}

type moreArgs struct {
	Cursor string `json:"cursor" jsonschema:"the cursor of an answer; \"latest\" is the start of the last answer, also that of a cancelled call"`
	paged
}

// tools returns a server of the protocol with all tools.
func (s *server) tools() *sdk.Server {
	to := sdk.NewServer(&sdk.Implementation{Name: "multigrain", Version: command.Version()}, &sdk.ServerOptions{Instructions: instructions})
	closed, additive := false, false
	reads := &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed}
	runs := &sdk.ToolAnnotations{DestructiveHint: &additive, IdempotentHint: true}
	add(s, to, reads, "validate", "Compare a manifest with the catalog of its system, and the code of the specification with the rules for it.", s.validate)
	add(s, to, reads, "list", "List modules, grains, invariants, bounds and options of a system.", s.list)
	add(s, to, reads, "explain", "Say what a diagnostic code means, with an example and the remedy.", s.explain)
	add(s, to, reads, "show", "Show steps of a trace, each with what it changes.", s.show)
	add(s, to, runs, "interaction", "Say whether coarse grains keep what the modules under test can see. Level L0 runs no code of the specification. Levels L1 to L3 compile and run it.", s.interaction)
	add(s, to, runs, "check", "Explore all states of a composition within a budget. Compiles and runs the specification; writes counterexamples next to the manifest.", s.check)
	add(s, to, runs, "explore", "Take steps, and print the state after them and the steps that are possible there, or search from there. Compiles and runs the specification.", s.explore)
	add(s, to, runs, "why_not", "Say which condition, with its values, refuses an action after some steps. Compiles and runs the specification.", s.whyNot)
	sdk.AddTool(to, &sdk.Tool{Name: "more", Annotations: reads, Description: "Read the next part of an earlier answer, or the result of a call that was cancelled."},
		func(_ context.Context, _ *sdk.CallToolRequest, in moreArgs) (*sdk.CallToolResult, any, error) {
			w, number, line, err := s.store.at(in.Cursor)
			if err != nil {
				return nil, nil, err
			}
			return sent(w.part(number, line, in.Bytes)), nil, nil
		})
	return to
}

// add adds a tool that runs the command with the arguments that a function makes of a call.
func add[In any](s *server, to *sdk.Server, hints *sdk.ToolAnnotations, name, description string, callOf func(In) (call, error)) {
	sdk.AddTool(to, &sdk.Tool{Name: name, Annotations: hints, Description: description},
		func(ctx context.Context, req *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
			c, err := callOf(in)
			if err != nil {
				return nil, nil, err
			}
			e, err := s.run(ctx, req, c)
			if err != nil {
				return nil, nil, err
			}
			w := answerOf(e, c)
			return sent(w.part(s.store.keep(w), 0, c.size)), nil, nil
		})
}

// composed returns the arguments of a verb with a manifest.
func (s *server) composed(verb string, in ofManifest, flags ...string) (call, error) {
	path, err := s.manifest(in.Manifest)
	if err != nil {
		return call{}, err
	}
	args := append([]string{verb}, flags...)
	for flag, values := range map[string]map[string]string{"-var=": in.Vars, "-set=": in.Set} {
		for name, value := range values {
			args = append(args, flag+name+"="+value)
		}
	}
	slices.Sort(args[1:])
	return call{args: append(args, path), size: in.Bytes}, nil
}

// limited returns the arguments of a verb with a manifest that runs the specification.
func (s *server) limited(verb string, in ofManifest, timeout string, states int64, flags ...string) (call, error) {
	budget, err := budgetOf(timeout)
	if err != nil {
		return call{}, err
	}
	flags = append(flags, "-timeout="+budget.String())
	switch {
	case states < 0:
		return call{}, refusal("max_states is %d: give a number of at least 1, or leave it out", states)
	case states > 0:
		flags = append(flags, fmt.Sprintf("-max-states=%d", states))
	}
	c, err := s.composed(verb, in, flags...)
	c.budget = budget
	return c, err
}

func (s *server) validate(in ofManifest) (call, error) { return s.composed("validate", in) }

func (s *server) list(in listingArgs) (call, error) {
	c := call{args: []string{"list"}, size: in.Bytes, names: in.Names}
	if in.System == "" {
		return c, nil
	}
	system, err := s.system(in.System)
	c.args = append(append(c.args, "--", system), in.Names...)
	return c, err
}

func (s *server) explain(in explainArgs) (call, error) {
	return call{args: []string{"explain", "--", in.Code}, size: in.Bytes}, nil
}

func (s *server) show(in showArgs) (call, error) {
	path, err := s.file(in.Trace)
	c := call{args: []string{"show", fmt.Sprintf("-full=%t", in.Full)}, size: in.Bytes}
	if in.First != 0 || in.Last != 0 {
		first := max(in.First, 1)
		c.args = append(c.args, fmt.Sprintf("-steps=%d..%d", first, max(in.Last, first)))
	}
	c.args = append(c.args, path)
	return c, err
}

func (s *server) interaction(in interactionArgs) (call, error) {
	var flags []string
	if in.Why != "" {
		flags = append(flags, "-why="+in.Why)
	}
	if in.Suggest {
		flags = append(flags, "-suggest")
	}
	if in.Level == "" || in.Level == "L0" {
		return s.composed("interaction", in.ofManifest, flags...)
	}
	return s.limited("interaction", in.ofManifest, in.Timeout, 0, append(flags, "-level="+in.Level)...)
}

func (s *server) check(in checkArgs) (call, error) {
	return s.limited("check", in.ofManifest, in.Timeout, in.MaxStates, "-explain")
}

func (s *server) explore(in exploreArgs) (call, error) {
	ask := []string{"state", "steps"}
	if len(in.Variables) > 0 {
		ask = []string{"steps"}
		for _, v := range in.Variables {
			ask = append(ask, "state "+v)
		}
	}
	if in.Find != "" {
		ask = []string{"find " + in.Find, "path"}
	}
	if err := oneLine(append(slices.Clone(in.Variables), ask...)...); err != nil {
		return call{}, err
	}
	return s.scripted(in.ofManifest, in.at, in.Timeout, in.MaxStates, ask...)
}

func (s *server) whyNot(in whyNotArgs) (call, error) {
	if err := oneLine(in.Action); err != nil {
		return call{}, err
	}
	return s.scripted(in.ofManifest, in.at, in.Timeout, 0, "why not "+in.Action)
}

// scripted returns a run of explore that takes a path and asks something at its end.
func (s *server) scripted(in ofManifest, from at, timeout string, states int64, ask ...string) (call, error) {
	flags := []string{"-terminal"}
	var lines []string
	switch {
	case from.Trace != "" && from.Init != 0:
		return call{}, refusal("init and trace exclude each other: a trace has its own initial state")
	case from.Trace != "":
		trace, step, _ := strings.Cut(from.Trace, ":")
		path, err := s.file(trace)
		if err != nil {
			return call{}, err
		}
		if step != "" {
			path += ":" + step
		}
		flags = append(flags, "-from="+path)
	default:
		lines = append(lines, fmt.Sprintf("init %d", from.Init))
	}
	if err := oneLine(from.Path...); err != nil {
		return call{}, err
	}
	for _, step := range from.Path {
		lines = append(lines, "do "+step)
	}
	c, err := s.limited("explore", in, timeout, states, flags...)
	c.input = strings.Join(append(lines, ask...), "\n") + "\n"
	return c, err
}
