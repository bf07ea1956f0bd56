package configs

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/multigrain/multigrain/configs/internal/extent"
	"github.com/multigrain/multigrain/configs/internal/functions"
)

// scope holds the values to which expressions can refer.
type scope struct {
	variables map[string]*Variable
	locals    map[string]*local
	functions map[string]function.Function
	work      work
}

// local is a named expression. Its value is unknown until it is done, and
// stays so if it cannot be evaluated.
type local struct {
	attr  *hclsyntax.Attribute
	state localState
	value cty.Value
}

type localState int

const (
	pending localState = iota
	active             // being evaluated: who needs it now is part of a cycle
	done
)

func newScope() *scope {
	return &scope{
		variables: make(map[string]*Variable),
		locals:    make(map[string]*local),
		functions: functions.All(),
	}
}

// locals declares and evaluates the locals.
func (d *decoder) locals(b *block) {
	if b == nil {
		return
	}
	for name, attr := range b.attrs {
		d.scope.locals[name] = &local{attr: attr, value: cty.DynamicVal}
	}
	for _, name := range b.names {
		d.report(d.scope.resolve(name, nil)...)
	}
}

// resolve evaluates a local and all those it depends on. path names the locals
// that are being evaluated, the one that needs this one last.
func (s *scope) resolve(name string, path []string) hcl.Diagnostics {
	l := s.locals[name]
	switch l.state {
	case done:
		return nil
	case active:
		return hcl.Diagnostics{s.cycle(name, path)}
	}
	l.state = active
	defer func() { l.state = done }()
	path = append(path, name)
	refs, diags := s.references(l.attr.Expr)
	for _, ref := range refs {
		if ref.root == "local" {
			diags = append(diags, s.resolve(ref.name, path)...)
		}
	}
	if diags.HasErrors() {
		return diags
	}
	var more hcl.Diagnostics
	l.value, more = s.evaluate(l.attr.Expr, refs)
	return more
}

// cycle reports that evaluating the locals of path leads back to name.
func (s *scope) cycle(name string, path []string) *hcl.Diagnostic {
	path = path[slices.Index(path, name):]
	chain := "local." + strings.Join(append(slices.Clone(path), name), " -> local.")
	first := s.locals[path[0]].attr
	d := WithContext(Errorf(CodeLocalCycle, "Local depends on itself", first.NameRange,
		"The value of local.%s cannot be computed before itself: %s. Break the circle at one of them.",
		name, chain), first.SrcRange)
	for _, other := range path[1:] {
		WithRelated(d, s.locals[other].attr.NameRange, "local.%s takes part", other)
	}
	return d
}

// reference is an expression's use of a variable or a local.
type reference struct {
	root, name string
}

// references returns what expr refers to and reports what does not exist.
func (s *scope) references(expr hcl.Expression) ([]reference, hcl.Diagnostics) {
	var refs []reference
	var diags hcl.Diagnostics
	for _, tr := range expr.Variables() {
		root := tr.RootName()
		if root != "var" && root != "local" {
			diags = diags.Append(s.unknownRoot(root, tr.SourceRange()))
			continue
		}
		name, ok := secondName(tr)
		if !ok {
			diags = diags.Append(Errorf(CodeUnknownReference, "Incomplete reference", tr.SourceRange(),
				"%s must be followed by a dot and a plain name, as in %s.servers.", root, root))
			continue
		}
		if d := s.undeclared(root, name, tr.SourceRange()); d != nil {
			diags = diags.Append(d)
			continue
		}
		refs = append(refs, reference{root, name})
	}
	return refs, diags
}

// undeclared returns the diagnostic of a reference to what does not exist; nil if it exists.
func (s *scope) undeclared(root, name string, at hcl.Range) *hcl.Diagnostic {
	var kind string
	var known iter.Seq[string]
	if root == "var" {
		if s.variables[name] != nil {
			return nil
		}
		kind, known = "variable", maps.Keys(s.variables)
	} else {
		if s.locals[name] != nil {
			return nil
		}
		kind, known = "local value", maps.Keys(s.locals)
	}
	hint := ""
	if len(s.variables)+len(s.locals) <= mostHinted {
		hint = Hint(name, slices.Sorted(known))
	}
	return Errorf(CodeUnknownReference, "Unknown "+kind, at,
		"No %s %q is declared in this manifest or one that it extends.%s", kind, name, hint)
}

