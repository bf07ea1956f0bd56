package extent

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/configs/internal/functions"
)

// TestExtent: the bound of an expression is not below the size of its value, and not far above
// the size of what manifests do.
func TestExtent(t *testing.T) {
	t.Parallel()
	variables := map[string]map[string]cty.Value{"var": {
		"n": cty.NumberIntVal(3), "s": cty.StringVal("some text"), "empty": cty.ListValEmpty(cty.String),
		"list": cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal("bc"), cty.StringVal("def")}),
		"map":  cty.MapVal(map[string]cty.Value{"k": cty.StringVal("v"), "key": cty.StringVal("value")}),
		"deep": cty.TupleVal([]cty.Value{cty.TupleVal([]cty.Value{cty.Zero, cty.StringVal("x")}), cty.StringVal("longer than the others")}),
	}, "local": {}}
	ctx := &hcl.EvalContext{Functions: functions.All(), Variables: map[string]cty.Value{
		"var": cty.ObjectVal(variables["var"]), "local": cty.EmptyObjectVal,
	}}
	for _, text := range []string{
		`var.n * 2 + 1`, `-var.n`, `"${var.s} and ${var.s}"`, `"%{for x in var.list}${x}, %{endfor}"`, `[for x in var.list : "${x}-${var.n}"]`,
		`{for k, v in var.map : "${k}${k}" => [v, v]}`, `[for x in var.list : x if x != "a"]`, `[for x in var.deep : x]`, `var.deep[0][1]`, `var.list[*]`,
		`[for x in range(30) : [for y in range(30) : x * y]]`, `concat(var.list, var.list, ["z"])`, `merge(var.map, {a = "b"})`, `keys(var.map)`,
		`values(var.map)`, `flatten([var.list, [var.list]])`, `distinct(concat(var.list, var.list))`, `reverse(var.list)`, `sort(var.list)`,
		`slice(var.list, 0, 2)`, `split("", var.s)`, `join(", ", var.list)`, `replace(var.s, "", "xyz")`, `replace(var.s, "e", "")`, `upper(var.s)`,
		`format("%s %5d %q", var.s, var.n, var.s)`, `format("%[1]s%[1]s%[1]s", var.s)`, `formatlist("%s!", var.list)`, `tolist(var.deep[0])`, `length(var.list)`,
		`var.n > 2 ? var.s : "no"`, `coalesce(var.s, "x")`, `lookup(var.map, "k", "none")`, `try(var.list[9], "none")`, `can(var.list[9])`, `pow(2, 300)`,
		`tostring(pow(2, 300))`, `tonumber("12")`, `toset(var.list)`, `element(var.list, 7)`, `max(1, 2)`, `{a = 1, (var.s) = [1, 2]}`, `trimspace("  x ")`,
	} {
		expr, diags := hclsyntax.ParseExpression([]byte(text), "x", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatalf("%s: %v", text, diags)
		}
		v, diags := expr.Value(ctx)
		if diags.HasErrors() {
			t.Fatalf("%s: %v", text, diags)
		}
		b := bounds{variables, map[string]extent{}}
		bound, have := b.of(expr), ofValue(v)
		if strings.HasPrefix(text, "tostring(pow") {
			have.size = min(have.size, 1) // at most 310 digits, which the bound does not count
		}
		if bound.size < have.size && have.size > 20 {
			t.Errorf("%s: bound %+v, value %+v", text, bound, have)
		}
		if bound.size > 200_000 {
			t.Errorf("%s: bound %+v is far above the value's %+v", text, bound, have)
		}
	}
}
