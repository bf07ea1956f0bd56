package configs

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/configs/extent"
)

// Limits of the work for one manifest. An evaluation cannot be stopped once it began, so the work is
// bounded before it is done.
const (
	// mostSteps bounds the sum of the extents of all expressions that are evaluated. Shipped
	// manifests need fewer than 10,000.
	mostSteps = extent.Most
	// mostNodes bounds the nodes of all formulas, after names of let are replaced by what they
	// stand for.
	mostNodes = 100_000
)

// work counts what the evaluation of one manifest takes.
type work struct {
	steps float64 // extents of the expressions that were evaluated
	nodes int     // nodes of formulas
}

// evaluate counts the evaluation of an expression. It returns the diagnostic of one that must not be
// evaluated: its own value is too large, or all expressions together take too long.
func (w *work) evaluate(expr hcl.Expression, variables map[string]map[string]cty.Value) *hcl.Diagnostic {
	size := extent.Of(expr, variables)
	if size > extent.Most {
		return Errorf(CodeEvaluation, "Value too large", expr.Range(),
			"The value could have %.0g characters and elements, and %d are evaluated at most. Repeat less, or write what is needed.", size, extent.Most)
	}
	w.steps += size
	if w.steps > mostSteps {
		return Errorf(CodeEvaluation, "Evaluation too long", expr.Range(),
			"The expressions up to this one could make %d characters and elements, and more are not evaluated for one manifest. "+
				"Refer to large values in fewer places, or write what is needed.", mostSteps)
	}
	return nil
}

// node counts a node of a formula. It reports whether there are too many.
func (w *work) node() bool {
	w.nodes++
	return w.nodes > mostNodes
}
