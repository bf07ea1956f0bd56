package bytecode

import (
	"fmt"
	"slices"
)

// Instruction is one instruction of a method.
type Instruction struct {
	Offset int // in bytes from the start of the method
	Length int // in bytes, with operands and padding
	Op     Op  // of a wide instruction the opcode that wide modifies
	Wide   bool
	Index  int     // into the constant pool; 0 if the instruction has none
	Member *Member // of calls, and of reads and writes of fields; nil otherwise
	Jumps  []int   // offsets to which it may jump; a switch lists its default first
	Local  int     // the local variable that it reads or writes; -1 if there is none
	// Const is the constant that it pushes, adds or tests, as text with its type; "" for none. That
	// of a switch lists the values of its jumps, with ; between.
	Const string
}

// Next returns the offset of the instruction that follows in the method.
func (i Instruction) Next() int { return i.Offset + i.Length }

// String returns offset, mnemonic and member.
func (i Instruction) String() string {
	out := fmt.Sprintf("%d %v", i.Offset, i.Op)
	if i.Member != nil {
		out += " " + i.Member.String()
	}
	return out
}

// Code is the decoded bytecode of a method.
type Code struct {
	Method       string        // how errors name it
	Instructions []Instruction // by ascending offset
}

// Decode decodes the bytecode of a method with the constant pool of its class. Errors call the
// method by the given name.
func Decode(method string, code []byte, pool *Pool) (*Code, error) {
	out := &Code{Method: method}
	for at := 0; at < len(code); {
		i, err := decodeOne(code, at, pool)
		if err != nil {
			return nil, fmt.Errorf("bytecode: %s, offset %d: %w", method, at, err)
		}
		out.Instructions = append(out.Instructions, i)
		at = i.Next()
	}
	for _, i := range out.Instructions {
		for _, to := range i.Jumps {
			if _, ok := out.At(to); !ok {
				return nil, fmt.Errorf("bytecode: %s, offset %d: %v jumps to %d, where no instruction starts", method, i.Offset, i.Op, to)
			}
		}
	}
	return out, nil
}

// At returns the instruction that starts at an offset.
func (c *Code) At(offset int) (Instruction, bool) {
	k, ok := slices.BinarySearchFunc(c.Instructions, offset, func(i Instruction, at int) int { return i.Offset - at })
	if !ok {
		return Instruction{}, false
	}
	return c.Instructions[k], true
}

// decodeOne decodes the instruction at an offset.
func decodeOne(code []byte, at int, pool *Pool) (Instruction, error) {
	r := &input{b: code[at+1:]}
	i := Instruction{Offset: at, Op: Op(code[at]), Local: -1}
	if int(i.Op) >= len(mnemonics) {
		return i, fmt.Errorf("%v is unknown", i.Op)
	}
	switch n := i.Op.operands(); {
	case i.Op == opWide:
		i.wide(r)
	case n < 0:
		i.table(r)
	case i.Op.usesPool() && i.Op == opLdc:
		i.Index = r.u1()
		i.Const = pool.constant(i.Index)
	case i.Op.usesPool():
		i.Index = r.u2()
		if b := r.take(n - 2); i.Op == opMultianew {
			i.Const = fmt.Sprint(b[0]) // dimensions
		}
		if !i.Op.isCall() && !i.Op.isRead() && !i.Op.isWrite() {
			i.Const += pool.constant(i.Index)
		}
	case i.Op.jumps() && n == 4:
		i.Jumps = []int{at + int(int32(r.u4()))}
	case i.Op.jumps():
		i.Jumps = []int{at + int(int16(r.u2()))}
	default:
		i.immediate(r.take(n))
	}
	if r.err != nil {
		return i, r.err
	}
	i.Length = len(code) - at - len(r.b)
	if i.Op.isCall() || i.Op.isRead() || i.Op.isWrite() {
		m, err := pool.member(i.Index)
		if err != nil {
			return i, err
		}
		i.Member = &m
	}
	return i, nil
}

// immediate reads the operands of an instruction that are in its code, and those in its opcode.
func (i *Instruction) immediate(b []byte) {
	switch op := i.Op; {
	case op == opBipush:
		i.Const = fmt.Sprint(int8(b[0]))
	case op == opSipush:
		i.Const = fmt.Sprint(int16(b[0])<<8 | int16(b[1]))
	case op == opNewarray:
		i.Const = fmt.Sprint(b[0])
	case op == opIinc:
		i.Local, i.Const = int(b[0]), fmt.Sprint(int8(b[1]))
	case op >= opIload && op <= opAload, op >= opIstore && op <= opAstore, op == opRet:
		i.Local = int(b[0])
	case op > opAload && op < opIaload:
		i.Local = int(op-opAload-1) % 4
	case op > opAstore && op < opIastore:
		i.Local = int(op-opAstore-1) % 4
	}
}

// wide reads the rest of a wide instruction: an opcode with an index of two bytes, and for iinc
// two more.
func (i *Instruction) wide(r *input) {
	i.Op, i.Wide = Op(r.u1()), true
	i.Local = r.u2()
	switch op := i.Op; {
	case op == opIinc:
		i.Const = fmt.Sprint(int16(r.u2()))
	case op >= opIload && op <= opAload, op >= opIstore && op <= opAstore, op == opRet:
	case r.err == nil:
		r.err = fmt.Errorf("wide before %v", op)
	}
}

// table reads the rest of a switch: padding up to a multiple of four, the default, and the pairs.
func (i *Instruction) table(r *input) {
	r.take(3 - i.Offset%4)
	jump := func() { i.Jumps = append(i.Jumps, i.Offset+int(int32(r.u4()))) }
	jump()
	if i.Op == opLookupswitch {
		for n := int(int32(r.u4())); n > 0 && r.err == nil; n-- {
			i.Const += fmt.Sprint(int32(r.u4())) + ";"
			jump()
		}
		return
	}
	low, high := int(int32(r.u4())), int(int32(r.u4()))
	for n := high - low + 1; n > 0 && r.err == nil; n-- {
		i.Const += fmt.Sprint(high-n+1) + ";"
		jump()
	}
}
