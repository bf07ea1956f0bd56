package effects

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// changesFirst are functions that write what their first argument leads to, by package. A star
// stands for any end.
var changesFirst = map[string][]string{
	"sort":                                 {"*"},
	"slices":                               {"Sort*", "Reverse", "Delete*", "Insert", "Replace", "Compact*", "Grow"},
	"maps":                                 {"Copy", "Insert", "DeleteFunc"},
	"encoding/binary":                      {"Put*"},
	"container/heap":                       {"*"},
	"fmt":                                  {"Fprint*"},
	"google.golang.org/protobuf/proto":     {"Merge", "Reset"},
	"google.golang.org/protobuf/protoimpl": {},
}

// changesLast are those that write what their last argument leads to.
var changesLast = []string{"Unmarshal", "Sscan", "Sscanf", "Sscanln", "Read", "Decode"}

// changed returns the arguments of a function that keeps nothing whose memory it writes: the
// receiver of a method, and those that are listed.
func changed(call *ssa.CallCommon) []ssa.Value {
	f := call.StaticCallee()
	if f == nil || len(call.Args) == 0 {
		return nil
	}
	if f.Origin() != nil {
		f = f.Origin()
	}
	var out []ssa.Value
	add := func(v ssa.Value) {
		if points(v.Type()) {
			out = append(out, v)
		}
	}
	if f.Signature.Recv() != nil {
		add(call.Args[0])
	}
	if slices.Contains(changesLast, f.Name()) {
		add(call.Args[len(call.Args)-1])
	}
	if f.Pkg != nil && slices.ContainsFunc(changesFirst[f.Pkg.Pkg.Path()], func(pattern string) bool {
		begin, any := strings.CutSuffix(pattern, "*")
		return f.Name() == pattern || any && strings.HasPrefix(f.Name(), begin)
	}) {
		add(call.Args[0])
	}
	return out
}

// handedOn returns the calls that get a function as an argument, and whether it is used otherwise.
func (p *Program) handedOn(f *ssa.Function) (calls []ssa.CallInstruction, otherwise bool) {
	var follow func(v ssa.Value, refs []ssa.Instruction)
	follow = func(v ssa.Value, refs []ssa.Instruction) {
		for _, r := range refs {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.ChangeType:
				follow(r, *r.Referrers())
			case ssa.CallInstruction:
				if slices.Contains(r.Common().Args, v) {
					calls = append(calls, r)
				}
			default:
				otherwise = true
			}
		}
	}
	if f.Parent() == nil {
		return nil, true
	}
	var ops []*ssa.Value
	for _, b := range f.Parent().Blocks {
		for _, i := range b.Instrs {
			if m, ok := i.(*ssa.MakeClosure); ok && m.Fn == f {
				follow(m, *m.Referrers())
				continue
			}
			for _, op := range i.Operands(ops[:0]) {
				if *op == ssa.Value(f) {
					follow(f, []ssa.Instruction{i})
				}
			}
		}
	}
	return calls, otherwise
}
