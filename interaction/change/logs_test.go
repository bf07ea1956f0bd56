package change

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

const logged = `package mini

import "fmt"

type Logger interface {
	Infof(format string, args ...any)
	Send(to string)
}

type S struct {
	n    int
	log  Logger
	peer *S
	list []int
}

func (s *S) next() int { s.n++; return s.n }

func (s *S) clear() { s.peer = nil }

func (s *S) InfoAt(n int) { s.n = n }

func (s *S) Put(n int) {
	if n > 3 {
		s.n = n
	}
}

var _ = fmt.Sprint
`

// TestOnlyLogs: a modelled function that differs in what it logs alone cannot matter. What a log's
// arguments do, and calls that only look like a log, can.
func TestOnlyLogs(t *testing.T) {
	t.Parallel()
	cat := &grains.Catalog{Grains: []grains.GrainDecl{{Name: "baseline", Covers: []string{"m"}}}}
	for _, c := range []struct{ name, line, want string }{
		{"a log", `s.log.Infof("put %d into %d", n, s.n)`, "~"},
		{"a log of a text that is made", `s.log.Infof("put %s", fmt.Sprint(n))`, "~"},
		{"a deferred message", `defer s.log.Send("b")`, "S.Put"},
		{"a log before the same load", "s.log.Infof(`%d`, s.n)\n\t\ts.n = s.n + 1", "~"},
		{"another text of a deferred log", "defer s.log.Infof(`end of %d`, n)", "~"},
		{"an argument that writes", `s.log.Infof("put %d", s.next())`, "S.Put"},
		{"a pointer that may be nil", `s.log.Infof("%d", s.peer.n)`, "S.Put"},
		{"a pointer that was followed", "s.log.Infof(`%d`, s.peer.n)\n\t\ts.peer.n = 1", "S.Put"},
		{"a pointer that is followed before", "s.peer.n = 1\n\t\ts.log.Infof(`%d`, s.peer.n)", "~"},
		{"a pointer that is nil since", "s.peer.n = 1; s.peer = nil\n\t\ts.log.Infof(`%d`, s.peer.n)", "S.Put"},
		{"a pointer that a call makes nil", "s.peer.n = 1; s.clear()\n\t\ts.log.Infof(`%d`, s.peer.n)", "S.Put"},
		{"an index", `s.log.Infof("%d", s.list[n])`, "S.Put"},
		{"a part of a slice", `s.log.Infof("%d", s.list[:n])`, "S.Put"},
		{"a divisor", `s.log.Infof("%d", n/s.n)`, "S.Put"},
		{"a constant divisor", `s.log.Infof("%d", n/2)`, "~"},
		{"a number of bits", `s.log.Infof("%d", 1<<n)`, "S.Put"},
		{"a comparison of values of any type", `s.log.Infof("%v", any(s) == any(n))`, "S.Put"},
		{"a comparison of numbers", `s.log.Infof("%v", s.n == n)`, "~"},
		{"a message", `s.log.Send("b")`, "S.Put"},
		{"a method with such a name", `s.InfoAt(4)`, "S.Put"},
		{"a write", `s.n--`, "S.Put"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			before, after := logged, strings.Replace(logged, "\t\ts.n = n\n", "\t\ts.n = n\n\t\t"+c.line+"\n", 1)
			if one, other, ok := strings.Cut(c.line, "\n"); ok { // one of them is the log
				if strings.Contains(one, "Infof") {
					one = other
				}
				before = strings.Replace(logged, "\t\ts.n = n\n", "\t\ts.n = n\n"+one+"\n", 1)
			}
			if strings.HasPrefix(c.line, "defer") { // the other side defers, too
				before = strings.Replace(logged, "\t\ts.n = n\n", "\t\ts.n = n\n\t\tdefer s.log.Infof(`%d`, n)\n", 1)
			}
			for name, text := range map[string]string{"go.mod": "module example.com/mini\n\ngo 1.26\n", "a.go": after} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			a, err := Analyse(Options{Dir: dir, Diff: wholeDiff("a.go", before, after), Packages: []string{"."},
				Places: NewPlaces(cat, []Modelled{{Module: "m", Function: "S.Put"}})})
			if err != nil {
				t.Fatal(err)
			}
			if got := trails(a); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestOnlyReads: an exported function that is new and writes nothing cannot matter. It matters
// where it writes, where an interface has it, and where it is gone: an adapter may call it.
func TestOnlyReads(t *testing.T) {
	t.Parallel()
	cat := &grains.Catalog{Grains: []grains.GrainDecl{{Name: "baseline", Covers: []string{"m"}}}}
	for _, c := range []struct {
		name, text string
		matters    bool
	}{
		{"a getter", "func (s *S) N() int { return s.n }", false},
		{"one that calls", "func (s *S) Text() string { return fmt.Sprint(s.n) }", false},
		{"one that writes", "func (s *S) Add() int { s.n++; return s.n }", true},
		{"one that calls a writer", "func (s *S) Next() int { return s.next() }", true},
		{"one that sends", "func (s *S) Tell() { s.log.Send(`x`) }", true},
		{"one that receives", "func (s *S) Take(c chan int) int { return <-c }", true},
		{"one that calls one that selects", "func (s *S) Try(c chan int) { drain(c) }\n\nfunc drain(c chan int) {\n\tselect {\n\tcase <-c:\n\tdefault:\n\t}\n}", true},
		{"a method of an interface", "func (s *S) Send(to string) {}", true},
		{"a method that prints use", "func (s *S) String() string { return `s` }", true},
		{"a method of errors", "func (s *S) Is(error) bool { return true }", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, swap := range []bool{false, true} {
				before, after := logged, logged+"\n"+c.text+"\n"
				if swap {
					before, after = after, before
				}
				dir := t.TempDir()
				for name, text := range map[string]string{"go.mod": "module example.com/mini\n\ngo 1.26\n", "a.go": after} {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				a, err := Analyse(Options{Dir: dir, Diff: wholeDiff("a.go", before, after), Packages: []string{"."},
					Places: NewPlaces(cat, []Modelled{{Module: "m", Function: "S.Put"}})})
				if err != nil {
					t.Fatal(err)
				}
				if got := len(a.Unmodelled)+len(a.Trails) > 0; got != (c.matters || swap) {
					t.Errorf("removed: %v; matters: %v; %+v", swap, got, a)
				}
			}
		})
	}
}

// TestUncalled: a function that is gone is uncalled if nothing that is left called it: neither code
// that stays, nor a declaration outside of functions, nor an interface.
func TestUncalled(t *testing.T) {
	t.Parallel()
	const rest = "package mini\n\ntype S struct{ n int }\n\nfunc (s *S) Put(n int) { s.n = n }\n\ntype I interface{ Send() }\n"
	for _, c := range []struct{ name, gone, stays, becomes, want string }{
		{"a getter", "func (s *S) N() int { return s.n }", "", "", "S.N"},
		{"one that writes", "func (s *S) Add() { s.n++ }", "", "", "S.Add"},
		{"a function", "func Sum() int { return 1 }", "", "", "Sum"},
		{"with what it alone calls", "func (s *S) N() int { return s.own() }\n\nfunc (s *S) own() int { return s.n }", "", "", "S.N S.own"},
		{"called by what changes", "func Sum() int { return 1 }", "func Use() int { return Sum() }", "func Use() int { return 1 }", ""},
		{"mentioned outside of functions", "func Sum() int { return 1 }", "var use = Sum", "var use func() int", ""},
		{"a method of an interface", "func (s *S) Send() {}", "", "", ""},
		{"shadowed before", "func (t *T) N() int { return 1 }", "type T struct{ S }\n\nfunc (s *S) N() int { return 2 }\n\nfunc Use() int { return new(T).N() }",
			"type T struct{ S }\n\nfunc (s *S) N() int { return 2 }\n\nfunc Use() int { return new(T).N() }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			before, after := rest+"\n"+c.stays+"\n\n"+c.gone+"\n", rest+"\n"+c.becomes+"\n"
			dir := t.TempDir()
			for name, text := range map[string]string{"go.mod": "module example.com/mini\n\ngo 1.26\n", "a.go": after} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			cat := &grains.Catalog{Grains: []grains.GrainDecl{{Name: "baseline", Covers: []string{"m"}}}}
			a, err := Analyse(Options{Dir: dir, Diff: wholeDiff("a.go", before, after), Packages: []string{"."},
				Places: NewPlaces(cat, []Modelled{{Module: "m", Function: "S.Put"}})})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, u := range a.Uncalled {
				got = append(got, strings.TrimPrefix(u.Name, "example.com/mini."))
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("%q, want %q", text, c.want)
			}
		})
	}
}

// TestImportsOfLoggers: another package for logs cannot matter where only such packages come and
// go. A package that takes the place of one that does something else can.
func TestImportsOfLoggers(t *testing.T) {
	t.Parallel()
	cat := &grains.Catalog{Grains: []grains.GrainDecl{{Name: "baseline", Covers: []string{"m"}}}}
	const text = "package mini\n\nimport log \"log\"\n\ntype S struct{ n int }\n\nfunc (s *S) Put(n int) { log.Println(n) }\n"
	for _, c := range []struct{ name, path, want string }{
		{"another logger", "github.com/golang/glog", "~"},
		{"a package of its own", "example.com/mini/own", `"example.com/mini/own"<S.Put`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			after := strings.Replace(text, `"log"`, `"`+c.path+`"`, 1)
			const stub = "func Println(...any) {}\n"
			for name, text := range map[string]string{
				"go.mod": "module example.com/mini\n\ngo 1.26\n\nrequire github.com/golang/glog v1.0.0\n\n" +
					"replace github.com/golang/glog => ./glog\n",
				"a.go":        after,
				"own/own.go":  "package own\n\n" + stub,
				"glog/go.mod": "module github.com/golang/glog\n",
				"glog/a.go":   "package glog\n\n" + stub,
			} {
				file := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			a, err := Analyse(Options{Dir: dir, Diff: wholeDiff("a.go", text, after), Packages: []string{"."},
				Places: NewPlaces(cat, []Modelled{{Module: "m", Function: "S.Put"}})})
			if err != nil {
				t.Fatal(err)
			}
			if got := trails(a); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
