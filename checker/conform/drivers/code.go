package drivers

import (
	"context"
	"errors"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
)

// codeVariable is the variable of a process with the folder of the code that it runs.
const codeVariable = "MULTIGRAIN_CODE="

// noted asks which of the lines of a change are code. A driver without coverage knows none, so
// nothing says that a line ran.
func (a *adapter[S]) noted(code *conform.Code) error {
	if !a.hello.Coverage || len(code.Lines) == 0 {
		return nil
	}
	cover, err := a.coverage(code)
	if err != nil {
		return err
	}
	a.places, a.conditions = cover.Code, cover.Conditions
	return nil
}

func (a *adapter[S]) coverage(code *conform.Code) (c Coverage, err error) {
	req := Request{Do: DoCoverage}
	for _, l := range code.Lines {
		req.Lines = append(req.Lines, Line{File: l.File, Line: l.Number, Removed: l.Removed})
	}
	err = a.ask(req, &c)
	return c, err
}

// Places are the changed lines that are code, and then the operands of conditions on them.
func (a *adapter[S]) Places() (out []checker.Point) {
	for _, l := range a.places {
		out = append(out, checker.Point{File: l.File, Line: l.Line, Kind: checker.PointLine})
	}
	for _, c := range a.conditions {
		out = append(out, checker.Point{File: c.File, Line: c.Line, Column: c.Column, Text: c.Text, Kind: checker.PointOperand})
	}
	return out
}

// Ran says what the places did since the start of the walk.
func (a *adapter[S]) Ran() []bool {
	out := make([]bool, 2*(len(a.places)+len(a.conditions)))
	if len(out) == 0 || a.process == nil {
		return out
	}
	cover, err := a.coverage(a.setup.Code)
	if err != nil {
		return out
	}
	for k, p := range a.places {
		out[2*k+1] = slices.Contains(cover.Ran, p)
	}
	if len(cover.Conditions) != len(a.conditions) {
		a.fail("answers coverage with %d conditions, and named %d before.", len(cover.Conditions), len(a.conditions))
		return out
	}
	for k, c := range cover.Conditions {
		at := 2 * (len(a.places) + k)
		out[at], out[at+1] = c.False, c.True
	}
	return out
}

// written asks a new process which changed lines do all as before. The error says why nothing is
// known of one of the others.
func (a *adapter[S]) written(_ context.Context, s conform.Sides) (*conform.Written, error) {
	if err := a.open(); err != nil {
		return nil, err
	}
	defer a.Stop()
	if !a.hello.Same {
		return nil, errors.New("the driver does not compare the code of both sides")
	}
	req := Request{Do: DoSame, Sides: &Sides{Before: s.Before, After: s.After}}
	for _, l := range s.Lines {
		req.Lines = append(req.Lines, Line{File: l.File, Line: l.Number, Removed: l.Gap, Before: l.Before})
	}
	var same Same
	if err := a.ask(req, &same); err != nil {
		return nil, err
	}
	out := &conform.Written{}
	for k, l := range s.Lines {
		if !slices.Contains(same.Lines, req.Lines[k]) {
			if same.Why == "" {
				same.Why = "the driver does not know what changed lines write"
			}
			return nil, errors.New(same.Why)
		}
		if !l.Before {
			out.Same = append(out.Same, l)
		}
	}
	return out, nil
}
