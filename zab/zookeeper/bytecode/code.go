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
	i := Instruction{Offset: at, Op: Op(code[at])}
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
	case i.Op.usesPool():
		i.Index = r.u2()
		r.take(n - 2)
	case i.Op.jumps() && n == 4:
		i.Jumps = []int{at + int(int32(r.u4()))}
	case i.Op.jumps():
		i.Jumps = []int{at + int(int16(r.u2()))}
	default:
		r.take(n)
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

// wide reads the rest of a wide instruction: an opcode with an index of two bytes, and for iinc
// two more.
func (i *Instruction) wide(r *input) {
	i.Op, i.Wide = Op(r.u1()), true
	r.take(2)
	switch op := i.Op; {
	case op == opIinc:
		r.take(2)
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
			r.take(4)
			jump()
		}
		return
	}
	low, high := int(int32(r.u4())), int(int32(r.u4()))
	for n := high - low + 1; n > 0 && r.err == nil; n-- {
		jump()
	}
}
