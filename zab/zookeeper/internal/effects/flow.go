package effects

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// What it computes. For each instruction of a method the steps whose results its operands may be,
// and the conditions that decide whether it runs.
//
// Why it is right. The operand stack and the local variables are interpreted over sets of steps
// until nothing changes, as the verifier of a JVM does over types (JVMS 4.10.2). Instructions that
// copy a value, such as aload, are no steps. Control dependence is that of Ferrante, Ottenstein and
// Warren, "The Program Dependence Graph and Its Use in Optimization", 1987, over the edges without
// exceptions. Code of a handler depends on the exception that leads there.
//
// What it costs. Methods of a few thousand instructions take milliseconds.
//
// Example. The sum's operands are steps 0 and 4, whether or not a variable is between:
//
//	0 getfield a   1 istore_1   4 getfield b   7 iload_1   8 iadd   steps 0 and 4

// The opcodes that the package distinguishes.
const (
	opLdc, opLdcW                            bytecode.Op = 18, 19
	opGoto, opRet                            bytecode.Op = 167, 169
	opIreturn, opReturn                      bytecode.Op = 172, 177
	opPutstatic, opGetfield, opPutfield      bytecode.Op = 179, 180, 181
	opInvokespecial, opInvokestatic          bytecode.Op = 183, 184
	opInvokedynamic                          bytecode.Op = 186
	opNew, opAnewarray, opMultianew          bytecode.Op = 187, 189, 197
	opAthrow, opCheckcast, opInstanceof      bytecode.Op = 191, 192, 193
	opAastore                                bytecode.Op = 83
	opMonitorenter, opMonitorexit            bytecode.Op = 194, 195
	opIinc, opGotoW, opTableswitch, opLookup bytecode.Op = 132, 200, 170, 171
)

// kind says what a step is.
type kind byte

const (
	instruction kind = iota
	parameter        // a parameter of the method: column
	caught           // an exception that a handler gets: text
	copied           // an instruction that only copies a value or jumps
	inlined          // a call whose callee's steps take its place
)

// step is an instruction with what it depends on.
type step struct {
	kind   kind
	in     bytecode.Instruction
	of     *method
	column int        // of a parameter
	text   string     // of a caught exception
	args   [][]*step  // operands, each the steps whose results it may be
	by     []decision // that decide whether it runs
	within []string   // the exceptions that are caught around it
	line   int
	next   []*step // without exceptions; of a caught exception, its handler
	covers []*step // of a caught exception: where it may come from

	base, color uint64 // see file same.go
	twin        *step
	index       int
}

// decision is a condition with one of its outcomes.
type decision struct {
	at  *step
	out string
}

// body is a method as steps.
type body struct {
	of     *method
	steps  []*step // parameters and exceptions first
	params []*step
	users  map[*step][]use
	rests  []string // fixed fields without which more code could run
}

// use is a step that gets a value, as the operand at a position.
type use struct {
	at  *step
	arg int
}

// bodyOf returns the steps of a method; without code it has none.
func (p *Program) bodyOf(m *method) *body {
	if b := p.bodies[m.Method]; b != nil {
		return b
	}
	b, err := p.newBody(m)
	if err != nil { // the JVM would not verify it
		b = &body{of: m}
	}
	p.bodies[m.Method] = b
	return b
}

// newBody makes steps of a method, for a caller that may change them.
func (p *Program) newBody(m *method) (*body, error) {
	b := &body{of: m}
	if m.Bytes == nil {
		return b, nil
	}
	code, err := bytecode.Decode(m.class.Name+"."+m.Name, m.Bytes, m.class.Pool)
	if err != nil {
		return nil, err
	}
	f := &flow{p: p, m: m, b: b, at: map[int]int{}}
	for k, i := range code.Instructions {
		f.at[i.Offset] = k
		s := &step{in: i, of: m, line: lineOf(m, i.Offset)}
		if transparent(i) {
			s.kind = copied
		}
		f.steps = append(f.steps, s)
	}
	defer func() { f.threads(); f.captures() }()
	f.parameters()
	for k := range m.Handlers {
		h := &m.Handlers[k]
		f.caught = append(f.caught, &step{kind: caught, of: m, text: h.Catch})
		for _, s := range f.steps {
			if s.in.Offset < h.From || s.in.Offset >= h.To || !mayThrow(s, h.Catch) {
				continue
			}
			f.caught[k].covers = append(f.caught[k].covers, s)
			if !slices.Contains(s.within, h.Catch) {
				s.within = append(s.within, h.Catch)
			}
		}
	}
	if err := f.run(); err != nil {
		return nil, err
	}
	f.fold()
	f.link()
	for _, s := range f.folded {
		f.dropRead(s.args[0])
	}
	b.steps = slices.Concat(b.params, slices.DeleteFunc(slices.Clone(f.caught), func(s *step) bool { return s == nil }))
	for k, s := range f.steps {
		if f.frames[k] != nil {
			b.steps = append(b.steps, s)
		}
	}
	for k, s := range b.steps {
		s.index = k
	}
	return b, nil
}

