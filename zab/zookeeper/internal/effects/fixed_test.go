package effects

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/javac"
)

// fixedProgram is a program with fields that the cases fix. Its second class calls methods only
// where a constant names it.
const fixedProgram = `package org.example;
import java.util.concurrent.atomic.AtomicBoolean;
class Request { public final int type; Request(int type) { this.type = type; } int getType() { return type; } }
class Other extends Main { boolean off() { return true; } }
class Base { public long base; }
class Main extends Base {
  boolean off; final AtomicBoolean stopped = new AtomicBoolean(); Base data = new Base(); boolean open;
  public long committed; public long seen;
  boolean isOff() { return off; }
  boolean isOpen() { return open; }
  static void main(Main m, Request r) { m.f(r, r.type); m.stop(m.stopped.get()); new Other(); }
  void stop(boolean yes) { stopped.set(yes); }
  void late() throws InterruptedException { while (stopped.get()) { Thread.sleep(5); } }
  BODY
}
`

// TestFixed: code for values that fields never have cannot matter, and other code does.
func TestFixed(t *testing.T) {
	fixed := map[string]Fixed{
		"Main.off":            {Only: []int{0}, Says: "off is false"},
		"Main.stopped":        {Only: []int{0}, Says: "nobody stops"},
		"Main.data":           {There: true, Says: "there is data"},
		"Main.f equals purge": {Only: []int{0}, Says: "nobody purges"},
		"Request.type":        {Never: []int{13, 16}, Says: "no checks"},
	}
	cases := []struct {
		name, before, after string
		inert               bool
		want                string // what is written and not observed
	}{
		{"condition on a field", "void f(Request r, int t) {\n seen = 1; }", "void f(Request r, int t) {\n if (off) { seen = 2; }\n seen = 1; }", true, ""},
		{"its other way", "void f(Request r, int t) {\n seen = 1; }", "void f(Request r, int t) {\n if (!off) { seen = 2; }\n seen = 1; }", false, "Main.seen"},
		{"through a method", "void f(Request r, int t) {\n if (!isOff()) { return; }\n seen = 1; }", "void f(Request r, int t) {\n if (!isOff()) { return; }\n seen = 2; committed = 3; }", true, ""},
		{"field that is not fixed", "void f(Request r, int t) {\n seen = 1; }", "void f(Request r, int t) {\n if (isOpen()) { seen = 2; }\n seen = 1; }", false, "Main.seen"},
		{"loop that waits", "void f(Request r, int t) throws Exception {\n seen = 1; }", "void f(Request r, int t) throws Exception {\n late(); seen = 1; }", false, ""},
		{"handler of what cannot run", "void f(Request r, int t) {\n seen = 1; }", "void f(Request r, int t) {\n try { while (stopped.get()) { Thread.sleep(10); } } catch (InterruptedException e) { Thread.currentThread().interrupt(); }\n seen = 1; }", true, ""},
		{"handler of another call", "void f(Request r, int t) {\n seen = 1; }", "void f(Request r, int t) {\n try { Thread.sleep(1); while (stopped.get()) { Thread.sleep(10); } } catch (InterruptedException e) { Thread.currentThread().interrupt(); }\n seen = 1; }", false, "what Thread.interrupt does, what Thread.sleep does"},
		{"object that is there", "void f(Request r, int t) {\n data.base = t; }", "void f(Request r, int t) {\n if (data != null) { data.base = t; } }", true, ""},
		{"object that is not", "void f(Request r, int t) {\n data.base = t; }", "void f(Request r, int t) {\n if (data == null) { data.base = t; } }", false, "Base.base"},
		{"another object", "void f(Request r, int t) {\n data.base = t; }", "void f(Request r, int t) {\n if (r != null) { data.base = t; } }", false, "Base.base"},
		{"case of a switch", "void f(Request r, int t) {\n switch (r.type) { case 1: case 5: case 16: seen = 1; break; case 2: seen = 2; } }", "void f(Request r, int t) {\n switch (r.type) { case 1: case 5: case 13: case 16: seen = 1; break; case 2: seen = 2; } }", true, ""},
		{"case that can be", "void f(Request r, int t) {\n switch (r.type) { case 1: case 5: seen = 1; break; case 2: seen = 2; } }", "void f(Request r, int t) {\n switch (r.type) { case 1: case 5: case 7: seen = 1; break; case 2: seen = 2; } }", false, "Main.seen"},
		{"case of another number", "void f(Request r, int t) {\n switch (t) { case 1: case 5: seen = 1; break; case 2: seen = 2; } }", "void f(Request r, int t) {\n switch (t) { case 1: case 5: case 13: seen = 1; break; case 2: seen = 2; } }", false, "Main.seen"},
		{"number that is compared", "void f(Request r, int t) {\n seen = 1; }", "void f(Request r, int t) {\n if (r.getType() == 16) { seen = 2; }\n seen = 1; }", false, ""},
		{"number that is larger", "void f(Request r, int t) {\n seen = 1; }", "void f(Request r, int t) {\n if (r.type >= 13) { seen = 2; }\n seen = 1; }", false, "Main.seen"},
		{"other numbers", "void f(Request r, int t) {\n seen = 1; }", "void f(Request r, int t) {\n if (r.type != 16) { seen = 2; }\n seen = 1; }", false, "Main.seen"},
		{"setting that no server has", "void f(Request r, int t) { String key = \"\" + t;\n if (key.equals(\"purge\")) { seen = 1; } else { committed = t; } }", "void f(Request r, int t) { String key = \"\" + t;\n if (key.equals(\"purge\")) { seen = 2; g(); } else { committed = t; } }\n void g() { if (seen > 1) { throw new IllegalStateException(); } }", true, ""},
		{"another setting", "void f(Request r, int t) { String key = \"\" + t;\n if (key.equals(\"port\")) { seen = 1; } }", "void f(Request r, int t) { String key = \"\" + t;\n if (key.equals(\"port\")) { seen = 2; } }", false, "Main.seen"},
		{"servers without the setting", "void f(Request r, int t) { String key = \"\" + t;\n if (!\"purge\".equals(key)) { seen = 1; } }", "void f(Request r, int t) { String key = \"\" + t;\n if (!\"purge\".equals(key)) { seen = 2; } }", false, "Main.seen"},
		{"the setting's name elsewhere", "void f(Request r, int t) { g(\"\" + t); }\n void g(String key) {\n if (key.equals(\"purge\")) { seen = 1; } }", "void f(Request r, int t) { g(\"\" + t); }\n void g(String key) {\n if (key.equals(\"purge\")) { seen = 2; } }", false, "Main.seen"},
		{"one of two values", "void f(Request r, int t) {\n boolean b = t > 1 ? off : open; if (b) { seen = 1; } }", "void f(Request r, int t) {\n boolean b = t > 1 ? off : open; if (b) { seen = 2; } }", false, "Main.seen"},
		{"method that is called there alone", "void f(Request r, int t) {\n if (off) { g(); } }\n long g() { seen = 1; return 1; }", "void f(Request r, int t) {\n if (off) { g(); } }\n long g() { seen = 2; return 2; }", true, ""},
		{"method that is called elsewhere, too", "void f(Request r, int t) {\n if (off) { g(); } else { committed = g(); } }\n long g() { seen = 1; return 1; }", "void f(Request r, int t) {\n if (off) { g(); } else { committed = g(); } }\n long g() { seen = 2; return 2; }", false, "Main.committed, Main.seen"},
		{"method that nothing calls", "void f(Request r, int t) { }\n public void g() {\n seen = 1; }", "void f(Request r, int t) { }\n public void g() {\n seen = 2; }", true, ""},
		{"method that code outside calls", "void f(Request r, int t) { }\n public String toString() {\n seen = 1; return \"\"; }", "void f(Request r, int t) { }\n public String toString() {\n seen = 2; return \"\"; }", false, "Main.seen"},
		{"class that a setting may name", "void f(Request r, int t) { }\n static class Tool { public long at; void g() {\n at = 1; } }", "void f(Request r, int t) { }\n static class Tool { public long at; void g() {\n at = 2; } }", false, "Main.Tool.at"},
		{"class that a constant names", "Object f(Request r, int t) { try { return Class.forName(\"org.example.Main$Tool\").newInstance(); } catch (Exception e) { return null; } }\n static class Tool { public long at; Tool() {\n at = 1; } }", "Object f(Request r, int t) { try { return Class.forName(\"org.example.Main$Tool\").newInstance(); } catch (Exception e) { return null; } }\n static class Tool { public long at; Tool() {\n at = 2; } }", false, "Main.Tool.at"},
	}
	var texts [2]map[string]string
	for side := range texts {
		texts[side] = map[string]string{}
		for k, c := range cases {
			body := []string{c.before, c.after}[side]
			pkg := fmt.Sprintf("c%d.org.example", k)
			texts[side][fmt.Sprintf("c%d/org/example/Main.java", k)] = strings.ReplaceAll(strings.Replace(fixedProgram, "BODY", body, 1), "org.example", pkg)
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
			file, pkg := fmt.Sprintf("c%d/org/example/Main.java", k), fmt.Sprintf("c%d.org.example.", k)
			by := Observed{Begins: []string{pkg + "Main.main"}, Fixed: map[string]Fixed{}}
			for field, is := range fixed {
				by.Fixed[pkg+field] = is
			}
			var sides [2]*Program
			for side := range sides {
				p, err := Load(by, filepath.Join(dirs[side], fmt.Sprintf("c%d", k)))
				if err != nil {
					t.Fatal(err)
				}
				sides[side] = p
			}
			if all, _ := Inert(sides[0], sides[1], []string{file}); (len(all) == 1) != c.inert {
				t.Errorf("inert: %v, not %v", !c.inert, c.inert)
			}
			was, is := unlike(texts[0][file], texts[1][file])
			got := Compare(sides[0], sides[1], Changed{Lines: map[string][]int{file: was}}, Changed{Lines: map[string][]int{file: is}})
			var places []string
			for _, w := range got.Writes {
				if !w.Observed && !slices.Contains(places, w.Place) {
					places = append(places, w.Place)
				}
			}
			slices.Sort(places)
			if text := strings.Join(places, ", "); text != c.want {
				t.Errorf("it writes %q, not %q", text, c.want)
			}
			if c.want == "" && c.name != "loop that waits" && len(got.Same) != len(is) {
				t.Errorf("lines %v are as before, not %v", got.Same, is)
			}
		})
	}
}

// TestRests: a result says on which values it rests.
func TestRests(t *testing.T) {
	const file = "org/example/Main.java"
	var sides [2]*Program
	for k, body := range []string{"void f(Request r, int t) { seen = 1; }", "void f(Request r, int t) { if (off) { seen = 2; } seen = 1; }"} {
		dir := filepath.Join(t.TempDir(), "classes")
		if err := javac.Compile(t.Context(), nil, dir, map[string]string{file: strings.Replace(fixedProgram, "BODY", body, 1)}); err != nil {
			t.Skip(err)
		}
		p, err := Load(Observed{Begins: []string{"org.example.Main.main"}, Fixed: map[string]Fixed{"org.example.Main.off": {Only: []int{0}, Says: "off is false"}}}, dir)
		if err != nil {
			t.Fatal(err)
		}
		sides[k] = p
	}
	if all, rests := Inert(sides[0], sides[1], []string{file}); len(all) != 1 || !slices.Equal(rests, []string{"off is false"}) {
		t.Errorf("%v are inert, which rests on %v", all, rests)
	}
}
