package effects

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/javac"
)

// around the method that a case changes.
const (
	head = `package org.example;
import java.util.*;
class Log { static void debug(String s) {} static void all(String s, Object... of) {} }
class Box { long value; long other; void set(long v) { value = v; } long get() { return value; } }
class Wire { static void send(long type, long zxid) { Box b = new Box(); b.value = type; } }
class Leader {
  long committed; long seen; private long counted; boolean open; Box box = new Box();
  Map<Long, Long> pending = new HashMap<>(); List<Long> applied = new ArrayList<>();
  static long sum(long a, long b) { return a + b; }
  long shown() { return seen; }
`
	tail = `
}
`
)

// many has more constants than ldc can name, so that one more makes ldc_w of an ldc.
var many = func() string {
	var all []string
	for k := range 200 {
		all = append(all, fmt.Sprintf("%q", fmt.Sprint("constant ", k)))
	}
	return "\n String[] many() { return new String[] {" + strings.Join(all, ", ") + "}; }"
}()

// foreign is a class that a call of Iterator.next may lead to.
const foreign = "static class It implements Iterator<Long> { public long at; public boolean hasNext() { return true; } public Long next() { at++; return at; } }\n" +
	" Iterator<Long> own = new It();\n"

// cases are bodies of class Leader on both sides, and what is expected: the places that are not
// observed, or "same" if all lines are as before.
var cases = []struct{ name, before, after, want string }{
	{"another name", "void f(long z) { long a = z + 1;\n committed = a; }", "void f(long z) { long b = z + 1;\n committed = b; }", "same"},
	{"temporary variable", "void f(long z) {\n if (pending.containsKey(z)) { committed = z; } }", "void f(long z) {\n boolean has = pending.containsKey(z);\n if (has) { committed = z; } }", "same"},
	{"negation", "void f(long z) {\n if (z != 1) { committed = z; } else { seen = z; } }", "void f(long z) {\n if (z == 1) { seen = z; } else { committed = z; } }", "same"},
	{"early return", "void f(long z) {\n if (z > 1) { committed = z; seen = 2; } }", "void f(long z) {\n if (z <= 1) { return; }\n committed = z; seen = 2; }", "same"},
	{"independent order", "void f(long z) {\n pending.remove(z);\n applied.add(z); }", "void f(long z) {\n applied.add(z);\n pending.remove(z); }", "same"},
	{"dependent order", "void f(long z) {\n seen = committed;\n committed = z; }", "void f(long z) {\n committed = z;\n seen = committed; }", "Leader.seen"},
	{"extracted method", "void f(long z) {\n committed = z;\n seen = z + 1; }", "void f(long z) {\n note(z, 1); }\n private void note(long z, long by) { committed = z;\n seen = z + by; }", "same"},
	{"extracted function", "void f(long z) {\n committed = z > 2 ? 1 : z; }", "void f(long z) {\n committed = least(z); }\n private static long least(long z) { return z > 2 ? 1 : z; }", "same"},
	{"extracted method with a mistake", "void f(long z) {\n committed = z;\n seen = z + 1; }", "void f(long z) {\n note(z); }\n private void note(long z) { committed = z;\n seen = z; }", "Leader.seen"},
	{"inlined method", "void f(long z) {\n note(z); }\n void note(long z) { committed = z; }", "void f(long z) {\n committed = z; }", "same"},
	{"log", "void f(long z) {\n committed = z; }", "void f(long z) {\n Log.debug(\"at \" + Long.toHexString(z));\n committed = z; }", "same"},
	{"log with a new constant", "void f(long z) {\n committed = z; }" + many, "void f(long z) {\n Log.debug(\"late\");\n committed = z; }" + many, "same"},
	{"log under a condition", "void f(long z) {\n committed = z; }", "void f(long z) {\n if (z > 2) { Log.debug(\"large\"); }\n committed = z; }", "same"},
	{"field that nothing observes", "void f(long z) {\n committed = z; }", "void f(long z) {\n seen = z;\n committed = z; }", "Leader.seen"},
	{"field that is observed", "void f(long z) {\n committed = z; }", "void f(long z) {\n committed = z + 1; }", ""},
	{"counter", "void f(long z) {\n committed = z; }", "void f(long z) {\n counted++;\n committed = z; }", "same"},
	{"through a local variable", "void f(long z) { long a = z;\n seen = a; }", "void f(long z) { long a = z + 1;\n seen = a; }", "Leader.seen"},
	{"value that reaches nothing", "void f(long z) { long a = z;\n committed = 1; }", "void f(long z) { long a = z * 3;\n committed = 1; }", "same"},
	{"through a call", "void f(long z) {\n box.set(z); }", "void f(long z) {\n box.set(z + 1); }", "Box.value"},
	{"through a result", "long g() { return 1; }\n void f(long z) { seen = g(); }", "long g() { return 2; }\n void f(long z) { seen = g(); }", "Leader.seen"},
	{"result that nothing takes", "long g() { return 1; }", "long g() { return 2; }", "the result of Leader.g"},
	{"condition decides", "void f(long z) {\n if (z > 1) { committed = z; seen = z; } }", "void f(long z) {\n if (z > 2) { committed = z; seen = z; } }", "Leader.seen"},
	{"derived condition is observed", "void f(long z) { long a = z;\n if (a > 1) { committed = 1; seen = 1; } }", "void f(long z) { long a = z + 1;\n if (a > 1) { committed = 1; seen = 1; } }", "Leader.seen"},
	{"derived condition in a callee", "void g(long z) { if (z > 1) { committed = 1; seen = 1; } }\n void f(long z) { g(z); }", "void g(long z) { if (z > 1) { committed = 1; seen = 1; } }\n void f(long z) { g(z + 1); }", ""},
	{"collection", "List<Long> late = new ArrayList<>();\n void f(long z) { late.add(z); }", "List<Long> late = new ArrayList<>();\n void f(long z) { late.add(z + 1); }", "Leader.late"},
	{"observed collection", "void f(long z) { pending.put(z, 1L); }", "void f(long z) { pending.put(z, 2L); }", ""},
	{"local collection", "void f(long z) { List<Long> l = new ArrayList<>(); l.add(z);\n seen = l.get(0); }", "void f(long z) { List<Long> l = new ArrayList<>(); l.add(z + 1);\n seen = l.get(0); }", "Leader.seen"},
	{"removed call", "void f(long z) {\n box.set(z);\n committed = z; }", "void f(long z) {\n committed = z; }", "Box.value"},
	{"message", "void f(long z) { Wire.send(1, z); }", "void f(long z) { Wire.send(2, z); }", ""},
	{"message that is gone", "void f(long z) {\n Wire.send(1, z);\n committed = z; }", "void f(long z) {\n committed = z; }", ""},
	{"code outside", "void f(long z) { committed = z; }", "void f(long z) { new Thread(() -> { }).start(); committed = z; }", "what Thread.start does, what a new Thread does"},
	{"lambda", "void f(long z) { pending.forEach((k, v) -> {\n seen = k; }); }", "void f(long z) { pending.forEach((k, v) -> {\n seen = v; }); }", "Leader.seen"},
	{"synchronized", "void f(long z) {\n committed = z; }", "synchronized void f(long z) {\n committed = z; }", "a monitor"},
	{"moved out of a monitor", "void f(long z) {\n synchronized (this) { committed = z;\n seen = z; } }", "void f(long z) {\n synchronized (this) { committed = z; }\n seen = z; }", "Leader.seen, a monitor"},
	{"another object", "List<Box> boxes = new ArrayList<>();\n void f(long z) { Box b = new Box(); b.value = z;\n boxes.add(b); }", "List<Box> boxes = new ArrayList<>();\n void f(long z) { Box b = new Box(); b.value = z;\n boxes.add(new Box()); }", "Leader.boxes"},
	{"objects in another order", "void f(Set<Long> s) { String a = new String(\"1\"), b = new String(\"2\");\n applied.add(Long.valueOf(a));\n applied.add(Long.valueOf(b)); seen = 1; }", "void f(Set<Long> s) { String a = new String(\"1\"), b = new String(\"2\");\n applied.add(Long.valueOf(b));\n applied.add(Long.valueOf(a)); seen = 1; }", ""},
	{"constructor's argument", "public Object kept;\n void f(long z) {\n kept = new StringBuilder(\"a\"); }", "public Object kept;\n void f(long z) {\n kept = new StringBuilder(\"b\"); }", "Leader.kept"},
	{"object made before", "Object kept;\n void f(long z) {\n kept = new ArrayList<Long>(5); }", "Object kept;\n void f(long z) {\n List<Long> l = new ArrayList<>(5);\n kept = l; }", "same"},
	{"type of a field", "int width = 0;\n void f(long z) { committed = z; }", "long width = 0;\n void f(long z) { committed = z; }", "the declaration of Leader.width"},
	{"another overload", "void g(long z) { seen = z; } void h() { g(1); }\n void f(long z) { committed = z; }", "void g(long z) { seen = z; } void h() { g(1); }\n private void g(int z) { committed = z; }\n void f(long z) { committed = z; }", "Leader.seen"},
	{"interface", "void f(long z) { committed = z; }\n static class In { }", "void f(long z) { committed = z; }\n static class In implements Cloneable { }", "the declaration of Leader.In"},
	{"added field that only changed lines use", "void f(long z) {\n committed = z; }", "private long late;\n void f(long z) {\n late = z; committed = z; }", "same"},
	{"twice", "void f(long z) {\n applied.add(z); }", "void f(long z) {\n applied.add(z);\n applied.add(z); }", ""},
	{"loop", "void f(long z) {\n for (long k = 0; k < z; k++) { committed += k; } }", "void f(long z) {\n long k = 0;\n while (k < z) { committed += k; k++; } }", "same"},
	{"loop that ends later", "void f(long z) {\n for (long k = 0; k < z; k++) { seen += k; } }", "void f(long z) {\n for (long k = 0; k <= z; k++) { seen += k; } }", "Leader.seen"},
	{"switch", "void f(int z) { switch (z) { case 1:\n committed = 1; break; case 2: seen = 1; } }", "void f(int z) { switch (z) { case 3:\n committed = 1; break; case 2: seen = 1; } }", "Leader.seen"},
	{"caught", "void f(long z) {\n committed = z; seen = box.get(); }", "void f(long z) {\n committed = z; try { seen = box.get(); } catch (RuntimeException e) { committed = 2; } }", "Leader.seen"},
	{"iteration over a collection", foreign + "void f(long z) {\n committed = z; }", foreign + "void f(long z) {\n for (Long x : applied) { committed = x; }\n committed = z; }", ""},
	{"iteration by a class of the program", foreign + "void f(long z) {\n committed = z; }", foreign + "void f(long z) {\n own.next();\n committed = z; }", "Leader.It.at"},
	{"wrapped collection", "List<Long> late = new ArrayList<>();\n void f(long z) {\n committed = late.get(0); }", "List<Long> late = new ArrayList<>();\n void f(long z) {\n committed = Collections.unmodifiableList(late).get(0); }", ""},
	{"sorted collection", "List<Long> late = new ArrayList<>();\n void f(long z) {\n committed = z; }", "List<Long> late = new ArrayList<>();\n void f(long z) {\n Collections.sort(late);\n committed = z; }", "Leader.late"},
	{"what a thread is", "void f(long z) {\n committed = z; }", "void f(long z) {\n if (Thread.currentThread().isDaemon()) { z++; }\n committed = z; }", ""},
	{"a class apart", "static class Auth { public long at; long check(long z) { at = z; return z; } } Auth auth = new Auth();\n void f(long z) {\n committed = z; }", "static class Auth { public long at; long check(long z) { at = z; return z; } } Auth auth = new Auth();\n void f(long z) {\n committed = auth.check(z); auth.at = 2; }", ""},
	{"result of a class apart", "static class Auth { long check(long z) { return z; } } Auth auth = new Auth();\n void f(long z) {\n seen = auth.check(z); }", "static class Auth { long check(long z) { return z; } } Auth auth = new Auth();\n void f(long z) {\n seen = auth.check(z + 1); }", "Leader.seen"},
	{"what a thread is called", "void f(Runnable r) {\n Thread t = new Thread(r, \"a\");\n t.start(); }", "void f(Runnable r) {\n Thread t = new Thread(Thread.currentThread().getThreadGroup(), r, \"b\" + counted, 0);\n if (!t.isDaemon()) { t.setDaemon(true); }\n t.setPriority(3); t.start(); }", "same"},
	{"what a thread runs", "void f(Runnable r) {\n new Thread(r).start(); }", "void f(Runnable r) {\n new Thread(() -> { }).start(); }", "what a new Thread does"},
	{"group that a lambda gets", "public java.util.concurrent.ThreadFactory made;\n void f(long z) { long y = z * 2;\n made = r -> new Thread(r, \"t\" + z); }", "public java.util.concurrent.ThreadFactory made;\n void f(long z) { long y = z * 2;\n ThreadGroup g = Thread.currentThread().getThreadGroup();\n made = r -> new Thread(g, r, \"t\" + z); }", "same"},
	{"group and an object that a lambda gets", "public java.util.concurrent.ThreadFactory made;\n void f(long z) { List<Long> l = new ArrayList<>();\n made = r -> { Thread t = new Thread(r); l.add(z); return t; }; }", "public java.util.concurrent.ThreadFactory made;\n void f(long z) { List<Long> l = new ArrayList<>();\n ThreadGroup g = Thread.currentThread().getThreadGroup();\n made = r -> { Thread t = new Thread(g, r, \"\"); l.add(z); return t; }; }", "same"},
	{"group and another value that a lambda gets", "public java.util.concurrent.ThreadFactory made;\n void f(long z) { long y = z * 2;\n made = r -> {\n seen = z; return new Thread(r); }; }", "public java.util.concurrent.ThreadFactory made;\n void f(long z) { long y = z * 2;\n ThreadGroup g = Thread.currentThread().getThreadGroup();\n made = r -> {\n seen = y; return new Thread(g, r, \"\"); }; }", "Leader.made, Leader.seen, what a new Thread does"},
	{"group and values in another order", "public java.util.concurrent.ThreadFactory made;\n void f(long z) { long y = z * 2;\n made = r -> {\n seen = z - y; return new Thread(r); }; }", "public java.util.concurrent.ThreadFactory made;\n void f(long z) { long y = z * 2;\n ThreadGroup g = Thread.currentThread().getThreadGroup();\n made = r -> {\n seen = y - z; return new Thread(g, r, \"\"); }; }", "Leader.made, Leader.seen, what a new Thread does"},
	{"group that a lambda uses otherwise", "public java.util.concurrent.ThreadFactory made;\n void f(long z) { long y = z * 2;\n made = r -> {\n seen = z; return new Thread(r); }; }", "public java.util.concurrent.ThreadFactory made;\n void f(long z) { long y = z * 2;\n ThreadGroup g = Thread.currentThread().getThreadGroup();\n made = r -> {\n seen = z; g.interrupt(); return new Thread(g, r, \"\"); }; }", "Leader.made, Leader.seen, what ThreadGroup.interrupt does, what a new Thread does"},
	{"what a lambda is given", "void f(long z) { pending.forEach((k, v) -> {\n seen = k; }); }", "void f(long z) { long g = z;\n pending.forEach((k, v) -> {\n seen = v; new Thread(null, () -> { }, \"\" + g); }); }", "Leader.seen, what a new Thread does"},
	{"lambda with another value", "void f(long z) { long a = z;\n pending.forEach((k, v) -> { seen = a; }); }", "void f(long z) { long a = z + 1;\n pending.forEach((k, v) -> { seen = a; }); }", "Leader.seen"},
	{"lambda with one more value", "void f(long z) { pending.forEach((k, v) -> {\n seen = k; }); }", "void f(long z) { long a = z;\n pending.forEach((k, v) -> {\n seen = k + a; }); }", "Leader.seen"},
	{"reference to another method", "void g(Long k, Long v) { seen = k; }\n void h(Long k, Long v) { box.set(k); }\n void f(long z) {\n pending.forEach(this::g); }", "void g(Long k, Long v) { seen = k; }\n void h(Long k, Long v) { box.set(k); }\n void f(long z) {\n pending.forEach(this::h); }", "Box.value, Leader.seen"},
	{"condition around a lambda", "void f(long z) {\n if (z > 1) { pending.forEach((k, v) -> { seen = k; }); } }", "void f(long z) {\n if (z > 2) { pending.forEach((k, v) -> { seen = k; }); } }", "Leader.seen"},
	{"lambda that computes", "void f(long z) {\n applied.removeIf(x -> x > z); }", "void f(long z) { long y = z;\n applied.removeIf(x -> x > y); }", "same"},
	{"lambda that computes something else", "List<Long> late = new ArrayList<>();\n void f(long z) {\n late.removeIf(x -> x > z); }", "List<Long> late = new ArrayList<>();\n void f(long z) { long y = z + 1;\n late.removeIf(x -> x > y); }", "Leader.late"},
	{"field for a class apart", "static class Auth { long at; Auth(long z) { at = z; } } private long width = 1; long width() { return width; }\n void g() { new Auth(width()); }\n void f(long z) {\n committed = z; }", "static class Auth { long at; Auth(long z) { at = z; } } private long width = 1; long width() { return width; }\n void g() { new Auth(width()); }\n void f(long z) {\n width = z; committed = z; }", "same"},
	{"field for a class apart and others", "static class Auth { long at; Auth(long z) { at = z; } } private long width = 1; long width() { return width; }\n void g() { new Auth(width()); seen = width(); }\n void f(long z) {\n committed = z; }", "static class Auth { long at; Auth(long z) { at = z; } } private long width = 1; long width() { return width; }\n void g() { new Auth(width()); seen = width(); }\n void f(long z) {\n width = z; committed = z; }", "Leader.width"},
	{"field that decides what a class apart gets", "static class Auth { long at; Auth(long z) { at = z; } } private long width = 1; long width() { return width; }\n void g() { if (width() > 1) { new Auth(1); } }\n void f(long z) {\n committed = z; }", "static class Auth { long at; Auth(long z) { at = z; } } private long width = 1; long width() { return width; }\n void g() { if (width() > 1) { new Auth(1); } }\n void f(long z) {\n width = z; committed = z; }", "Leader.width"},
	{"field that only a stranger may read", "static class Auth { long at; Auth(long z) { at = z; } } private long width = 1; long width() { return width; }\n  void f(long z) {\n committed = z; }", "static class Auth { long at; Auth(long z) { at = z; } } private long width = 1; long width() { return width; }\n  void f(long z) {\n width = z; committed = z; }", "Leader.width"},
	{"field that nothing reads", "private Thread of;\n void f(long z) {\n committed = z; }", "private Thread of;\n void f(long z) {\n of = z > 1 ? Thread.currentThread() : null; committed = z; }", "same"},
	{"order of unknown calls", "void f(Thread a, Thread b) {\n a.start();\n b.interrupt(); }", "void f(Thread a, Thread b) {\n b.interrupt();\n a.start(); }", "what Thread.interrupt does, what Thread.start does"},
}