// threads leaves of what new threads are given what they run, and the object. Their names, groups
// and sizes of stacks decide nothing.
func (f *flow) threads() {
	for _, s := range f.steps {
		m := s.in.Member
		if s.kind != instruction || m == nil || m.Class != "java.lang.Thread" || m.Name != "<init>" || len(s.args) == 0 {
			continue
		}
		runs := &bytecode.Member{Class: m.Class, Name: m.Name, Descriptor: "()V"}
		args := s.args[:1:1]
		for k, t := range bytecode.Parameters(m.Descriptor) {
			if t == "Ljava/lang/Runnable;" && k+1 < len(s.args) {
				args, runs.Descriptor = append(args, s.args[k+1]), "(Ljava/lang/Runnable;)V"
			}
		}
		s.args, s.in.Member = args, runs
	}
}

// transparent reports whether an instruction makes no value, decides nothing and writes nothing
// except local variables.
func transparent(i bytecode.Instruction) bool {
	return i.Op == 0 || i.Op >= 21 && i.Op <= 45 || i.Op >= 54 && i.Op <= 78 || i.Op.Moves() || i.Op == opGoto || i.Op == opGotoW || i.Op == opCheckcast || i.Op == opReturn
}

// lineOf returns the source line of an offset; 0 if the class does not say.
func lineOf(m *method, offset int) (line int) {
	best := -1
	for _, l := range m.Lines {
		if l.Offset <= offset && l.Offset > best {
			best, line = l.Offset, l.Line
		}
	}
	return line
}

// flow interprets a method.
type flow struct {
	p      *Program
	m      *method
	b      *body
	steps  []*step
	caught []*step
	at     map[int]int // the number of the instruction at an offset
	frames []*frame    // before each instruction; nil if it was not reached
	todo   []int
	folded []*step // conditions that lead one way only
}

// values are steps whose results a variable may hold. Wide says that it takes two words.
type values struct {
	of   []*step
	wide bool
}

// frame holds the local variables and the stack.
type frame struct {
	locals map[int][]*step
	stack  []values
}

func (f *flow) parameters() {
	add := func() {
		f.b.params = append(f.b.params, &step{kind: parameter, of: f.m, column: len(f.b.params)})
	}
	start := &frame{locals: map[int][]*step{}}
	local := 0
	if f.m.Flags&flagStatic == 0 {
		add()
		start.locals[0], local = f.b.params[:1], 1
	}
	for _, t := range bytecode.Parameters(f.m.Descriptor) {
		add()
		start.locals[local] = f.b.params[len(f.b.params)-1:]
		if local++; t == "J" || t == "D" {
			local++
		}
	}
	f.frames = make([]*frame, len(f.steps))
	if len(f.steps) > 0 {
		f.frames[0], f.todo = start, []int{0}
	}
}

// run interprets until nothing changes.
func (f *flow) run() error {
	for len(f.todo) > 0 {
		k := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		in := f.frames[k]
		out := &frame{locals: map[int][]*step{}, stack: slices.Clone(in.stack)}
		for l, v := range in.locals {
			out.locals[l] = v
		}
		if err := f.execute(f.steps[k], out); err != nil {
			return err
		}
		for _, to := range f.successors(k) {
			if to >= len(f.steps) {
				return fmt.Errorf("%s runs past its end", f.m.Name)
			}
			f.merge(to, out)
		}
		offset := f.steps[k].in.Offset
		for h := range f.m.Handlers {
			x := &f.m.Handlers[h]
			if offset < x.From || offset >= x.To || !mayThrow(f.steps[k], x.Catch) {
				continue
			}
			for _, locals := range []map[int][]*step{in.locals, out.locals} {
				f.merge(f.at[x.At], &frame{locals: locals, stack: []values{{of: f.caught[h : h+1]}}})
			}
		}
	}
	return nil
}

