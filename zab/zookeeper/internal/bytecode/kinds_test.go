package bytecode_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// kinds is a program with all instructions that have operands in the constant pool or a table. The
// generated parts need constants above 255, local variables above 255, and jumps above 32767.
const kinds = `
import java.util.function.*;
public class Kinds {
    interface Caller { long call(long a, Object b); }
    static int count; long field; static String[] names = {"na\0me \ud83d\ude00"};
    static native void none();
    static class Names { int \u00e9\ud835\udcb6; Names(int k) { \u00e9\ud835\udcb6 = k; } }
    int dense(int k) { switch (k) { case 1: return 5; case 2: count++; case 4: return 6; default: return 7; } }
    int sparse(int k) { switch (k) { case -1000: return 5; case 7: return 6; case 100000: return 8; } return 7; }
    int text(String s) { switch (s) { case "a": return 1; case "b": return 2; default: return 3; } }
    Object arrays(Object o) {
        long[][][] a = new long[2][3][]; a[0] = new long[0][]; o = new StringBuilder();
        if (o instanceof int[]) { return ((int[]) o).clone(); }
        return names.clone();
    }
    synchronized long calls(Caller c, String s) {
        Supplier<String> supplier = () -> s + field + supplier(this);
        synchronized (this) { field += c.call(1L << 40, supplier.get()); }
        try { none(); } catch (RuntimeException e) { count--; } finally { field = 3L; }
        return field;
    }
    static String supplier(Kinds k) { return String.valueOf(k.field) + 2.5; }
    static int pad(int a) { return %s a; }
    static Object constants() { String s = ""; %s return s; }
    static double locals(int p) { %s long l = p; float f = 1; double d = 2; Object o = null;
        for (int k = 0; k < 10; k += 1000) { l += k; f += l; d += f; o = names; v299++; } return d + v299 + (o == null ? 1 : 2); }
    static int far(int p) { while (p > 0) { %s } return p; }
}
`

// compiled compiles the program once, into a folder that the last test removes.
var compiled = sync.OnceValues(func() (string, error) {
	var constants, locals strings.Builder
	for k := range 300 {
		fmt.Fprintf(&constants, "s = %q;", fmt.Sprint("constant ", k))
		fmt.Fprintf(&locals, "int v%d = p;", k)
	}
	source := fmt.Sprintf(kinds, strings.Repeat("a +", 300), constants.String(), locals.String(), strings.Repeat("p = p * 7777 - 5;", 5000))
	dir, err := os.MkdirTemp("", "bytecode-kinds")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "Kinds.java")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		return dir, err
	}
	if out, err := exec.Command("javac", "-g", "-encoding", "UTF-8", "-d", dir, file).CombinedOutput(); err != nil {
		return dir, fmt.Errorf("javac: %w\n%s", err, out)
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if _, err := exec.LookPath("javac"); err == nil {
		if dir, _ := compiled(); dir != "" {
			os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

// readKinds returns a compiled class file of the program.
func readKinds(t *testing.T, name string) []byte {
	t.Helper()
	needs(t, "javac", "javap")
	dir, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, name+".class"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// others are all instructions whose operands are no constants, with operands; javac never uses some
// of them. Jumps go to the instruction that follows.
func others() (out []byte) {
	for _, r := range [][2]byte{{0x00, 0x0f}, {0x1a, 0x35}, {0x3b, 0x83}, {0x85, 0x98}, {0xac, 0xb1}, {0xbe, 0xbf}, {0xc2, 0xc3}} {
		for op := r[0]; op <= r[1]; op++ {
			out = append(out, op)
		}
	}
	for _, op := range []byte{0x15, 0x16, 0x17, 0x18, 0x19, 0x36, 0x37, 0x38, 0x39, 0x3a, 0xa9} {
		out = append(out, op, 7, 0xc4, op, 1, 0)
	}
	for op := byte(0x99); op <= 0xa8; op++ {
		out = append(out, op, 0, 3)
	}
	return append(out, 0x10, 0xfb, 0x11, 1, 0, 0x84, 1, 2, 0xc4, 0x84, 1, 0, 0, 5, 0xbc, 10,
		0xc6, 0, 3, 0xc7, 0, 3, 0xc8, 0, 0, 0, 5, 0xc9, 0, 0, 0, 5)
}

// TestKinds compares all kinds of instructions with javap, which verifies nothing: the code of one
// method is replaced by the instructions that javac does not use.
func TestKinds(t *testing.T) {
	b := readKinds(t, "Kinds")
	c, err := bytecode.ReadClass(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range c.Methods {
		if m.Name == "pad" {
			if len(m.Bytes) < len(others())+1 {
				t.Fatalf("pad has %d bytes, %d are needed", len(m.Bytes), len(others()))
			}
			at := bytes.Index(b, m.Bytes)
			clear(b[at : at+len(m.Bytes)])
			copy(b[at:], others())
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "Kinds.class"), b, 0o644); err != nil {
		t.Fatal(err)
	}
	if c, err = bytecode.ReadClass(b); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	want := readJavap(t, javap(t, dir, "Kinds"))
	if len(want) != 1 {
		t.Fatalf("javap printed %d classes", len(want))
	}
	compare(t, c, want[0], seen)
	for op := range 202 {
		name := bytecode.Op(op).String()
		if seen[name] == 0 && name != "wide" {
			t.Errorf("no %s occurred", name)
		}
	}
	for _, name := range []string{"iload_w", "lstore_w", "iinc_w", "ret_w"} {
		if seen[name] == 0 {
			t.Errorf("no %s occurred", name)
		}
	}
}
