package footprint

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// What it computes. For each action, property and rule: the variables, with symbolic indices, that
// it may read and write, and from what it computes each written value.
//
// Why it is right. It interprets the code abstractly. Each transfer function covers what an
// instruction does in any run, and the fixpoint adds nothing more. So the footprint holds for every
// run: it may list too much and never too little. Code that the analysis cannot follow is an issue,
// and an action with an issue gets no verdict. The package comment states the lattice and the
// argument.
//
// What it costs. Each call is interpreted where it is made, with memory of equal calls (memo).
// Chains in the lattice are finite, so loops end.
//
// Example.
//
//	if s.Role[p.I] == Leader {         reads   Role[p.I]
//		n.Commit[p.I] = s.Match[p.J]   writes  Commit[p.I], data Match[p.J], control Role[p.I]
//	}

// Analyzer computes footprints over one State.
type Analyzer struct {
	Variables []Variable // of the State, in order

	prog      *ssa.Program
	state     *layout
	globals   map[*ssa.Global]*initial.Cell
	mutable   map[*ssa.Global]token.Pos
	functions map[*ssa.Function]*function
	layouts   *layouts
	sets      *sets
	names     *names
	frames    map[[2]int32]Set
	constants map[*ssa.Const]*value
	guards    map[*initial.Func]*guarded
	chains    map[*initial.Func]*chain // by their first effect
	forgetful bool                     // interprets each call again: see memo
}

// Variable is a variable of a specification.
type Variable struct {
	Name string
	Type types.Type // of an element
	Dims int        // indices of an element
	// of a part of a Net or Bag: the kind of its messages; of a Raised: the assertion
	Kind  string
	Net   string // of a part of a Net, Bag or Raised: the path of that
	Value string // the value type of package modules that it is, as Seq; "" for others
}

// New prepares the analysis. The globals hold the values of the package's variables. Sources are
// the packages whose functions are interpreted.
func New(prog *ssa.Program, state types.Type, globals map[*ssa.Global]*initial.Cell, sources []*ssa.Package) *Analyzer {
	a := &Analyzer{prog: prog, globals: globals, functions: map[*ssa.Function]*function{},
		layouts: &layouts{byType: map[types.Type]*layout{}}, sets: newSets(), names: newNames(),
		frames: map[[2]int32]Set{}, constants: map[*ssa.Const]*value{}, guards: map[*initial.Func]*guarded{}, chains: map[*initial.Func]*chain{}}
	a.state = a.layouts.of(state)
	a.mutable = assigned(sources)
	for _, l := range a.state.leaves {
		a.Variables = append(a.Variables, variableOf(l))
	}
	return a
}

func variableOf(l leaf) Variable {
	v := Variable{Name: l.path, Type: l.typ, Dims: l.dims}
	if n := vocabulary(l.typ); n != nil {
		v.Value = n.Obj().Name()
	}
	for k := range len(l.path) {
		if l.path[k] == '#' {
			v.Net, v.Kind = l.path[:k], l.path[k+1:]
		}
	}
	if v.Kind == "" && len(l.path) > 4 && l.path[len(l.path)-4:] == ".cut" && l.dims >= 2 && v.Value == "" {
		v.Net = l.path[:len(l.path)-4]
	}
	return v
}

// assigned lists the package-level variables that a function other than an initialiser assigns.
func assigned(sources []*ssa.Package) map[*ssa.Global]token.Pos {
	out := map[*ssa.Global]token.Pos{}
	var scan func(fn *ssa.Function)
	seen := map[*ssa.Function]bool{}
	scan = func(fn *ssa.Function) {
		if seen[fn] {
			return
		}
		seen[fn] = true
		for _, b := range fn.Blocks {
			for _, ins := range b.Instrs {
				if st, ok := ins.(*ssa.Store); ok && fn.Name() != "init" {
					if g := rootOf(st.Addr); g != nil {
						out[g] = st.Pos()
					}
				}
			}
		}
		for _, f := range fn.AnonFuncs {
			scan(f)
		}
	}
	for _, p := range sources {
		for _, m := range p.Members {
			switch m := m.(type) {
			case *ssa.Function:
				scan(m)
			case *ssa.Type:
				for _, t := range []types.Type{m.Type(), types.NewPointer(m.Type())} {
					set := p.Prog.MethodSets.MethodSet(t)
					for k := range set.Len() {
						if fn := p.Prog.MethodValue(set.At(k)); fn != nil {
							scan(fn)
						}
					}
				}
			}
		}
	}
	return out
}

// rootOf returns the package-level variable into which an address points, nil if it is none.
func rootOf(v ssa.Value) *ssa.Global {
	for {
		switch x := v.(type) {
		case *ssa.Global:
			return x
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		default:
			return nil
		}
	}
}

// interp is the interpretation of one guard, effect or property, with the rules that ride on it.
type interp struct {
	*Analyzer
	root    *ssa.Function
	primed  bool // the state after is a second state, not a changing copy
	objects []*object
	epochs  int
	stack   []*frame
	depth   int
	steps   int
	unsure  int       // events that keep a run from being remembered: see memo
	changes int       // of objects, outside of memory
	used    objectSet // objects whose contents the innermost call under way asked for or set
	asked   objectSet // objects that it found not to be in use
	key     term

	globalObjects map[*ssa.Global]*object
	cellObjects   map[*initial.Cell]*object
	arrays        map[arrayOf]*initial.Cell
	cells         map[*object]*initial.Cell
	yield         *ssa.Function
	yieldValue    *value

	reads           map[Source]Place
	writes          map[int]*event
	sends, receives map[int][]Place
	picks           []pick
	ways            ways
	touched         []bool
	issues          []Issue
	said            map[string]bool
}