// TestInstances: a call leads to methods of classes that have objects, made by the program itself
// or by a name. A line that writes many places has some of them named.
func TestInstances(t *testing.T) {
	const text = `package org.example;
interface Sink { void put(long z); }
class A implements Sink { public long a; public void put(long z) { a = z; } public String toString() { return "" + new C(); } }
class B implements Sink { public long b; public void put(long z) { b = z; } }
class C implements Sink { public long c; public void put(long z) { c = z; } }
class D implements Sink { public long d; public void put(long z) { d = z; } }
class Many { %s void all(long z) { %s } }
class Main {
  Sink to = new A(); Many many = new Many();
  void found() throws Exception { to = (Sink) Class.forName("org.example.D").newInstance(); }
  static void main() throws Exception { new Main().found(); new Main().f(1); }
  void f(long z) {
%s }
}
`
	fields, writes := "", ""
	for k := range 20 {
		fields, writes = fields+fmt.Sprintf("public long f%d;", k), writes+fmt.Sprintf("f%d = z;", k)
	}
	const file = "org/example/Main.java"
	for _, c := range []struct {
		before, after string
		begins, want  []string
	}{
		{"to.put(z);", "to.put(z + 1);", []string{"org.example.Main.main"}, []string{"A.a", "C.c", "D.d"}},
		{"to.put(z);", "to.put(z + 1);", nil, []string{"A.a", "B.b", "C.c", "D.d"}},
		{"", "many.all(z);", nil, []string{"8 further places", "Many.f0", "Many.f1", "Many.f10", "Many.f11", "Many.f12", "Many.f13",
			"Many.f14", "Many.f15", "Many.f16", "Many.f17", "Many.f18", "Many.f19"}},
	} {
		var sides [2]*Program
		for k, line := range []string{c.before, c.after} {
			dir := filepath.Join(t.TempDir(), "classes")
			if err := javac.Compile(t.Context(), nil, dir, map[string]string{file: fmt.Sprintf(text, fields, writes, line)}); err != nil {
				t.Skip(err)
			}
			p, err := Load(Observed{Begins: c.begins}, dir)
			if err != nil {
				t.Fatal(err)
			}
			sides[k] = p
		}
		lines := map[string][]int{file: {13}}
		var places []string
		for _, w := range Compare(sides[0], sides[1], Changed{Lines: lines}, Changed{Lines: lines}).Writes {
			if !slices.Contains(places, w.Place) {
				places = append(places, w.Place)
			}
		}
		slices.Sort(places)
		if !slices.Equal(places, c.want) {
			t.Errorf("%q: %v, not %v", c.after, places, c.want)
		}
	}
}

