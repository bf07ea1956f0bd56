package explorer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// lineError is a line of a script that failed.
type lineError struct {
	number int // from 1
	text   string
	err    error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.number, e.err) }
func (e *lineError) Unwrap() error { return e.err }

// talk is an exploration in text.
type talk struct {
	*explorer
	out  io.Writer
	here place
	v    *view
	// forward are the steps that back took away, the last one first.
	forward []string
	ended   bool
	// keys are those that are pressed, and progress shows a line that is rewritten. Both are nil in
	// a script.
	keys     *keys
	progress func(line string)
}

// converse reads lines and answers them, until there are no more or one says quit.
func (o *options) converse(c *command.Call, x *explorer, begin *beginning) error {
	if err := x.prepareQuietly(begin); err != nil {
		return err
	}
	t := &talk{explorer: x, out: printer{c}, here: place{Path: []string{}}}
	if x.first != nil {
		t.here = *x.first
	}
	c.Doc.Transcript = []result.Answered{{}}
	if err := t.show(); err != nil {
		return err
	}
	if f, ok := c.In.(*os.File); ok && c.OutWidth > 0 && term.IsTerminal(int(f.Fd())) {
		before, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return err
		}
		defer term.Restore(int(f.Fd()), before)
		return t.edit(f, os.Stdout, c.OutWidth)
	}
	lines := bufio.NewScanner(c.In)
	number := 1
	for ; lines.Scan() && !t.ended; number++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		c.Doc.Transcript = append(c.Doc.Transcript, result.Answered{Line: text})
		if !c.Json {
			fmt.Fprintf(t.out, "> %s\n", text)
		}
		if err := t.line(x.ctx, text); err != nil {
			return &lineError{number, text, err}
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return &lineError{number, "the next one", fmt.Errorf("it has more than %d KiB", bufio.MaxScanTokenSize>>10)}
	} else if err != nil {
		return &lineError{number, "the next one", err}
	}
	return nil
}

// short returns a line for a message: its first hundred characters.
func short(text string) string {
	if r := []rune(text); len(r) > 100 {
		return string(r[:100]) + "…"
	}
	return text
}

// printer writes to the standard output of a call.
type printer struct{ *command.Call }

func (p printer) Write(b []byte) (int, error) {
	p.Print(string(b))
	p.Doc.Transcript[len(p.Doc.Transcript)-1].Text += string(b)
	return len(b), nil
}

// prepareQuietly is prepare for a terminal: reasons are built in the background.
func (x *explorer) prepareQuietly(begin *beginning) error {
	failed := make(chan error, 1)
	x.work.Go(func() { failed <- x.prepare(x.ctx, begin) })
	select {
	case err := <-failed:
		return err
	case <-x.ready:
	}
	if err := x.wait(x.ctx); err != nil {
		return <-failed
	}
	return nil
}

// commands are the words with which a line may begin, and what they do.
var commands = []struct{ word, args, means string }{
	{"do", "STEP", "take a step: its number in the list, its name, or an action that has one possible step"},
	{"state", "[VARIABLE]", "print the state, or a variable"},
	{"steps", "[ACTION]", "list the steps that are possible, with what they change"},
	{"why not", "ACTION", "say what refuses an action, or one step"},
	{"find", "FORMULA | action STEP | violation", "search from here; the way found is taken"},
	{"back", "[N]", "undo a step, or N"},
	{"forward", "[N]", "take undone steps again"},
	{"jump", "N", "go to the state after step N of the path; 0 is the initial state"},
	{"init", "N", "begin in the initial state N, from 0"},
	{"path", "", "print the steps of the path"},
	{"tree", "", "print the ends of all paths that were visited"},
	{"diagram", "", "print the path as a sequence diagram (Mermaid)"},
	{"beside", "", "compare with the composition of -beside"},
	{"expect", "FORMULA | violates PROPERTY", "fail unless the formula is true, or the property is violated here"},
	{"save", "", "write the path as a trace, and print how walks begin there"},
	{"test", "", "print a Go test that takes the path"},
	{"help", "", "list these words"},
	{"quit", "", "end"},
}