// mostHinted is the largest number of names among which a similar one is looked for. The search
// takes time in proportion to them for each unknown name.
const mostHinted = 500

// unknownRoot reports a bare word.
func (s *scope) unknownRoot(root string, at hcl.Range) *hcl.Diagnostic {
	remedy := fmt.Sprintf("If it is meant as text, write it in quotes: %q.", root)
	if s.variables[root] != nil {
		remedy = fmt.Sprintf("Did you mean var.%s?", root)
	} else if s.locals[root] != nil {
		remedy = fmt.Sprintf("Did you mean local.%s?", root)
	} else if name := Suggest(root, []string{"var", "local"}); name != "" {
		remedy = fmt.Sprintf("Did you mean %q?", name)
	}
	return Errorf(CodeUnknownReference, "Unknown reference", at,
		"Expressions can refer to var.NAME and local.NAME only, not to %q. %s", root, remedy)
}

// secondName returns the name after the first dot of a reference.
func secondName(tr hcl.Traversal) (string, bool) {
	if len(tr) < 2 {
		return "", false
	}
	switch step := tr[1].(type) {
	case hcl.TraverseAttr:
		return step.Name, true
	case hcl.TraverseIndex:
		if step.Key.Type() == cty.String && step.Key.IsKnown() && !step.Key.IsNull() {
			return step.Key.AsString(), true
		}
	}
	return "", false
}

// eval checks the references of expr and evaluates it. The value is unknown if
// there are errors, here or in what expr refers to.
func (s *scope) eval(expr hcl.Expression) (cty.Value, hcl.Diagnostics) {
	refs, diags := s.references(expr)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	return s.evaluate(expr, refs)
}

// evaluate computes expr, whose references are refs.
func (s *scope) evaluate(expr hcl.Expression, refs []reference) (cty.Value, hcl.Diagnostics) {
	vars := map[string]map[string]cty.Value{"var": {}, "local": {}}
	for _, ref := range refs {
		var value cty.Value
		if ref.root == "var" {
			value = s.variables[ref.name].Value
		} else {
			value = s.locals[ref.name].value
		}
		if !value.IsWhollyKnown() {
			return cty.DynamicVal, nil
		}
		vars[ref.root][ref.name] = value
	}
	if d := s.work.evaluate(expr, vars); d != nil {
		return cty.DynamicVal, hcl.Diagnostics{d}
	}
	ctx := &hcl.EvalContext{Functions: s.functions, Variables: map[string]cty.Value{
		"var": cty.ObjectVal(vars["var"]), "local": cty.ObjectVal(vars["local"]),
	}}
	value, diags := expr.Value(ctx)
	if diags.HasErrors() {
		return cty.DynamicVal, WithCode(CodeEvaluation, diags)
	}
	return value, WithCode(CodeEvaluation, diags)
}

// Limits of the work for one manifest. An evaluation cannot be stopped once it began, so the work
// is bounded before it is done.
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

// evaluate counts the evaluation of an expression. It returns the diagnostic of one that must not
// be evaluated: its own value is too large, or all expressions together take too long.
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

// origins says where the variables that expr refers to have their values from.
func (s *scope) origins(expr hcl.Expression) []Related {
	var origins []Related
	refs, _ := s.references(expr) // reported when expr was evaluated
	for i, ref := range refs {
		if ref.root != "var" || slices.Contains(refs[:i], ref) {
			continue
		}
		if v := s.variables[ref.name]; v.ValueRange != (hcl.Range{}) {
			origins = append(origins, Related{At: v.ValueRange, Message: "var." + v.Name + " has its value from here"})
		}
	}
	return origins
}
