package bytecode

import (
	"fmt"
	"testing"
)

// TestStack compares the table with the forms of opcodes: each has an entry, and the examples of
// JVMS 6.5 have theirs.
func TestStack(t *testing.T) {
	if len(shapes) != len(mnemonics) {
		t.Fatalf("%d shapes for %d opcodes", len(shapes), len(mnemonics))
	}
	want := map[string]string{"lload_3": "0 2", "aload_0": "0 1", "daload": "2 2", "bastore": "3 0", "ladd": "2 2", "ineg": "1 1", "lushr": "2 2", "iinc": "0 0",
		"i2l": "1 2", "d2f": "1 1", "i2s": "1 1", "lcmp": "2 1", "ifle": "1 0", "if_acmpne": "2 0", "goto": "0 0", "lookupswitch": "1 0", "areturn": "1 0", "return": "0 0",
		"putstatic": "1 0", "putfield": "2 0", "new": "0 1", "arraylength": "1 1", "athrow": "1 0", "instanceof": "1 1", "monitorexit": "1 0", "ifnonnull": "1 0"}
	for op, name := range mnemonics {
		if w := want[name]; w != "" {
			takes, leaves := (Instruction{Op: Op(op)}).Stack()
			if got := fmt.Sprint(takes, leaves); got != w {
				t.Errorf("%s: %s, not %s", name, got, w)
			}
			delete(want, name)
		}
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
	call := Instruction{Op: opInvokevirtual, Member: &Member{Descriptor: "(J[[Ljava/lang/String;I[BD)J"}}
	if takes, leaves := call.Stack(); takes != 6 || leaves != 2 {
		t.Errorf("a call takes %d and leaves %d", takes, leaves)
	}
}