// inertCases are bodies of class Leader on both sides, and whether nothing can notice the change.
var inertCases = []struct {
	name, before, after string
	want                bool
}{
	{"another name", "void f(long z) { long a = z + 1;\n committed = a; }", "void f(long z) { long b = z + 1;\n committed = b; }", true},
	{"temporary variable", "void f(long z) {\n if (pending.containsKey(z)) { committed = z; } }", "void f(long z) {\n boolean has = pending.containsKey(z);\n if (has) { committed = z; } }", true},
	{"negation", "void f(long z) {\n if (z != 1) { committed = z; } else { seen = z; } }", "void f(long z) {\n if (z == 1) { seen = z; } else { committed = z; } }", true},
	{"early return", "void f(long z) {\n if (z > 1) { committed = z; seen = 2; } }", "void f(long z) {\n if (z <= 1) { return; }\n committed = z; seen = 2; }", true},
	{"extracted method", "void f(long z) {\n committed = z;\n seen = z + 1; }", "void f(long z) {\n note(z, 1); }\n private void note(long z, long by) { committed = z;\n seen = z + by; }", true},
	{"value that reaches nothing", "void f(long z) { long a = z;\n committed = 1; }", "void f(long z) { long a = z * 3;\n committed = 1; }", true},
	{"log", "void f(long z) {\n committed = z; }", "void f(long z) {\n Log.debug(\"at \" + Long.toHexString(z) + seen + open);\n committed = z; }", true},
	{"log in a loop under a condition", "void f(long z) { for (;;) {\n if (pending.remove(z) == null) { return; }\n committed = z; } }", "void f(long z) { for (;;) {\n if (pending.remove(z) == null) { return; }\n if (z > 2) { Log.debug(\"large\"); }\n committed = z; } }", true},
	{"log of an object that was used", "void f(Box b) {\n committed = b.value; }", "void f(Box b) {\n committed = b.value;\n Log.debug(\"\" + b.other + b.get()); }", true},
	{"log with several arguments", "void f(long z) {\n committed = z; }", "void f(long z) {\n Log.all(\"{} {}\", z, this.seen);\n committed = z; }", true},
	{"log under a caught exception", "void f(Box b) {\n try { committed = b.value; } catch (RuntimeException e) { committed = 1; } }", "void f(Box b) {\n try { committed = b.value; Log.debug(\"a\"); } catch (RuntimeException e) { Log.debug(\"b\"); committed = 1; } }", true},
	{"loop", "void f(long z) {\n for (long k = 0; k < z; k++) { committed += k; } }", "void f(long z) {\n long k = 0;\n while (k < z) { committed += k; k++; } }", true},
	{"function that nothing calls", "void f(long z) { committed = z; }", "void f(long z) { committed = z; }\n private void g() { committed = 2; }", true},
	{"constant of its own", "void f(long z) { committed = 5; }", "private static final long FIVE = 5;\n void f(long z) { committed = FIVE; }", true},

	{"field", "void f(long z) {\n committed = z; }", "void f(long z) {\n counted++;\n committed = z; }", false},
	{"independent order", "void f(long z) {\n pending.remove(z);\n applied.add(z); }", "void f(long z) {\n applied.add(z);\n pending.remove(z); }", false},
	{"order in a loop", "void f(long z) { for (;;) {\n committed = z;\n Wire.send(1, committed); } }", "void f(long z) { for (;;) {\n Wire.send(1, committed);\n committed = z; } }", false},
	{"log of an object that may be null", "void f(Box b) {\n committed = 1; }", "void f(Box b) {\n Log.debug(\"\" + b.value);\n committed = 1; }", false},
	{"log of an object before it is used", "void f(Box b) {\n committed = b.value; }", "void f(Box b) {\n Log.debug(\"\" + b.other);\n committed = b.value; }", false},
	{"log of an object that is used on one path", "void f(Box b, long z) {\n if (z > 1) { committed = b.value; } }", "void f(Box b, long z) {\n if (z > 1) { committed = b.value; }\n Log.debug(\"\" + b.other); }", false},
	{"log of an object after a caught exception", "void f(Box b) {\n try { committed = b.value; } catch (RuntimeException e) { } }", "void f(Box b) {\n try { committed = b.value; } catch (RuntimeException e) { }\n Log.debug(\"\" + b.other); }", false},
	{"log of an object of the last round", "void f(Box b) { for (;;) {\n committed = b.value;\n b = next(); } }\n Box next() { return null; }", "void f(Box b) { for (;;) {\n committed = b.value;\n b = next(); Log.debug(\"\" + b.other); } }\n Box next() { return null; }", false},
	{"log that counts", "void f(long z) {\n committed = z; }", "void f(long z) {\n Log.debug(\"\" + counted++);\n committed = z; }", false},
	{"log that takes an element", "void f(long z) {\n committed = z; }", "void f(long z) {\n Log.debug(\"\" + applied.remove(0));\n committed = z; }", false},
	{"log that calls what may fail", "void f(long z) {\n committed = z; }", "void f(long z) {\n Log.debug(\"\" + checked(z));\n committed = z; }\n private long checked(long z) { if (z < 0) { throw new IllegalStateException(); } return z; }", false},
	{"log that divides", "void f(long z) {\n committed = z; }", "void f(long z) {\n Log.debug(\"\" + 10 / z);\n committed = z; }", false},
	{"log that casts", "void f(Object o) {\n committed = 1; }", "void f(Object o) {\n Log.debug(\"\" + (Box) o);\n committed = 1; }", false},
	{"log of the time", "void f(long z) {\n committed = z; }", "void f(long z) {\n Log.debug(\"\" + System.nanoTime());\n committed = z; }", true},
	{"time that is kept", "void f(long z) {\n committed = z; }", "void f(long z) {\n committed = z; seen = System.nanoTime(); }", false},
	{"getter with another name", "static class In { long v; long was() { return v; } }\n void f(In i) {\n Log.debug(\"\" + i.was()); }", "static class In { long v; long is() { return v; } }\n void f(In i) {\n Log.debug(\"\" + i.is()); }", true},
	{"method of an object that may not be there", "static class In { }\n void f(In i) {\n Log.debug(\"\" + 1); }", "static class In { long one() { return 1; } }\n void f(In i) {\n Log.debug(\"\" + i.one()); }", false},
	{"log of a volatile field", "volatile boolean late;\n void f(long z) {\n committed = z; }", "volatile boolean late;\n void f(long z) {\n Log.debug(\"\" + late);\n committed = z; }", false},
	{"log that locks", "synchronized long at() { return seen; }\n void f(long z) {\n committed = z; }", "synchronized long at() { return seen; }\n void f(long z) {\n Log.debug(\"\" + at());\n committed = z; }", false},
	{"log that begins a class", "void f(long z) {\n committed = z; }\n static class Late { static long of = Leader.sum(1, 2); }", "void f(long z) {\n Log.debug(\"\" + Late.of);\n committed = z; }\n static class Late { static long of = Leader.sum(1, 2); }", false},
	{"check that throws", "void f(long z) {\n committed = z; }\n private void check(long z) { if (z < 0) { throw new IllegalStateException(); } }", "void f(long z) {\n check(z);\n committed = z; }\n private void check(long z) { if (z < 0) { throw new IllegalStateException(); } }", false},
	{"loop that does not end", "void f(long z) {\n committed = z; }", "void f(long z) {\n committed = z;\n while (z > 1) { } }", false},
	{"loop without a condition", "void f(long z) {\n committed = z; }", "void f(long z) {\n committed = z;\n for (;;) { } }", false},
	{"condition", "void f(long z) {\n if (z > 1) { committed = z; } }", "void f(long z) {\n if (z > 2) { committed = z; } }", false},
	{"read that moves out of a condition", "void f(Box b) {\n if (b != null) { long v = b.value; committed = v; } }", "void f(Box b) {\n long v = b.value;\n if (b != null) { committed = v; } }", false},
	{"field that is read again", "void f(long z) {\n long a = seen; Wire.send(1, a); Wire.send(2, a); }", "void f(long z) {\n Wire.send(1, seen); Wire.send(2, seen); }", false},
	{"read before a call that waits", "void f(Thread t) throws Exception {\n t.join(); committed = seen; }", "void f(Thread t) throws Exception {\n long a = seen; t.join(); committed = a; }", false},
	{"caught", "void f(Box b) {\n committed = b.value; }", "void f(Box b) {\n try { committed = b.value; } catch (RuntimeException e) { } }", false},
	{"handlers that are exchanged", "void f(Box b) {\n try { committed = b.value; } catch (RuntimeException e) { seen = 1; }\n try { seen = b.other; } catch (RuntimeException e) { seen = 2; } }", "void f(Box b) {\n try { committed = b.value; } catch (RuntimeException e) { seen = 2; }\n try { seen = b.other; } catch (RuntimeException e) { seen = 1; } }", false},
	{"out of a monitor", "void f(long z) {\n synchronized (this) { committed = z;\n seen = z; } }", "void f(long z) {\n synchronized (this) { committed = z; }\n seen = z; }", false},
	{"synchronized", "void f(long z) {\n committed = z; }", "synchronized void f(long z) {\n committed = z; }", false},
	{"method that overrides", "static class In extends Box { }\n void f(long z) { committed = z; }", "static class In extends Box { void set(long v) { } }\n void f(long z) { committed = z; }", false},
	{"constant that others use", "static final int WIDTH = 5;\n void f(long z) { committed = z; }", "static final int WIDTH = 6;\n void f(long z) { committed = z; }", false},
	{"element of an array that is used", "void f(Object o) {\n Object[] all = new Object[2]; pending.put(1L, (long) all.hashCode()); g(all); }\n void g(Object[] all) { committed = all.length; seen = all[0] == null ? 1 : 2; }", "void f(Object o) {\n Object[] all = new Object[2]; pending.put(1L, (long) all.hashCode()); all[0] = o; g(all); }\n void g(Object[] all) { committed = all.length; seen = all[0] == null ? 1 : 2; }", false},
	{"longer text that is used", "void f(long z) {\n StringBuilder b = new StringBuilder(); b.append(1); committed = b.length(); }", "void f(long z) {\n StringBuilder b = new StringBuilder(); b.append(1); b.append(2); committed = b.length(); }", false},
	{"other elements of a loop", "void f(List<Box> all) {\n for (Box b : all) { committed = b.value; } }", "void f(List<Box> all) {\n for (Box b : all) { if (b.value > 1) { continue; } committed = b.value; } }", false},
	{"loop that ends early", "void f(List<Box> all) {\n for (Box b : all) { committed = b.value; } }", "void f(List<Box> all) {\n for (Box b : all) { committed = b.value; if (committed > 1) { break; } } }", false},
}

