package configs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// FormulaExpr is a node of a formula, as package checker/internal/trace reads it:
// checker/internal/trace.Expr says what Op may be.
type FormulaExpr struct {
	Op    string         `json:"op"`
	Name  string         `json:"name,omitempty"`
	Value any            `json:"value,omitempty"`
	Args  []*FormulaExpr `json:"args,omitempty"`
}

// Names adds all names that a formula uses, of variables and others.
func (f *Formula) Names(to map[string]bool) {
	var add func(x *FormulaExpr)
	add = func(x *FormulaExpr) {
		to[x.Name] = true
		for _, a := range x.Args {
			add(a)
		}
	}
	add(f.Expr)
}

// formulas translates expressions that are evaluated later. The names var and local have their
// values now, names of the let block stand for the expressions there, and all other names are left
// to the program.
type formulas struct {
	*decoder
	sources map[string]*hcl.File
	trace   *Trace
	let     *block
	open    []string // names of let that are being expanded
}

// checkLet translates every name of the let block once, so that mistakes in unused ones are found
// too.
func (f *formulas) checkLet() {
	if f.let == nil {
		return
	}
	for _, name := range f.let.names {
		f.open = []string{name}
		f.expr(f.let.attrs[name].Expr)
		f.open = nil
	}
}

// one returns the formula of an attribute, nil if it is not written or wrong.
func (f *formulas) one(b *block, name string) *Formula {
	attr := b.attrs[name]
	if attr == nil {
		return nil
	}
	return f.formula(attr.Expr)
}

func (f *formulas) formula(e hcl.Expression) *Formula {
	x := f.expr(e)
	if x == nil {
		return nil
	}
	out := &Formula{ID: len(f.trace.Formulas), Text: f.text(e.Range()), Range: e.Range(), Expr: x}
	f.trace.Formulas = append(f.trace.Formulas, out)
	return out
}

// text returns how an expression is written, in one line.
func (f *formulas) text(r hcl.Range) string {
	file := f.sources[r.Filename]
	if file == nil || !r.CanSliceBytes(file.Bytes) {
		return ""
	}
	return strings.Join(strings.Fields(string(r.SliceBytes(file.Bytes))), " ")
}

// list returns a list of conditions. A conjunction counts as its conjuncts, also after a name of
// the let block.
func (f *formulas) list(b *block, name string) (out []*Formula) {
	attr := b.attrs[name]
	if attr == nil {
		return nil
	}
	tuple, ok := attr.Expr.(*hclsyntax.TupleConsExpr)
	if !ok {
		f.report(Errorf(CodeWrongType, "Not a list of conditions", attr.Expr.Range(), "%q of %s is a list: write [condition, ...].", name, b))
		return nil
	}
	for _, e := range tuple.Exprs {
		for _, c := range f.conjuncts(e, 0) {
			if x := f.formula(c); x != nil {
				out = append(out, x)
			}
		}
	}
	return out
}

// maxLet bounds how deep names of the let block may refer to each other.
const maxLet = 20

func (f *formulas) conjuncts(e hclsyntax.Expression, depth int) []hclsyntax.Expression {
	if f.exhausted(e.Range()) {
		return nil
	}
	switch x := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return f.conjuncts(x.Expression, depth)
	case *hclsyntax.BinaryOpExpr:
		if x.Op == hclsyntax.OpLogicalAnd {
			return slices.Concat(f.conjuncts(x.LHS, depth), f.conjuncts(x.RHS, depth))
		}
	case *hclsyntax.ScopeTraversalExpr:
		if f.let != nil && len(x.Traversal) == 1 && depth < maxLet {
			if attr := f.let.attrs[x.Traversal.RootName()]; attr != nil {
				return f.conjuncts(attr.Expr, depth+1)
			}
		}
	}
	return []hclsyntax.Expression{e}
}

// exhausted counts a node of a formula, and reports whether there are too many of them. Names of
// let that are made of each other stand for more nodes than any machine has room for.
func (f *formulas) exhausted(at hcl.Range) bool {
	if !f.scope.work.node() {
		return false
	}
	if f.scope.work.nodes == mostNodes+1 {
		f.report(Errorf(CodeEvaluation, "Formula too long", at,
			"The formulas of this manifest have more than %d parts, if names of the let block and lists of values are replaced by what "+
				"they stand for. Use fewer of them.", mostNodes))
	}
	return true
}

