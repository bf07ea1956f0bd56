package functions

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// A few characters can stand for a value that no machine has room for: a width in the format of a
// text, and the exponent of a number. Both are refused before the value is made.

// Limits of a width and a precision in formats, and of the exponent of a number, in digits.
const (
	maxWidthDigits = 3
	maxExponent    = 4096 // binary
)

var wide = regexp.MustCompile(fmt.Sprintf(`[0-9]{%d,}|%%[^a-zA-Z%%]*\*`, maxWidthDigits+1))

// narrow returns a function of a format that has no width of more than maxWidthDigits digits.
func narrow(f function.Function) function.Function {
	return function.New(&function.Spec{
		Description: f.Description(),
		Params:      f.Params(),
		VarParam:    f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if err := widths(args); err != nil {
				return cty.DynamicPseudoType, err
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if err := widths(args); err != nil {
				return cty.NilVal, err
			}
			return f.Call(args)
		},
	})
}

func widths(args []cty.Value) error {
	if len(args) == 0 || !args[0].IsKnown() || args[0].IsNull() || args[0].Type() != cty.String {
		return nil
	}
	if at := wide.FindString(args[0].AsString()); at != "" {
		return function.NewArgErrorf(0, "%.20q is no width: one has at most %d digits", at, maxWidthDigits)
	}
	return nil
}

// toNumber is tonumber for numbers of a size that can be written as digits.
var toNumber = func() function.Function {
	f := stdlib.MakeToFunc(cty.Number)
	return function.New(&function.Spec{
		Params: f.Params(),
		Type:   function.StaticReturnType(cty.Number),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := f.Call(args)
			if err != nil || v.IsNull() || !v.IsKnown() {
				return v, err
			}
			if exp := v.AsBigFloat().MantExp(nil); exp > maxExponent || exp < -maxExponent {
				return cty.NilVal, errors.New("the number is too large or too small")
			}
			return v, nil
		},
	})
}()