// TestInert: changes that nothing can notice are known without walks, and others are not.
func TestInert(t *testing.T) {
	texts := [2]map[string]string{{}, {}}
	for k, c := range inertCases {
		text := strings.Replace(head, "package org.example;", fmt.Sprintf("package c%d.org.example;", k), 1)
		for side, body := range []string{c.before, c.after} {
			texts[side][fmt.Sprintf("c%d/org/example/Leader.java", k)] = text + body + tail
		}
	}
	var dirs [2]string
	for side := range dirs {
		dirs[side] = filepath.Join(t.TempDir(), "classes")
		if err := javac.Compile(t.Context(), nil, dirs[side], texts[side]); err != nil {
			t.Skip(err)
		}
	}
	for k, c := range inertCases {
		t.Run(c.name, func(t *testing.T) {
			var sides [2]*Program
			for side := range sides {
				p, err := Load(Observed{Silent: []string{fmt.Sprintf("c%d.org.example.Log", k)}}, filepath.Join(dirs[side], fmt.Sprintf("c%d", k)))
				if err != nil {
					t.Fatal(err)
				}
				sides[side] = p
			}
			name := fmt.Sprintf("c%d/org/example/Leader.java", k)
			if all, _ := Inert(sides[0], sides[1], []string{name}); (len(all) == 1) != c.want {
				t.Errorf("inert: %v, not %v", !c.want, c.want)
			}
		})
	}
}

