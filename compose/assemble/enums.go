package assemble

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"strconv"

	"github.com/multigrain/multigrain/grains"
)

// enumsOf returns the enumerations of a catalog with its sized constants, whose values follow from
// constants that have the given values. Bounds that are not given have their defaults.
func enumsOf(c *grains.Catalog, set map[string]string) map[string]map[int64]string {
	out := map[string]map[int64]string{}
	for t, constants := range c.Enums {
		out[t] = maps.Clone(constants)
	}
	scope := types.NewPackage("sizes", "sizes")
	for _, b := range c.Bounds {
		if v := cmp.Or(set[b.Const], strconv.Itoa(b.Default)); b.Const != "" {
			declare(scope, b.Const, v)
		}
	}
	for _, o := range c.Options {
		if set[o.Const] != "" {
			declare(scope, o.Const, set[o.Const])
		}
	}
	for _, x := range c.Sized {
		v, err := types.Eval(token.NewFileSet(), scope, token.NoPos, x.Value)
		if err != nil || v.Value == nil {
			continue
		}
		n, ok := constant.Int64Val(constant.ToInt(v.Value))
		if !ok {
			continue
		}
		if out[x.Type] == nil {
			out[x.Type] = map[int64]string{}
		}
		if _, taken := out[x.Type][n]; !taken {
			out[x.Type][n] = x.Name
		}
	}
	return out
}

// declare adds a constant with a value to a package, or nothing where the value is no constant.
func declare(in *types.Package, name, value string) {
	if v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, value); err == nil && v.Value != nil {
		in.Scope().Insert(types.NewConst(token.NoPos, in, name, v.Type, v.Value))
	}
}
