package bytecode_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
)

// busy calls methods of ConcurrentHashMap, so that the JVM rewrites their bytecode for speed.
const busy = `
public class Busy {
    public static void main(String[] args) {
        java.util.concurrent.ConcurrentHashMap<Integer, Integer> m = new java.util.concurrent.ConcurrentHashMap<>();
        for (int k = 0; k < 10000; k++) { m.merge(k % 3000, 1, Integer::sum); m.remove(k % 100); }
        new java.util.TreeMap<>(m).headMap(100).forEach((k, v) -> m.computeIfAbsent(-k, x -> v));
        done();
    }
    static void done() { }
}
`

// TestLive decodes what a running JVM gives through JDWP. The JVM has run some of the methods, and
// one of them has a breakpoint. javap prints the same from the class file.
func TestLive(t *testing.T) {
	needs(t, "javac", "java", "javap")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "Busy.java"), []byte(busy), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("javac", "-d", dir, filepath.Join(dir, "Busy.java")).CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	vm := atDone(t, dir)
	names := []string{"java.util.concurrent.ConcurrentHashMap", "java.util.TreeMap", "java.util.HashMap", "java.lang.String", "java.lang.Thread"}
	seen := map[string]int{}
	for k, want := range readJavap(t, javap(t, dir, names...)) {
		class, err := vm.ClassNamed(names[k])
		if err != nil {
			t.Fatal(err)
		}
		c := &bytecode.Class{Name: names[k]}
		count, raw, err := class.ConstantPool()
		if err != nil {
			t.Fatal(err)
		}
		if c.Pool, err = bytecode.ParsePool(count, raw); err != nil {
			t.Fatalf("%s: %v", names[k], err)
		}
		methods, err := class.Methods()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range methods {
			const native, abstract = 0x100, 0x400
			out := bytecode.Method{Name: m.Name, Descriptor: m.Signature, Flags: m.Flags}
			if m.Flags&(native|abstract) == 0 {
				if out.Bytes, err = m.Bytecodes(); err != nil {
					t.Fatal(err)
				}
			}
			c.Methods = append(c.Methods, out)
		}
		compare(t, c, want, seen)
	}
	if seen["invokedynamic"] == 0 || seen["invokeinterface"] == 0 || seen["tableswitch"]+seen["lookupswitch"] == 0 {
		t.Errorf("the classes have too few kinds of instructions: %v", seen)
	}
}

// atDone runs Busy up to its method done, with a breakpoint in ConcurrentHashMap.
func atDone(t *testing.T, dir string) *jdwp.VM {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	fatal := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	l, err := jdwp.Listen()
	fatal(err)
	defer l.Close()
	cmd := exec.Command("java", l.Option(), "-XX:TieredStopAtLevel=1", "-cp", dir, "Busy")
	fatal(cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	vm, err := l.Accept(ctx)
	fatal(err)
	t.Cleanup(func() { vm.Close() })
	_, err = vm.SetClassPrepare("Busy", jdwp.EventThread)
	fatal(err)
	fatal(vm.Resume())
	set, err := vm.Next(ctx)
	fatal(err)
	stop := func(class jdwp.Class, method string, p jdwp.SuspendPolicy) jdwp.RequestID {
		t.Helper()
		m, err := class.Method(method, "")
		fatal(err)
		id, err := vm.SetBreakpoint(m.At(0), p)
		fatal(err)
		return id
	}
	done := stop(set.Events[0].Class, "done", jdwp.EventThread)
	table, err := vm.ClassNamed("java.util.concurrent.ConcurrentHashMap")
	fatal(err)
	stop(table, "computeIfAbsent", jdwp.None)
	fatal(set.Thread().Resume())
	for !set.Has(done) {
		set, err = vm.Next(ctx)
		fatal(err)
	}
	return vm
}