// line answers one line.
func (t *talk) line(ctx context.Context, text string) error {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "do", "d":
		return t.do(rest)
	case "state", "s":
		return t.state(rest)
	case "steps", "l":
		t.steps(rest)
		return nil
	case "why":
		return t.whyNot(ctx, strings.TrimSpace(strings.TrimPrefix(rest, "not ")))
	case "find":
		return t.findHere(ctx, rest)
	case "back", "u":
		return t.back(rest)
	case "forward":
		return t.again(rest)
	case "jump":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 0 || n > len(t.here.Path) {
			return fmt.Errorf("the path has %d steps: jump to a number from 0 to %d", len(t.here.Path), len(t.here.Path))
		}
		return t.back(strconv.Itoa(len(t.here.Path) - n))
	case "init":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 0 || n >= t.v.Inits {
			return fmt.Errorf("the composition has %s, counted from 0", words.Plural(int64(t.v.Inits), "initial state"))
		}
		t.forward = nil
		return t.visit(place{n, []string{}})
	case "path":
		t.path()
		return nil
	case "tree":
		for _, p := range t.tree.ends() {
			fmt.Fprintf(t.out, "initial state %d, %s: %s\n", p.Init, words.Plural(int64(len(p.Path)), "step"), strings.Join(p.Path, "; "))
		}
		return nil
	case "diagram":
		return t.mermaid()
	case "beside":
		return t.besideHere(ctx)
	case "expect":
		return t.expect(rest)
	case "save":
		file, from, err := t.keep(t.here)
		if err == nil {
			fmt.Fprintf(t.out, "trace: %s\nmultigrain simulate %s %s\n", file, t.run.Manifest.Path, from)
		}
		return err
	case "test":
		io.WriteString(t.out, t.test(t.v))
		return nil
	case "help", "?":
		for _, c := range commands {
			fmt.Fprintf(t.out, "  %-44s %s\n", strings.TrimSpace(c.word+" "+c.args), c.means)
		}
		io.WriteString(t.out, "  any other line is a formula: its value is printed\n")
		return nil
	case "quit", "exit", "q":
		t.ended = true
		return nil
	}
	value, err := t.value(t.here, text)
	switch {
	case err == nil:
		fmt.Fprintln(t.out, value)
	case rest == "" && strings.HasSuffix(err.Error(), "is no variable of the state."):
		err = fmt.Errorf("%s, and no command: help lists the commands", strings.TrimSuffix(err.Error(), "."))
	}
	return err
}

// visit goes to a place and shows it.
func (t *talk) visit(p place) error {
	before := t.here
	t.here = p
	if err := t.show(); err != nil {
		t.here = before
		return err
	}
	return nil
}

// show asks for the place and prints what the last step changed and what can follow.
func (t *talk) show() error {
	v, err := t.lookAt(t.here)
	if err != nil {
		return err
	}
	t.v = v
	if v.Halted != nil {
		fmt.Fprintf(t.out, "step %d, %s, is not possible any more: the path ends before it\n", v.Halted.Step, v.Halted.Call)
		t.here.Path = t.here.Path[:v.Taken]
	}
	if n := len(v.Trail); n == 0 {
		fmt.Fprintf(t.out, "initial state %d of %d\n", v.Init, v.Inits)
	} else {
		s := &v.Trail[n-1]
		fmt.Fprintf(t.out, "%d  %s  %s\n", n, s.Call, s.Module)
		for k := range s.Changes {
			fmt.Fprintf(t.out, "     %s\n", s.Changes[k].text())
		}
	}
	for _, n := range v.Notes {
		fmt.Fprintf(t.out, "  ! %s\n", n.Text)
	}
	fmt.Fprintf(t.out, "%s possible\n", words.Plural(int64(len(v.Steps)), "step"))
	return nil
}

// do takes a step.
func (t *talk) do(what string) error {
	call, err := t.chosen(what)
	if err != nil {
		return err
	}
	if len(t.forward) > 0 && t.forward[len(t.forward)-1] == call {
		t.forward = t.forward[:len(t.forward)-1]
	} else {
		t.forward = nil
	}
	return t.visit(place{t.here.Init, append(slices.Clone(t.here.Path), call)})
}

