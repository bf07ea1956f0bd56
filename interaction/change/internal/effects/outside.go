package effects

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// use says what code outside of the packages does with what it is given.
type use int

const (
	keeps  use = iota // it may do anything with it
	memory            // it computes results, or writes memory that its arguments point to
	silent            // it writes a log or a metric
	locks             // it synchronises goroutines
	swaps             // it writes atomically what its first argument points to
)

// computing are packages whose functions keep nothing of their arguments. They return values, or
// write what an argument points to. Those that end with a slash stand for the packages below, too.
var computing = []string{
	"bytes", "cmp", "crypto/rand", "math/rand", "math/rand/v2", "container/", "encoding/", "errors", "fmt", "hash/", "hash", "iter", "maps", "math", "math/", "path", "path/filepath", "reflect", "regexp", "slices", "sort",
	"strconv", "strings", "text/tabwriter", "time", "unicode", "unicode/", "unsafe", "google.golang.org/protobuf/proto", "google.golang.org/protobuf/runtime/protoimpl",
}

// waiting are functions of package time that run code later, or wait.
var waiting = []string{"AfterFunc", "NewTimer", "NewTicker", "After", "Tick", "Sleep", "Reset", "Stop"}

// loggers are packages that write logs, meters those that count. Nothing that they are given comes
// back into the program.
var (
	loggers = []string{"log", "log/slog", "github.com/hashicorp/go-hclog", "github.com/sirupsen/logrus", "go.uber.org/zap", "go.uber.org/zap/zapcore", "github.com/rs/zerolog",
		"k8s.io/klog/v2", "github.com/golang/glog", "github.com/go-kit/log", "github.com/go-logr/logr"}
	meters = []string{"expvar", "github.com/hashicorp/go-metrics", "github.com/hashicorp/go-metrics/compat", "github.com/armon/go-metrics",
		"github.com/prometheus/client_golang/prometheus", "go.opentelemetry.io/otel/metric"}
)

// logVerbs are names of methods that write a line of a log, without an end that says how the line
// is made.
var logVerbs = []string{"Debug", "Info", "Warn", "Warning", "Error", "Trace", "Print", "Log", "Notice", "Verbose"}

// logEnds are these ends.
var logEnds = []string{"", "f", "ln", "w", "Context", "Ctx", "s"}

// useOf says what a call of code outside of the packages does with its arguments.
//
// Rule for logs: a function or method counts as one that writes a log if its package is a known
// logger. It also counts if it returns nothing, takes texts and values of any type alone, and has a
// name such as Debugf. All three are required, so that a method that sends a message to another
// process, such as Send(m Message), never counts as a log. Fatal and Panic end the run and are no
// logs.
func useOf(call *ssa.CallCommon) use {
	name, sig, pkg := "", call.Signature(), ""
	switch f := call.StaticCallee(); {
	case call.IsInvoke():
		name = call.Method.Name()
		if call.Method.Pkg() != nil {
			pkg = call.Method.Pkg().Path()
		}
	case f != nil:
		if f.Origin() != nil {
			f = f.Origin()
		}
		name = f.Name()
		if f.Pkg != nil {
			pkg = f.Pkg.Pkg.Path()
		} else if f.Object() != nil && f.Object().Pkg() != nil {
			pkg = f.Object().Pkg().Path()
		}
	default:
		return keeps
	}
	known := slices.Contains(loggers, pkg) && !endsBy(name)
	switch {
	case known && sig.Results().Len() == 0, isLog(name, sig):
		return silent
	case slices.Contains(meters, pkg) && sig.Results().Len() == 0:
		return silent
	case pkg == "sync":
		return locks
	case pkg == "sync/atomic":
		return atomicUse(name)
	case call.IsInvoke() && name == "Error" && sig.Params().Len() == 0, call.IsInvoke() && name == "String" && sig.Params().Len() == 0:
		return memory
	case pkg == "time" && slices.Contains(waiting, name):
		return keeps
	case pkg == "fmt" && (strings.HasPrefix(name, "Print") || strings.HasPrefix(name, "Fprint")):
		return printUse(call, name)
	case !call.IsInvoke() && computes(pkg):
		return memory
	}
	return keeps
}

// endsBy reports whether a logger's function ends the run.
func endsBy(name string) bool {
	return strings.HasPrefix(name, "Fatal") || strings.HasPrefix(name, "Panic") || strings.HasPrefix(name, "Exit")
}

// endsRun reports whether a call is one of a logger that ends the run.
func endsRun(call *ssa.CallCommon) bool {
	name, sig := "", call.Signature()
	if call.IsInvoke() {
		name = call.Method.Name()
	} else if f := call.StaticCallee(); f != nil {
		name = f.Name()
	}
	return endsBy(name) && sig.Results().Len() == 0 && takesTexts(sig)
}

// isLog reports whether a method has the name and the parameters of one that writes a log.
func isLog(name string, sig *types.Signature) bool {
	if sig.Results().Len() > 0 || !slices.ContainsFunc(logVerbs, func(v string) bool {
		rest, ok := strings.CutPrefix(strings.ToUpper(name[:1])+name[1:], v)
		return ok && slices.Contains(logEnds, rest)
	}) {
		return false
	}
	return takesTexts(sig)
}

// takesTexts reports whether a function takes texts and values of any type alone.
func takesTexts(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		t := v.Type()
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		i, any := t.Underlying().(*types.Interface)
		b, basic := t.Underlying().(*types.Basic)
		context := any && types.TypeString(t, nil) == "context.Context"
		if !(any && i.NumMethods() == 0 || basic && b.Info()&types.IsString != 0 || context) {
			return false
		}
	}
	return true
}

// printUse says where fmt prints: standard output and error are logs, and another writer is one
// that the first argument points to.
func printUse(call *ssa.CallCommon, name string) use {
	if strings.HasPrefix(name, "Print") {
		return silent
	}
	x := call.Args[0]
	if m, ok := x.(*ssa.MakeInterface); ok {
		x = m.X
	}
	if u, ok := x.(*ssa.UnOp); ok {
		if g, ok := u.X.(*ssa.Global); ok && g.Pkg.Pkg.Path() == "os" && (g.Name() == "Stderr" || g.Name() == "Stdout") {
			return silent
		}
	}
	switch n := namedOf(x.Type()); {
	case n == nil || n.Obj().Pkg() == nil:
	case n.Obj().Pkg().Path() == "strings" && n.Obj().Name() == "Builder", n.Obj().Pkg().Path() == "bytes" && n.Obj().Name() == "Buffer":
		return memory
	}
	return keeps
}

// atomicUse says what a function of sync/atomic does.
func atomicUse(name string) use {
	if strings.HasPrefix(name, "Load") {
		return memory
	}
	return swaps
}

// computes reports whether a package's functions keep nothing.
func computes(pkg string) bool {
	return slices.ContainsFunc(computing, func(c string) bool {
		if folder, ok := strings.CutSuffix(c, "/"); ok {
			return strings.HasPrefix(pkg, folder+"/")
		}
		return pkg == c
	})
}

// points reports whether a value may lead to memory that its holder can write.
func points(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface:
		return true
	case *types.Struct:
		for f := range t.Fields() {
			if points(f.Type()) {
				return true
			}
		}
	}
	return false
}

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
