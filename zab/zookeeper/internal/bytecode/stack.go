package bytecode

import "strings"

// Stack says what an instruction does to the operand stack. It takes a number of values, where one
// of two words counts as one. It leaves a value of some words: 0 for none, 2 for a long or a
// double, else 1. It does not describe the instructions that copy or exchange values of the
// stack (Op.Moves).
func (i Instruction) Stack() (takes, leaves int) {
	switch {
	case i.Op.isCall():
		takes = len(Parameters(i.Member.Descriptor))
		if i.Op != opInvokestatic && i.Op != opInvokedynamic {
			takes++
		}
		_, result, _ := strings.Cut(i.Member.Descriptor, ")")
		return takes, words(result)
	case i.Op == opGetstatic:
		return 0, words(i.Member.Descriptor)
	case i.Op == opGetfield:
		return 1, words(i.Member.Descriptor)
	case i.Op == opMultianew:
		return int(i.Const[0] - '0'), 1
	}
	s := shapes[i.Op]
	return int(s[0] - '0'), int(s[1] - '0')
}

// Moves reports whether the instruction copies, exchanges or drops values of the stack.
func (op Op) Moves() bool { return op >= 87 && op <= 95 }

// shapes are the values that opcodes take and the words that they leave, for the opcodes 0 to 201.
// Those whose operands decide have x.
var shapes = strings.Fields("" +
	"00 01 01 01 01 01 01 01 01 02 02 01 01 01 02 02 01 01 01 01 02 " + // constants
	"01 02 01 02 01 01 01 01 01 02 02 02 02 01 01 01 01 02 02 02 02 01 01 01 01 " + // loads
	"21 22 21 22 21 21 21 21 " + // of arrays
	"10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 " + // stores
	"30 30 30 30 30 30 30 30 " + // into arrays
	"xx xx xx xx xx xx xx xx xx " + // pop to swap
	"21 22 21 22 21 22 21 22 21 22 21 22 21 22 21 22 21 22 21 22 11 12 11 12 " + // add to neg
	"21 22 21 22 21 22 21 22 21 22 21 22 00 " + // shl to xor, iinc
	"12 11 12 11 11 12 11 12 12 11 12 11 11 11 11 21 21 21 21 21 " + // conversions, comparisons
	"10 10 10 10 10 10 20 20 20 20 20 20 20 20 00 01 00 10 10 10 10 10 10 10 00 " + // jumps
	"xx 10 xx 20 xx xx xx xx xx 01 11 11 11 10 11 11 10 10 00 xx 10 10 00 01")

// words returns how many words a value of a type has; 0 for void.
func words(descriptor string) int {
	switch {
	case descriptor == "V":
		return 0
	case descriptor == "J" || descriptor == "D":
		return 2
	}
	return 1
}

// Parameters returns the types of a method's parameters, as descriptors.
func Parameters(descriptor string) (out []string) {
	rest := strings.TrimPrefix(descriptor, "(")
	for rest != "" && rest[0] != ')' {
		n := len(rest) - len(strings.TrimLeft(rest, "["))
		if n < len(rest) && rest[n] == 'L' {
			n += max(strings.IndexByte(rest[n:], ';'), 0)
		}
		n = min(n+1, len(rest))
		out, rest = append(out, rest[:n]), rest[n:]
	}
	return out
}