// unlike returns the lines, from 1, in which two texts differ between their equal ends.
func unlike(a, b string) (x, y []int) {
	p, q := strings.Split(a, "\n"), strings.Split(b, "\n")
	first, last := 0, 0
	for first < min(len(p), len(q)) && p[first] == q[first] {
		first++
	}
	for last < min(len(p), len(q))-first && p[len(p)-1-last] == q[len(q)-1-last] {
		last++
	}
	for k := first; k < len(p)-last; k++ {
		x = append(x, k+1)
	}
	for k := first; k < len(q)-last; k++ {
		y = append(y, k+1)
	}
	return x, y
}

// observed describes the adapter of the cases.
var observed = Observed{
	Fields: map[string]bool{"org.example.Leader.committed": true, "org.example.Leader.pending": true, "org.example.Leader.applied": true},
	Calls:  map[string]bool{"org.example.Wire.send": true},
	Silent: []string{"org.example.Log"}, Apart: []string{"org.example.Leader$Auth"},
}

func TestEffects(t *testing.T) {
	texts := [2]map[string]string{{}, {}}
	for k, c := range cases {
		name := fmt.Sprintf("c%d/org/example/Leader.java", k)
		pkg := fmt.Sprintf("package c%d.org.example;", k)
		for side, body := range []string{c.before, c.after} {
			texts[side][name] = strings.Replace(head, "package org.example;", pkg, 1) + body + tail
		}
	}
	var dirs [2]string
	for side := range dirs {
		dirs[side] = filepath.Join(t.TempDir(), "classes")
		if err := javac.Compile(t.Context(), nil, dirs[side], texts[side]); err != nil {
			t.Skip(err)
		}
	}
	for k, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			by := Observed{Fields: map[string]bool{}, Calls: map[string]bool{}}
			pkg := fmt.Sprintf("c%d.", k)
			for f := range observed.Fields {
				by.Fields[pkg+f] = true
			}
			for f := range observed.Calls {
				by.Calls[pkg+f] = true
			}
			for _, s := range observed.Silent {
				by.Silent = append(by.Silent, pkg+s)
			}
			for _, s := range observed.Apart {
				by.Apart = append(by.Apart, pkg+s)
			}
			var sides [2]*Program
			for side := range sides {
				p, err := Load(by, filepath.Join(dirs[side], fmt.Sprintf("c%d", k)))
				if err != nil {
					t.Fatal(err)
				}
				sides[side] = p
			}
			name := fmt.Sprintf("c%d/org/example/Leader.java", k)
			x, y := unlike(texts[0][name], texts[1][name])
			got := Compare(sides[0], sides[1], Changed{Lines: map[string][]int{name: x}}, Changed{Lines: map[string][]int{name: y}})
			places := map[string]bool{}
			for _, w := range got.Writes {
				if !w.Observed {
					places[w.Place] = true
				}
			}
			text := strings.Join(slices.Sorted(maps.Keys(places)), ", ")
			if len(got.Writes) == 0 && len(got.Same) > 0 && len(got.Same) >= len(y) {
				text = "same"
			}
			if text != c.want {
				t.Errorf("%q, not %q\n%v\nsame: %v of %v", text, c.want, got.Writes, got.Same, y)
			}
		})
	}
}