// fields returns the bindings of an object.
func (f *formulas) fields(b *block, name string) (out []FieldFormula) {
	attr := b.attrs[name]
	if attr == nil {
		return nil
	}
	object, ok := attr.Expr.(*hclsyntax.ObjectConsExpr)
	if !ok {
		f.report(Errorf(CodeWrongType, "Not an object", attr.Expr.Range(), "%q of %s binds fields of parameters: write { I = ..., J = ... }.", name, b))
		return nil
	}
	for _, item := range object.Items {
		key := hcl.ExprAsKeyword(item.KeyExpr)
		if key == "" {
			f.report(Errorf(CodeWrongType, "Not a field", item.KeyExpr.Range(), "A field of a parameter is a plain name."))
			continue
		}
		if v := f.formula(item.ValueExpr); v != nil {
			out = append(out, FieldFormula{key, item.KeyExpr.Range(), v})
		}
	}
	return out
}

var binaryOps = map[*hclsyntax.Operation]string{
	hclsyntax.OpEqual: "==", hclsyntax.OpNotEqual: "!=", hclsyntax.OpLessThan: "<", hclsyntax.OpLessThanOrEqual: "<=",
	hclsyntax.OpGreaterThan: ">", hclsyntax.OpGreaterThanOrEqual: ">=", hclsyntax.OpAdd: "+", hclsyntax.OpSubtract: "-",
	hclsyntax.OpMultiply: "*", hclsyntax.OpDivide: "/", hclsyntax.OpModulo: "%", hclsyntax.OpLogicalAnd: "&&", hclsyntax.OpLogicalOr: "||",
}

// expr translates an expression; nil if that is impossible, which is reported.
func (f *formulas) expr(e hcl.Expression) *FormulaExpr {
	if f.exhausted(e.Range()) {
		return nil
	}
	switch x := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return f.expr(x.Expression)
	case *hclsyntax.LiteralValueExpr:
		return f.literal(x.Val, x.Range())
	case *hclsyntax.TemplateWrapExpr:
		return f.expr(x.Wrapped)
	case *hclsyntax.TemplateExpr:
		if len(x.Parts) == 1 && x.IsStringLiteral() {
			return f.expr(x.Parts[0])
		}
		return f.node("template", "", exprs(x.Parts)...)
	case *hclsyntax.BinaryOpExpr:
		return f.node(binaryOps[x.Op], "", x.LHS, x.RHS)
	case *hclsyntax.UnaryOpExpr:
		if x.Op == hclsyntax.OpLogicalNot {
			return f.node("!", "", x.Val)
		}
		return f.node("neg", "", x.Val)
	case *hclsyntax.ConditionalExpr:
		return f.node("choose", "", x.Condition, x.TrueResult, x.FalseResult)
	case *hclsyntax.TupleConsExpr:
		return f.node("list", "", exprs(x.Exprs)...)
	case *hclsyntax.FunctionCallExpr:
		return f.node("call", x.Name, exprs(x.Args)...)
	case *hclsyntax.IndexExpr:
		return f.node("index", "", x.Collection, x.Key)
	case *hclsyntax.RelativeTraversalExpr:
		return f.steps(f.expr(x.Source), x.Traversal)
	case *hclsyntax.ScopeTraversalExpr:
		return f.reference(x)
	case *hclsyntax.ForExpr:
		if x.KeyExpr == nil && x.KeyVar == "" {
			args := []hcl.Expression{x.CollExpr, x.ValExpr}
			if x.CondExpr != nil {
				args = append(args, x.CondExpr)
			}
			return f.node("for", x.ValVar, args...)
		}
	}
	f.report(Errorf(CodeEvaluation, "Not allowed in a formula", e.Range(),
		"A formula is made of literals, names, parts as in a.b and a[b], operators, conditions, lists, [for x in list : ...] and calls."))
	return nil
}

func exprs(list []hclsyntax.Expression) (out []hcl.Expression) {
	for _, e := range list {
		out = append(out, e)
	}
	return out
}

func (f *formulas) node(op, name string, args ...hcl.Expression) *FormulaExpr {
	x := &FormulaExpr{Op: op, Name: name}
	for _, a := range args {
		y := f.expr(a)
		if y == nil {
			return nil
		}
		x.Args = append(x.Args, y)
	}
	return x
}

