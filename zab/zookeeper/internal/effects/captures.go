package effects

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// What it computes. The captured variables that a lambda gets and does not use.
//
// Why it is right. A compiler makes a method of a lambda, whose first parameters have the captured
// values. One without a use decides nothing there, since the group and the name of a new thread
// are no uses. It is no operand where the lambda is made, and no part of the method's name.
// The other parameters come from the caller that runs the lambda, so they stay.
//
// What it costs. One pass over the methods of each class that has lambdas.
//
// Example. Both are the same lambda, which captures n:
//
//	r -> new Thread(r, name(n))          r -> new Thread(group, r, name(n))

// captures leaves out the operands that lambdas do not use.
func (f *flow) captures() {
	for _, s := range f.steps {
		if m := f.p.lambdaOf(f.m.class, s.in); m != nil && s.kind == instruction {
			for _, column := range f.p.needless(m) {
				s.args[column] = nil
			}
		}
	}
}

// lambdaOf returns the method of the lambda that an instruction makes an object for; nil for
// another instruction.
func (p *Program) lambdaOf(c *bytecode.Class, i bytecode.Instruction) *method {
	if i.Op != opInvokedynamic {
		return nil
	}
	all := c.Handles(i)
	if len(all) != 1 || all[0].Class != c.Name {
		return nil
	}
	if m := own(c, all[0]); m != nil && isLambda(m) {
		return m
	}
	return nil
}

func isLambda(m *method) bool {
	_, _, is := lambda(m.Method)
	return is
}

// needless returns the columns of the parameters that a lambda captures and does not use.
func (p *Program) needless(m *method) []int {
	if !isLambda(m) {
		return nil
	}
	out, known := p.unused[m.Method]
	if known {
		return out
	}
	p.unused[m.Method] = nil // of a lambda in itself, which no compiler makes
	b := p.bodyOf(m)
	for column := range min(p.captured(m), len(b.params)) {
		if len(b.uses()[b.params[column]]) == 0 {
			out = append(out, column)
		}
	}
	p.unused[m.Method] = out
	return out
}

// captured returns how many parameters of a lambda are captured, wherever its class makes one.
func (p *Program) captured(m *method) int {
	least := -1
	for k := range m.class.Methods {
		x := &m.class.Methods[k]
		if x.Bytes == nil {
			continue
		}
		code, err := bytecode.Decode(x.Name, x.Bytes, m.class.Pool)
		if err != nil {
			return 0
		}
		for _, i := range code.Instructions {
			if to := p.lambdaOf(m.class, i); to != nil && to.Method == m.Method {
				if n := len(bytecode.Parameters(i.Member.Descriptor)); least < 0 || n < least {
					least = n
				}
			}
		}
	}
	return max(least, 0)
}

// position returns the position of an operand among those that count.
func (u use) position() int {
	if u.at.in.Op != opInvokedynamic {
		return u.arg
	}
	n := 0
	for _, values := range u.at.args[:u.arg] {
		n += number(values != nil)
	}
	return n
}

// without returns a descriptor without the parameters of some columns. First is the column of its
// first parameter.
func without(descriptor string, columns []int, first int) string {
	if len(columns) == 0 {
		return descriptor
	}
	var out strings.Builder
	for k, t := range bytecode.Parameters(descriptor) {
		if !slices.Contains(columns, k+first) {
			out.WriteString(t)
		}
	}
	return "(" + out.String() + descriptor[strings.LastIndexByte(descriptor, ')'):]
}
