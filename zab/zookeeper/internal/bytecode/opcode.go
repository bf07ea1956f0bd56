package bytecode

import (
	"fmt"
	"strings"
)

// Op is the opcode of an instruction, JVMS 6.5.
type Op byte

// The opcodes that the package distinguishes.
const (
	opBipush        Op = 16
	opSipush        Op = 17
	opLdc           Op = 18
	opLdcW          Op = 19
	opLdc2W         Op = 20
	opIload         Op = 21
	opAload         Op = 25
	opIaload        Op = 46
	opIstore        Op = 54
	opAstore        Op = 58
	opIastore       Op = 79
	opIinc          Op = 132
	opIfeq          Op = 153
	opGoto          Op = 167
	opJsr           Op = 168
	opRet           Op = 169
	opTableswitch   Op = 170
	opLookupswitch  Op = 171
	opGetstatic     Op = 178
	opPutstatic     Op = 179
	opGetfield      Op = 180
	opPutfield      Op = 181
	opInvokevirtual Op = 182
	opInvokestatic  Op = 184
	opInvokeinterf  Op = 185
	opInvokedynamic Op = 186
	opNew           Op = 187
	opNewarray      Op = 188
	opAnewarray     Op = 189
	opCheckcast     Op = 192
	opInstanceof    Op = 193
	opWide          Op = 196
	opMultianew     Op = 197
	opIfnull        Op = 198
	opIfnonnull     Op = 199
	opGotoW         Op = 200
	opJsrW          Op = 201
)

// mnemonics are the names of the opcodes 0 to 201.
var mnemonics = strings.Fields("" +
	"nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 " +
	"lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w " +
	"iload lload fload dload aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 " +
	"lload_3 fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 " +
	"aload_2 aload_3 iaload laload faload daload aaload baload caload saload istore lstore " +
	"fstore dstore astore istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 " +
	"lstore_3 fstore_0 fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 " +
	"astore_0 astore_1 astore_2 astore_3 iastore lastore fastore dastore aastore bastore " +
	"castore sastore pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd fadd dadd " +
	"isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem ineg " +
	"lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f " +
	"i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg ifeq " +
	"ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt if_icmple " +
	"if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch ireturn lreturn freturn " +
	"dreturn areturn return getstatic putstatic getfield putfield invokevirtual invokespecial " +
	"invokestatic invokeinterface invokedynamic new newarray anewarray arraylength athrow " +
	"checkcast instanceof monitorenter monitorexit wide multianewarray ifnull ifnonnull " +
	"goto_w jsr_w")

// String returns the mnemonic.
func (op Op) String() string {
	if int(op) < len(mnemonics) {
		return mnemonics[op]
	}
	return fmt.Sprintf("opcode %d", byte(op))
}

// operands returns the number of bytes after the opcode. The switches have a variable number: -1.
func (op Op) operands() int {
	switch {
	case op == opTableswitch || op == opLookupswitch || op == opWide:
		return -1
	case op == opBipush, op == opLdc, op >= opIload && op <= opAload, op >= opIstore && op <= opAstore,
		op == opRet, op == opNewarray:
		return 1
	case op == opSipush, op == opLdcW, op == opLdc2W, op == opIinc, op >= opIfeq && op <= opJsr,
		op >= opGetstatic && op < opInvokeinterf, op == opNew, op == opAnewarray, op == opCheckcast,
		op == opInstanceof, op == opIfnull, op == opIfnonnull:
		return 2
	case op == opMultianew:
		return 3
	case op == opInvokeinterf, op == opInvokedynamic, op == opGotoW, op == opJsrW:
		return 4
	}
	return 0
}

// usesPool reports whether the operand of the instruction is an index into the constant pool.
func (op Op) usesPool() bool {
	return op >= opLdc && op <= opLdc2W || op >= opGetstatic && op <= opNew || op == opAnewarray ||
		op == opCheckcast || op == opInstanceof || op == opMultianew
}

// jumps reports whether the operand of the instruction is an offset to jump to.
func (op Op) jumps() bool {
	return op >= opIfeq && op <= opJsr || op >= opIfnull && op <= opJsrW
}

// Conditional reports whether the instruction jumps or does not, as a value decides.
func (op Op) Conditional() bool {
	return op >= opIfeq && op < opGoto || op == opIfnull || op == opIfnonnull
}

// IsCall reports whether the instruction calls a method.
func (op Op) IsCall() bool { return op.isCall() }

// IsRead reports whether the instruction reads a field, static or not.
func (op Op) IsRead() bool { return op.isRead() }

// IsWrite reports whether the instruction writes a field, static or not.
func (op Op) IsWrite() bool { return op.isWrite() }

// isCall reports whether the instruction calls a method. An invokedynamic calls what its bootstrap
// method returns.
func (op Op) isCall() bool { return op >= opInvokevirtual && op <= opInvokedynamic }

func (op Op) isRead() bool  { return op == opGetstatic || op == opGetfield }
func (op Op) isWrite() bool { return op == opPutstatic || op == opPutfield }