// TestStatements: a line with an operand differs if the statement around it does. What the
// statement writes counts for it.
func TestStatements(t *testing.T) {
	const text = "package org.example;\nclass A { public long at; void set(long z) { at = z; }\n void f(A p, A q) {\n long x = 1;\n %s\n .set(\n x); } }\n"
	const file = "org/example/A.java"
	var sides [2]*Program
	for k, object := range []string{"p", "q"} {
		dir, sources := filepath.Join(t.TempDir(), "classes"), map[string]string{file: fmt.Sprintf(text, object)}
		if err := javac.Compile(t.Context(), nil, dir, sources); err != nil {
			t.Skip(err)
		}
		all, err := javac.Statements(t.Context(), sources)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, javac.ExtentsFile)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, []byte(javac.WriteExtents(all)), 0o644)); err != nil {
			t.Fatal(err)
		}
		if sides[k], err = Load(Observed{}, dir); err != nil {
			t.Fatal(err)
		}
	}
	lines := map[string][]int{file: {5}}
	found := Compare(sides[0], sides[1], Changed{Lines: lines}, Changed{Lines: lines})
	if len(found.Same) > 0 {
		t.Errorf("the lines %v do all as before", found.Same)
	}
	for _, w := range found.Writes {
		if w.Number != 5 || w.Place != "A.at" {
			t.Errorf("line %d writes %s", w.Number, w.Place)
		}
	}
	if len(found.Writes) != 2 {
		t.Errorf("%d writes, expected one of each side", len(found.Writes))
	}
}