// chosen finds the possible step that a text names.
func (t *talk) chosen(what string) (string, error) {
	if n, err := strconv.Atoi(what); err == nil {
		if n < 1 || n > len(t.v.Steps) {
			return "", fmt.Errorf("there is no step %d: %d are possible, and steps lists them", n, len(t.v.Steps))
		}
		return t.v.Steps[n-1].Call, nil
	}
	var of []string
	for k := range t.v.Steps {
		if t.v.Steps[k].Action == what {
			of = append(of, t.v.Steps[k].Call)
		}
	}
	switch {
	case len(of) == 1:
		return of[0], nil
	case len(of) > 1:
		return "", fmt.Errorf("%s has %d possible steps: name one of %s", what, len(of), strings.Join(of, ", "))
	}
	p := place{t.here.Init, append(slices.Clone(t.here.Path), what)}
	a, trace, err := t.at(p)
	if err != nil {
		return "", err
	}
	if a.Halted == nil {
		calls := callsOf(trace)
		return calls[len(calls)-1], nil
	}
	if a.Halted.Unknown && !slices.Contains(t.actions(a), what) {
		return "", fmt.Errorf("the composition has no step %s: steps lists those that are possible", what)
	}
	return "", t.refusedError(what)
}

// refusedError says what refuses a step.
func (t *talk) refusedError(call string) error {
	a, err := t.why(t.ctx, t.here, call)
	if err != nil {
		return fmt.Errorf("%s is not possible here, and the condition is not known: %w", call, err)
	}
	var all []string
	for k, r := range refusals(a) {
		if k == mostCases {
			break
		}
		all = append(all, strings.Join(r.Lines, "\n    "))
	}
	return errors.New(call + " is not possible here:\n    " + strings.Join(all, "\n    "))
}

func (t *talk) back(text string) error {
	n := 1
	if text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 0 {
			return fmt.Errorf("%q is no number of steps", text)
		}
	}
	if n > len(t.here.Path) {
		return fmt.Errorf("the path has %s", words.Plural(int64(len(t.here.Path)), "step"))
	}
	end := len(t.here.Path) - n
	for k := len(t.here.Path) - 1; k >= end; k-- {
		t.forward = append(t.forward, t.here.Path[k])
	}
	return t.visit(place{t.here.Init, slices.Clone(t.here.Path[:end])})
}

func (t *talk) again(text string) error {
	n := 1
	if text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 0 {
			return fmt.Errorf("%q is no number of steps", text)
		}
	}
	if n > len(t.forward) {
		return fmt.Errorf("back took %s away", words.Plural(int64(len(t.forward)), "step"))
	}
	for ; n > 0; n-- {
		if err := t.do(t.forward[len(t.forward)-1]); err != nil {
			return err
		}
	}
	return nil
}

// findHere searches from here, and goes to what is found.
func (t *talk) findHere(ctx context.Context, what string) error {
	var g goal
	switch rest, isAction := strings.CutPrefix(what, "action "); {
	case what == "" || what == "action":
		return errors.New("say what to find: a formula, action STEP, or violation")
	case isAction:
		g.Action = strings.TrimSpace(rest)
	case what != "violation":
		g.Formula = what
	}
	f, err := t.searching(ctx, g)
	switch {
	case err != nil:
		return err
	case !f.Found && f.Whole:
		return fmt.Errorf("there is none: %s from here on were all explored", words.Plural(f.Distinct, "state"))
	case !f.Found:
		return fmt.Errorf("none was found in %s: %s", words.Plural(f.Distinct, "state"), f.Reason)
	}
	fmt.Fprintf(t.out, "found after %s, of %s explored\n", words.Plural(int64(len(f.Path)-len(t.here.Path)), "step"), words.Plural(f.Distinct, "state"))
	for k, call := range f.Path[len(t.here.Path):] {
		fmt.Fprintf(t.out, "  %d  %s\n", len(t.here.Path)+k+1, call)
	}
	t.forward = nil
	return t.visit(place{t.here.Init, f.Path})
}

// expect fails unless the state is as a script expects.
func (t *talk) expect(what string) error {
	if name, ok := strings.CutPrefix(what, "violates "); ok {
		if !slices.Contains(t.v.broken(), strings.TrimSpace(name)) {
			return fmt.Errorf("this state and the step to it do not violate %s", name)
		}
		return nil
	}
	value, err := t.value(t.here, what)
	if err == nil && value != "true" {
		err = fmt.Errorf("it is %s, not true", value)
	}
	return err
}
