// Package extent bounds the size of values before they are computed.
//
// A manifest is small, and what its expressions make can be large. Forty locals that each repeat
// the one before make a terabyte, and so does a loop over a loop over a loop. An evaluation
// cannot be stopped once it began. So package configs bounds the size of a value before it
// computes the value. The bound follows from the sizes of the values that the expression refers
// to:
//
//	"${local.a}${local.a}"                twice the size of local.a
//	[for x in local.list : f(x)]          the elements of the list times the size of the body
//	replace(local.a, "", local.b)         the product of both
//
// The bound covers the steps of the evaluation too. It may be too high, but never too low.
package extent

import (
	"math"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// What it computes. An upper bound of the size of an expression's value and of the steps of its
// evaluation, without evaluating it.
//
// Why it is right. Each form of an expression has a bound that follows from the bounds of its
// parts: a sum for lists and texts, a product for loops and splats. Functions have bounds of their
// own. A variable has the size of its value, which is known. By induction the bound is never too
// low. It may be too high.
//
// What it costs. One pass over the syntax, with a few numbers for each node.
//
// Example. With local.a of 10 characters and local.list of 5 elements:
//
//	"${local.a}${local.a}"              20 and a bit
//	[for x in local.list : local.a]     5 times (10 and a bit)
//	[for x in local.list : [for y in local.list : local.a]]     5 times 5 times 10: a product

// Most is the largest bound that is evaluated. A value of that size takes about 200 MiB.
const Most = 4 << 20

// digits is the size of a number without a large exponent.
const digits = 20

// extent bounds a value: its size in characters and elements at all depths, the number of its own
// elements, and the size of one of them.
type extent struct{ size, count, elem float64 }

// whole returns the extent of a value whose size alone is known.
func whole(size float64) extent { return extent{size, size, size} }

// plus returns the extent of a value that holds the elements of both.
func (x extent) plus(y extent) extent {
	return extent{x.size + y.size, x.count + y.count, max(x.elem, y.elem)}
}

// pairs is the number of comparisons of two types that take as long as one step.
const pairs = 128

// converted adds the steps of a conversion to a list, for which the types of any two elements are
// compared.
func (x extent) converted() extent {
	x.size += x.count * x.count / pairs
	return x
}

// bounds computes extents. Names are those that loops bind.
type bounds struct {
	variables map[string]map[string]cty.Value // var and local
	names     map[string]extent
}

// Of returns an upper bound of the size of the value of an expression: its characters and elements
// at all depths, and the steps of the evaluation. The variables are those of var and local, by
// namespace and name. An expression that is not of HCL's native syntax has the bound 0.
func Of(expr hcl.Expression, variables map[string]map[string]cty.Value) float64 {
	e, ok := expr.(hclsyntax.Expression)
	if !ok {
		return 0
	}
	b := bounds{variables, map[string]extent{}}
	return b.of(e).size
}

// of bounds an expression.
func (b *bounds) of(e hclsyntax.Expression) extent {
	switch e := e.(type) {
	case nil:
		return extent{}
	case *hclsyntax.LiteralValueExpr:
		return ofValue(e.Val)
	case *hclsyntax.ScopeTraversalExpr:
		return b.reference(e.Traversal)
	case *hclsyntax.FunctionCallExpr:
		return b.call(e)
	case *hclsyntax.ForExpr:
		return b.loop(e)
	case *hclsyntax.SplatExpr:
		source := b.of(e.Source)
		each := b.of(e.Each)
		return extent{source.size + source.count*(1+each.size+source.elem), source.count, source.elem + each.elem}
	case *hclsyntax.TupleConsExpr:
		x := extent{size: 1, count: float64(len(e.Exprs))}
		for _, part := range e.Exprs {
			y := b.of(part)
			x.size, x.elem = x.size+y.size, max(x.elem, y.size)
		}
		return x.converted()
	case *hclsyntax.ObjectConsExpr:
		x := extent{size: 1, count: float64(len(e.Items))}
		for _, item := range e.Items {
			y := b.of(item.KeyExpr).size + b.of(item.ValueExpr).size
			x.size, x.elem = x.size+y, max(x.elem, y)
		}
		return x
	case *hclsyntax.ParenthesesExpr:
		return b.of(e.Expression)
	case *hclsyntax.TemplateWrapExpr:
		return b.of(e.Wrapped)
	}
	return whole(1 + b.parts(e))
}

// parts adds the sizes of the expressions directly below another.
func (b *bounds) parts(e hclsyntax.Expression) (size float64) {
	switch e := e.(type) {
	case *hclsyntax.TemplateExpr:
		for _, part := range e.Parts {
			size += b.of(part).size
		}
	case *hclsyntax.TemplateJoinExpr:
		size = b.of(e.Tuple).size
	case *hclsyntax.ConditionalExpr:
		size = b.of(e.Condition).size + b.of(e.TrueResult).size + b.of(e.FalseResult).size
	case *hclsyntax.BinaryOpExpr:
		size = b.of(e.LHS).size + b.of(e.RHS).size
		if e.Op.Type == cty.Number {
			size += composed(e.LHS) + composed(e.RHS)
		}
	case *hclsyntax.UnaryOpExpr:
		size = b.of(e.Val).size + composed(e.Val)
	case *hclsyntax.IndexExpr:
		size = b.of(e.Collection).size + b.of(e.Key).size
	case *hclsyntax.RelativeTraversalExpr:
		size = b.of(e.Source).size
	case *hclsyntax.ObjectConsKeyExpr:
		size = 1
		if inner, ok := e.Wrapped.(*hclsyntax.ScopeTraversalExpr); !ok || e.ForceNonLiteral {
			size = b.of(e.Wrapped).size
		} else {
			size = float64(len(inner.Traversal.RootName()))
		}
	}
	return size
}

// composed is infinite for a text that is put together from parts and used as a number: it could
// be a number with a large exponent.
func composed(e hclsyntax.Expression) float64 {
	if t, ok := e.(*hclsyntax.TemplateExpr); ok && len(t.Parts) > 1 {
		for _, part := range t.Parts {
			if lit, ok := part.(*hclsyntax.LiteralValueExpr); ok && lit.Val.Type() == cty.String && strings.ContainsAny(lit.Val.AsString(), "eE") {
				return math.Inf(1)
			}
		}
	}
	return 0
}

// exponent is a text that HCL converts to a number with a large exponent.
var exponent = regexp.MustCompile(`^\s*[-+]?[0-9.]+[eE][-+]?[0-9]{4,}\s*$`)

// reference bounds a variable, a local, or a name that a loop binds.
func (b *bounds) reference(tr hcl.Traversal) extent {
	if x, ok := b.names[tr.RootName()]; ok {
		return x
	}
	if name, ok := secondName(tr); ok {
		if v, ok := b.variables[tr.RootName()][name]; ok {
			if at, diags := hcl.Traversal(tr[2:]).TraverseRel(v); !diags.HasErrors() {
				return ofValue(at)
			}
			return ofValue(v)
		}
	}
	return extent{size: 1}
}

// loop bounds a for expression.
func (b *bounds) loop(e *hclsyntax.ForExpr) extent {
	source := b.of(e.CollExpr)
	inner := bounds{b.variables, map[string]extent{}}
	for name, x := range b.names {
		inner.names[name] = x
	}
	if e.KeyVar != "" {
		inner.names[e.KeyVar] = whole(source.elem + digits)
	}
	inner.names[e.ValVar] = whole(source.elem)
	body := inner.of(e.KeyExpr).size + inner.of(e.ValExpr).size
	steps := 1 + body + inner.of(e.CondExpr).size
	return extent{source.size + source.count*steps, source.count, body}.converted()
}

// call bounds a function call. Functions that repeat an argument are those that multiply.
func (b *bounds) call(e *hclsyntax.FunctionCallExpr) extent {
	var all extent
	sizes := make([]float64, 3)
	for k, arg := range e.Args {
		x := b.of(arg)
		all = all.plus(x)
		if k < len(sizes) {
			sizes[k] = x.size
		}
	}
	switch e.Name {
	case "range":
		n := b.turns(e.Args)
		return extent{1 + all.size + n*digits, n, digits}
	case "split":
		return whole(3 * (1 + all.size))
	case "pow":
		return extent{size: all.size + 310} // digits of a float64
	case "replace":
		return whole(1 + all.size + (sizes[0]+1)*(sizes[2]+1))
	case "join":
		return whole(1 + all.size + (sizes[0]+1)*(all.size-sizes[0]))
	case "format":
		return whole(1 + all.size + sizes[0]*(1+all.size-sizes[0]))
	case "formatlist":
		each := sizes[0] * (1 + all.elem)
		return extent{1 + all.size + all.count*each, all.count, each}
	case "concat", "tolist", "toset", "tomap", "distinct", "reverse", "sort", "slice", "values", "merge":
		return extent{1 + all.size, all.count, max(all.elem, 1)}
	case "length", "abs", "ceil", "floor", "max", "min", "contains", "can", "tobool":
		return extent{size: 1 + all.size}
	}
	return whole(1 + all.size)
}

// turns bounds the number of elements that the function range makes.
func (b *bounds) turns(args []hclsyntax.Expression) float64 {
	const most = 1024 // which the function does not exceed
	if len(args) == 0 || len(args) > 2 {
		return most
	}
	var v cty.Value
	switch e := args[len(args)-1].(type) {
	case *hclsyntax.LiteralValueExpr:
		v = e.Val
	case *hclsyntax.ScopeTraversalExpr:
		if name, ok := secondName(e.Traversal); ok && len(e.Traversal) == 2 {
			v = b.variables[e.Traversal.RootName()][name]
		}
	}
	if v == cty.NilVal || !v.IsKnown() || v.IsNull() || v.Type() != cty.Number || len(args) == 2 {
		return most
	}
	n, _ := v.AsBigFloat().Float64()
	return min(most, math.Abs(n)+1)
}

// ofValue measures a value. Values of manifests have no marks.
func ofValue(v cty.Value) extent {
	switch {
	case !v.IsKnown() || v.IsNull():
		return extent{size: 1}
	case v.Type() == cty.String && exponent.MatchString(v.AsString()):
		return whole(math.Inf(1))
	case v.Type() == cty.String:
		return whole(1 + float64(len(v.AsString())))
	case v.Type() == cty.Number:
		if exp := v.AsBigFloat().MantExp(nil); math.Abs(float64(exp)) > 64 {
			return extent{size: 1 + math.Abs(float64(exp))*math.Log10(2)}
		}
		return extent{size: digits}
	case !v.CanIterateElements():
		return extent{size: 1}
	}
	x := extent{size: 1}
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		y := ofValue(elem).size
		if t := v.Type(); t.IsMapType() || t.IsObjectType() {
			y += ofValue(key).size
		}
		x = extent{x.size + y, x.count + 1, max(x.elem, y)}
	}
	return x
}

// secondName returns the name after the first dot of a reference.
func secondName(tr hcl.Traversal) (string, bool) {
	if len(tr) < 2 {
		return "", false
	}
	step, ok := tr[1].(hcl.TraverseAttr)
	return step.Name, ok
}