func (f *formulas) literal(v cty.Value, at hcl.Range) *FormulaExpr {
	if f.exhausted(at) {
		return nil
	}
	x := &FormulaExpr{Op: "literal"}
	switch {
	case v.IsNull():
	case v.Type() == cty.Bool:
		x.Value = v.True()
	case v.Type() == cty.String:
		x.Value = v.AsString()
	case v.Type() == cty.Number:
		n, _ := v.AsBigFloat().Int64()
		if !v.AsBigFloat().IsInt() {
			f.report(Errorf(CodeBadNumber, "Not a whole number", at, "Formulas know whole numbers only."))
			return nil
		}
		x.Value = n
	default:
		list := &FormulaExpr{Op: "list"}
		if !v.CanIterateElements() || v.Type().IsObjectType() || v.Type().IsMapType() {
			f.report(Errorf(CodeWrongType, "Wrong type of value", at, "A formula knows texts, whole numbers, truth values and lists of them."))
			return nil
		}
		for _, e := range v.AsValueSlice() {
			y := f.literal(e, at)
			if y == nil {
				return nil
			}
			list.Args = append(list.Args, y)
		}
		return list
	}
	return x
}

// reference returns a name with its parts.
func (f *formulas) reference(x *hclsyntax.ScopeTraversalExpr) *FormulaExpr {
	root := x.Traversal.RootName()
	if root == "var" || root == "local" {
		v, diags := f.scope.eval(x)
		f.report(diags...)
		if !v.IsWhollyKnown() {
			return nil
		}
		return f.literal(v, x.Range())
	}
	if f.let != nil && f.let.attrs[root] != nil {
		if slices.Contains(f.open, root) {
			f.report(Errorf(CodeLocalCycle, "Name stands for itself", x.Range(), "%q of the let block is made of itself.", root))
			return nil
		}
		f.open = append(f.open, root)
		y := f.expr(f.let.attrs[root].Expr)
		f.open = f.open[:len(f.open)-1]
		return f.steps(y, x.Traversal[1:])
	}
	return f.steps(&FormulaExpr{Op: "name", Name: root}, x.Traversal[1:])
}

// steps appends the parts of a traversal.
func (f *formulas) steps(x *FormulaExpr, steps hcl.Traversal) *FormulaExpr {
	for _, s := range steps {
		if x == nil {
			return nil
		}
		switch s := s.(type) {
		case hcl.TraverseAttr:
			x = &FormulaExpr{Op: "field", Name: s.Name, Args: []*FormulaExpr{x}}
		case hcl.TraverseIndex:
			key := f.literal(s.Key, s.SrcRange)
			if key == nil {
				return nil
			}
			x = &FormulaExpr{Op: "index", Args: []*FormulaExpr{x, key}}
		}
	}
	return x
}

// ParseFormula reads a formula on a state that stands outside of a manifest, such as an argument of
// a command. The result is of type Formula of package checker/internal/trace. Names of variables of
// a manifest and of its locals are not known. An error is a sentence without its period.
func ParseFormula(text string) (json.RawMessage, error) {
	const name = "formula"
	var diags hcl.Diagnostics
	var e hclsyntax.Expression
	if d := unparsable(name, []byte(text)); d != nil {
		diags = append(diags, d)
	} else {
		e, diags = hclsyntax.ParseExpression([]byte(text), name, hcl.InitialPos)
	}
	if !diags.HasErrors() {
		f := &formulas{decoder: &decoder{scope: newScope()}, trace: &Trace{},
			sources: map[string]*hcl.File{name: {Bytes: []byte(text)}}}
		if x := f.formula(e); x != nil && !f.diags.HasErrors() {
			return json.Marshal(encodedOrNil(x))
		}
		diags = f.diags
	}
	return nil, fmt.Errorf("%s at column %d: %s", strings.TrimSuffix(diags[0].Summary, "."), column(diags[0]), strings.TrimSuffix(diags[0].Detail, "."))
}

// column returns where a diagnostic points at in a line, from 1.
func column(d *hcl.Diagnostic) int {
	if d.Subject == nil {
		return 1
	}
	return d.Subject.Start.Column
}
