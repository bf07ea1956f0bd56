package effects

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/javac"
)

// around the method that a case changes.
const (
	head = `package org.example;
import java.util.*;
class Log { static void debug(String s) {} }
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
	{"counter", "void f(long z) {\n committed = z; }", "void f(long z) {\n counted++;\n committed = z; }", ""},
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
	{"added field that only changed lines use", "void f(long z) {\n committed = z; }", "private long late;\n void f(long z) {\n late = z; committed = z; }", ""},
	{"twice", "void f(long z) {\n applied.add(z); }", "void f(long z) {\n applied.add(z);\n applied.add(z); }", ""},
	{"loop", "void f(long z) {\n for (long k = 0; k < z; k++) { committed += k; } }", "void f(long z) {\n long k = 0;\n while (k < z) { committed += k; k++; } }", "same"},
	{"loop that ends later", "void f(long z) {\n for (long k = 0; k < z; k++) { seen += k; } }", "void f(long z) {\n for (long k = 0; k <= z; k++) { seen += k; } }", "Leader.seen"},
	{"switch", "void f(int z) { switch (z) { case 1:\n committed = 1; break; case 2: seen = 1; } }", "void f(int z) { switch (z) { case 3:\n committed = 1; break; case 2: seen = 1; } }", "Leader.seen"},
	{"caught", "void f(long z) {\n committed = z; seen = box.get(); }", "void f(long z) {\n committed = z; try { seen = box.get(); } catch (RuntimeException e) { committed = 2; } }", "Leader.seen"},
	{"order of unknown calls", "void f(Thread a, Thread b) {\n a.start();\n b.interrupt(); }", "void f(Thread a, Thread b) {\n b.interrupt();\n a.start(); }", "what Thread.interrupt does, what Thread.start does"},
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
	Silent: []string{"org.example.Log"},
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
