package speclint

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// checkPadding reports the bytes of t that belong to no field, at the field before which they lie,
// with an order of the fields that has none.
func (f *flatness) checkPadding(t types.Type, u *types.Struct, path string) {
	fields := slices.Collect(u.Fields())
	if len(fields) == 0 || unplain(t) != nil {
		return // the fields must change anyway
	}
	gap, before := f.gap(fields, t)
	if gap == 0 {
		return
	}
	where, name := f.place, f.shown(path)
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() == f.Pkg {
		where, name = span(n.Obj().Pos()), n.Obj().Name()
	}
	what := fmt.Sprintf("%s has %s of padding at its end", name, bytes(gap))
	if before != nil {
		what = fmt.Sprintf("%s has %s of padding before %s", name, bytes(gap), before.Name())
		if before.Pkg() == f.Pkg {
			where = span(before.Pos())
		}
	}
	f.report(where, padding, "%s; %s", what, f.repair(t, fields))
}

// gap returns the first run of padding of a struct of these fields in this order, and the field
// after it.
func (f *flatness) gap(fields []*types.Var, t types.Type) (int64, *types.Var) {
	end := int64(0)
	for k, offset := range f.TypesSizes.Offsetsof(fields) {
		if offset != end {
			return offset - end, fields[k]
		}
		end = offset + f.TypesSizes.Sizeof(fields[k].Type())
	}
	return f.TypesSizes.Sizeof(t) - end, nil
}

// repair says how to get rid of the padding: the largest alignment first leaves gaps at the end
// only, and fields without size must not come last.
func (f *flatness) repair(t types.Type, fields []*types.Var) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == modulesPath {
		return "elements of one byte, or of structs of bytes, leave none"
	}
	sorted := slices.Clone(fields)
	slices.SortStableFunc(sorted, func(a, b *types.Var) int {
		if x, y := f.TypesSizes.Sizeof(a.Type()) == 0, f.TypesSizes.Sizeof(b.Type()) == 0; x != y {
			if x {
				return -1
			}
			return 1
		}
		return int(f.TypesSizes.Alignof(b.Type()) - f.TypesSizes.Alignof(a.Type()))
	})
	names := make([]string, len(sorted))
	for k, v := range sorted {
		names[k] = v.Name()
	}
	how := "order the fields " + strings.Join(names, ", ")
	if slices.Equal(sorted, fields) {
		how = "keep the order"
	}
	// A size is a multiple of its alignment, so that the only gap left is at the end.
	if gap, _ := f.gap(sorted, types.NewStruct(sorted, nil)); gap > 0 {
		how += fmt.Sprintf(" and fill the end, as with Unused [%d]uint8", gap)
	}
	return how
}

func bytes(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}
