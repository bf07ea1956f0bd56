// Package bytecode finds instructions in the compiled methods of Java classes: the place before or
// after a call, or at the write of a field. Source: chapters 4 and 6 of the Java Virtual Machine
// Specification, Java SE 17 (JVMS).
//
// # From where the bytes come
//
// A running JVM gives the constant pool of a class and the bytes of a method through JDWP:
//
//	pool, err := bytecode.ParsePool(count, raw)       // ReferenceType.ConstantPool
//	code, err := bytecode.Decode("run(J)V", b, pool)  // Method.Bytecodes
//
// A jar gives the same without a JVM: OpenJar, Jar.Class, Class.Code.
//
// # How a place is named
//
// Line numbers change between releases, and offsets even more. So a place names a call or a field,
// which releases keep:
//
//	at, err := code.After(bytecode.Call("org.example.Peer", "setEpoch", "(J)V"), bytecode.Only)
//
// The class is the one that the instruction names: the static type of the receiver, not the class
// that declares the method. Only fails unless exactly one instruction matches. Nth and FirstAfter
// choose among several:
//
//	 0 aload_0
//	 1 invokevirtual Peer.load      Before(Call load)             =  1
//	 4 aload_0
//	 5 lload_1
//	 6 invokevirtual Peer.setEpoch  Before(Call setEpoch, Nth(1)) =  6
//	 9 aload_0                      After(Call setEpoch, Nth(1))  =  9
//	10 lload_1
//	11 invokevirtual Peer.setEpoch  Before(Call setEpoch, FirstAfter(9)) = 11
//	14 return
//
// # Before and after
//
// A breakpoint strikes before its instruction runs. At the offset of a call the arguments are
// computed and the callee has not begun. After a call means the next instruction. If a jump
// elsewhere in the method leads to that instruction, a thread may reach it without the call, and
// After fails. Entries of exception handlers are not counted as jumps: Java compilers never let the
// code before a handler run into it.
package bytecode