// successors returns where an instruction leads without an exception.
func (f *flow) successors(k int) (out []int) {
	i := f.steps[k].in
	jumps, on, _ := f.p.ways(f.steps[k])
	for n, to := range i.Jumps {
		if jumps[n] && !slices.Contains(out, f.at[to]) {
			out = append(out, f.at[to])
		}
	}
	switch op := i.Op; {
	case !on:
	case op == opGoto, op == opGotoW, op == opTableswitch, op == opLookup, op >= opIreturn && op <= opReturn, op == opAthrow, op == opRet:
	case !slices.Contains(out, k+1):
		out = append(out, k+1)
	}
	return out
}

// merge adds a frame to the one before an instruction.
func (f *flow) merge(to int, from *frame) {
	have := f.frames[to]
	if have == nil {
		have = &frame{locals: map[int][]*step{}, stack: slices.Clone(from.stack)}
		for l, v := range from.locals {
			have.locals[l] = v
		}
		f.frames[to] = have
		f.todo = append(f.todo, to)
		return
	}
	grew := false
	add := func(a, b []*step) []*step {
		for _, s := range b {
			if !slices.Contains(a, s) {
				a, grew = append(slices.Clip(a), s), true
			}
		}
		return a
	}
	for l, v := range from.locals {
		have.locals[l] = add(have.locals[l], v)
	}
	for k := range min(len(have.stack), len(from.stack)) {
		have.stack[k].of = add(have.stack[k].of, from.stack[k].of)
	}
	if grew {
		f.todo = append(f.todo, to)
	}
}

// execute does an instruction on a frame, and notes its operands.
func (f *flow) execute(s *step, at *frame) error {
	i := s.in
	if i.Op.Moves() {
		return at.move(i.Op)
	}
	takes, leaves := i.Stack()
	if len(at.stack) < takes {
		return fmt.Errorf("%s, offset %d: the stack is empty", f.m.Name, i.Offset)
	}
	taken := at.stack[len(at.stack)-takes:]
	at.stack = at.stack[:len(at.stack)-takes]
	switch {
	case i.Op == opIinc:
		s.args = [][]*step{at.locals[i.Local]}
		at.locals[i.Local] = []*step{s}
		return nil
	case s.kind == copied && i.Local >= 0 && takes == 1: // a store
		at.locals[i.Local] = taken[0].of
		return nil
	case s.kind == copied && i.Local >= 0:
		at.stack = append(slices.Clip(at.stack), values{at.locals[i.Local], leaves == 2})
		return nil
	case i.Op == opCheckcast:
		s.args = [][]*step{taken[0].of}
		at.stack = append(slices.Clip(at.stack), taken[0])
		return nil
	}
	s.args = make([][]*step, takes)
	for k := range taken {
		s.args[k] = taken[k].of
	}
	if leaves > 0 {
		at.stack = append(slices.Clip(at.stack), values{[]*step{s}, leaves == 2})
	}
	return nil
}

// move does an instruction that copies, exchanges or drops values of the stack: JVMS 6.5.
func (at *frame) move(op bytecode.Op) error {
	s := at.stack
	// words returns how many values make up a number of words at the top, without the first skip.
	words := func(n, skip int) int {
		if k := len(s) - 1 - skip; n == 2 && k >= 0 && s[k].wide {
			return 1
		}
		return n
	}
	size, below := 1, 0
	switch op {
	case 88, 92, 93, 94: // pop2, dup2, dup2_x1, dup2_x2
		size = words(2, 0)
	}
	switch op {
	case 90, 93: // dup_x1, dup2_x1
		below = 1
	case 91, 94: // dup_x2, dup2_x2
		below = words(2, size)
	case 95: // swap
		below = 1
	}
	if len(s) < size+below {
		return fmt.Errorf("the stack is too small for %v", op)
	}
	top, rest := slices.Clone(s[len(s)-size:]), s[:len(s)-size-below]
	under := slices.Clone(s[len(s)-size-below : len(s)-size])
	switch op {
	case 87, 88: // pop, pop2
		at.stack = slices.Clip(rest)
	case 95:
		at.stack = slices.Concat(rest, top, under)
	default:
		at.stack = slices.Concat(rest, top, under, top)
	}
	return nil
}
