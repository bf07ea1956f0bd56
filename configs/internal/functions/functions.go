// Package functions holds the functions that the expressions of manifests can call.
package functions

import (
	"fmt"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// All returns the functions that expressions can call, by name. Names
// and meanings are those that users of other HCL tools know. All are functions
// of their arguments alone: a manifest means the same on every machine.
func All() map[string]function.Function {
	return map[string]function.Function{
		"abs":        stdlib.AbsoluteFunc,
		"can":        tryfunc.CanFunc,
		"ceil":       stdlib.CeilFunc,
		"coalesce":   stdlib.CoalesceFunc,
		"concat":     stdlib.ConcatFunc,
		"contains":   stdlib.ContainsFunc,
		"distinct":   stdlib.DistinctFunc,
		"element":    stdlib.ElementFunc,
		"flatten":    stdlib.FlattenFunc,
		"floor":      stdlib.FloorFunc,
		"format":     narrow(stdlib.FormatFunc),
		"formatlist": narrow(stdlib.FormatListFunc),
		"join":       stdlib.JoinFunc,
		"keys":       stdlib.KeysFunc,
		"length":     lengthFunc,
		"lookup":     stdlib.LookupFunc,
		"lower":      stdlib.LowerFunc,
		"max":        stdlib.MaxFunc,
		"merge":      stdlib.MergeFunc,
		"min":        stdlib.MinFunc,
		"pow":        stdlib.PowFunc,
		"range":      stdlib.RangeFunc,
		"replace":    stdlib.ReplaceFunc,
		"reverse":    stdlib.ReverseListFunc,
		"slice":      stdlib.SliceFunc,
		"sort":       stdlib.SortFunc,
		"split":      stdlib.SplitFunc,
		"tobool":     stdlib.MakeToFunc(cty.Bool),
		"tolist":     stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)),
		"tomap":      stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
		"tonumber":   toNumber,
		"toset":      stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)),
		"tostring":   stdlib.MakeToFunc(cty.String),
		"trimspace":  stdlib.TrimSpaceFunc,
		"try":        tryfunc.TryFunc,
		"upper":      stdlib.UpperFunc,
		"values":     stdlib.ValuesFunc,
	}
}

// lengthFunc counts the elements of a collection or the characters of a text.
var lengthFunc = function.New(&function.Spec{
	Description: "Returns the number of elements of a collection, or of characters of a text.",
	Params:      []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType}},
	Type:        function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		switch v := args[0]; {
		case v.Type() == cty.String:
			return cty.NumberIntVal(int64(utf8.RuneCountInString(v.AsString()))), nil
		case v.Type().IsObjectType():
			return cty.NumberIntVal(int64(len(v.Type().AttributeTypes()))), nil
		case v.CanIterateElements():
			return cty.NumberIntVal(int64(v.LengthInt())), nil
		default:
			return cty.NilVal, fmt.Errorf("a collection or a text has a length, and this is a %s", v.Type().FriendlyName())
		}
	},
})