type arrayOf struct {
	first  *initial.Cell
	length int
}

// Place is where something happens: in the code of the action itself, and in fact.
type Place struct{ At, In token.Pos }

// Issue is something that the analysis cannot follow, or that the code must not do.
type Issue struct {
	Rule  Rule
	Place Place
	Text  string
}

// Rule names the rule that an issue breaks. Package speclint reports the same rules.
type Rule string

// The rules. An issue without a rule is only something that the analysis does not follow.
const (
	ReaderWrites    Rule = "reader-writes"    // a guard or a property writes
	WritesBefore    Rule = "writes-before"    // an effect writes the state before
	VariableRead    Rule = "variable-read"    // a package variable that changes is read
	VariableWritten Rule = "variable-written" // a package variable is written
	CaptureWritten  Rule = "capture-written"  // a variable around a function literal is written
	Concurrency     Rule = "concurrency"
	Unwinding       Rule = "unwinding"
	MapUsed         Rule = "map"
	Dispatch        Rule = "dispatch"     // a method of an interface is called
	UnknownCall     Rule = "unknown-call" // a function value that is not known is called
	Foreign         Rule = "foreign"      // code is called that no package of the specification has
	KindUnknown     Rule = "kind"         // the kind of a message is no constant
)

// event describes the writes to a variable.
type event struct {
	elements []index
	places   []Place
	consts   [][]int32 // by place: the constants that are written there
}

func (a *Analyzer) newInterp(root *ssa.Function, primed bool) *interp {
	return &interp{Analyzer: a, root: root, primed: primed, globalObjects: map[*ssa.Global]*object{},
		cellObjects: map[*initial.Cell]*object{}, arrays: map[arrayOf]*initial.Cell{}, cells: map[*object]*initial.Cell{}, reads: map[Source]Place{},
		writes: map[int]*event{}, sends: map[int][]Place{}, receives: map[int][]Place{}, touched: make([]bool, len(a.Variables)), said: map[string]bool{}, ways: newWays()}
}

// where finds, for a position in a function that is being interpreted, the position in the action's
// own code that leads there.
func (in *interp) where(pos token.Pos) Place {
	if len(in.stack) > 0 {
		if lo, hi, ok := extent(in.stack[0].f.fn); ok {
			if lo <= pos && pos < hi {
				return Place{At: pos}
			}
			for k := len(in.stack) - 1; k > 0; k-- {
				if p := in.stack[k].position; lo <= p && p < hi {
					return Place{At: p, In: pos}
				}
			}
		}
	}
	return Place{At: pos}
}

func extent(fn *ssa.Function) (lo, hi token.Pos, ok bool) {
	switch s := fn.Syntax().(type) {
	case *ast.FuncLit:
		return s.Pos(), s.End(), true
	case *ast.FuncDecl:
		return s.Pos(), s.End(), true
	}
	return 0, 0, false
}

func (in *interp) issue(rule Rule, pos token.Pos, text string) {
	p := in.where(pos)
	k := fmt.Sprint(p, text)
	if !in.said[k] {
		in.said[k] = true
		in.issues = append(in.issues, Issue{rule, p, text})
	}
}

// cannot reports what the analysis cannot follow.
func (in *interp) cannot(pos token.Pos, format string, args ...any) {
	in.issue("", pos, fmt.Sprintf(format, args...))
}

// breaks reports what a rule forbids.
func (in *interp) breaks(rule Rule, pos token.Pos, format string, args ...any) {
	in.issue(rule, pos, fmt.Sprintf(format, args...))
}

// touch remembers that the code uses a variable, in whatever way.
func (in *interp) touch(o *object, k int) {
	if o.role == before || o.role == after {
		in.touched[k] = true
	}
}

// noteWrite remembers where a variable is written.
func (in *interp) noteWrite(l location, k int, pos token.Pos, v *value) {
	if l.obj.role != after {
		return
	}
	e := in.writes[k]
	if e == nil {
		e = &event{}
		in.writes[k] = e
	}
	add := func(x index) {
		for _, y := range e.elements {
			if x == y {
				return
			}
		}
		e.elements = append(e.elements, x)
	}
	at := l.at
	if in.key != anywhere {
		at = in.names.keyed(at, in.key)
	}
	own := in.sets.one(in.names.source(k, l.at))
	if !v.full && v.frame == own && l.at == 0 && !v.made() {
		// a copy in which these were changed; the others are put back as they were
		for _, x := range v.elems {
			add(x.at)
		}
	} else {
		add(at)
	}
	p := in.where(pos)
	for k, q := range e.places {
		if q == p {
			e.consts[k] = union(e.consts[k], in.constantsOf(v))
			return
		}
	}
	e.places, e.consts = append(e.places, p), append(e.consts, in.constantsOf(v))
}

// constantsOf returns the constants that a value, or an element of it, may be.
func (in *interp) constantsOf(v *value) []int32 {
	if v == nil {
		return nil
	}
	cs := v.consts
	for _, e := range v.elems {
		cs = union(cs, union(in.constantsOf(e.own), in.constantsOf(e.rest)))
	}
	return cs
}
