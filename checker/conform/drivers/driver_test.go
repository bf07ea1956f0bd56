package drivers_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/conform/drivers"
	"github.com/multigrain/multigrain/checker/internal/pair"
	"github.com/multigrain/multigrain/modules"
)

// asDriver makes the test's own program a driver, with a mistake that the value names.
const asDriver = "MULTIGRAIN_TEST_DRIVER"

func TestMain(m *testing.M) {
	if mistake := os.Getenv(asDriver); mistake != "" {
		drive(mistake)
		return
	}
	os.Exit(m.Run())
}

// drive is a driver of a counter in each of two nodes.
func drive(mistake string) {
	var counts [2]int
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var req drivers.Request
		if err := json.Unmarshal(in.Bytes(), &req); err != nil {
			panic(err)
		}
		ok := `{}`
		switch req.Do {
		case drivers.DoHello:
			ok = `{"protocol": 1, "name": "counters", "version": "v2", "actions": ["Count"], "variables": ["Counts"], "leaves_out": [{"action": "Count", "params": {"I": 7}, "reason": "there is no seventh"}]}`
			if mistake == "code" && os.Getenv("MULTIGRAIN_CODE") == "changed" && req.Code == "changed" {
				ok = strings.Replace(ok, `"v2",`, `"v3", "coverage": true, "same": true,`, 1)
			} else if mistake == "code" {
				ok = strings.Replace(ok, `"v2",`, `"v2", "same": true,`, 1)
			}
			if mistake == "other" && os.Getenv("MULTIGRAIN_TEST_FIRST") != "" {
				if _, err := os.Stat(os.Getenv("MULTIGRAIN_TEST_FIRST")); err == nil {
					ok = strings.Replace(ok, "v2", "v3", 1)
				}
				os.WriteFile(os.Getenv("MULTIGRAIN_TEST_FIRST"), nil, 0o600)
			}
		case drivers.DoReset:
			counts = [2]int{}
		case drivers.DoStep:
			var i struct {
				Big string `json:"#bigint"`
			}
			json.Unmarshal(req.Params["I"], &i)
			counts[i.Big[0]-'0']++
			if mistake == "dies" && counts[1] == 2 || mistake == "other" {
				fmt.Fprintln(os.Stderr, "assertion failed: not two")
				os.Exit(3)
			}
			if mistake == "lost" && counts[0] == 3 {
				counts[0] = 2
			}
		case drivers.DoObserve:
			ok = fmt.Sprintf(`{"variables": {"Counts": [%d, %d]}}`, counts[0], counts[1])
		case drivers.DoCoverage:
			ran := `[]`
			if counts[0] > 0 {
				ran = `[{"file": "a.py", "line": 3}]`
			}
			ok = fmt.Sprintf(`{"code": [{"file": "a.py", "line": 3}, {"file": "a.py", "line": 9, "removed": true}], "ran": %s,
				"conditions": [{"file": "a.py", "line": 3, "text": "x", "true": %v, "false": true}]}`, ran, counts[0] > 0)
			ok = strings.ReplaceAll(ok, "\n", "")
		case drivers.DoSame:
			ok = `{"lines": [{"file": "a.py", "line": 3}], "why": "line 9 is another"}`
			if req.Sides.Before != "original" || req.Sides.After != "changed" {
				ok = `{"lines": []}`
			}
		case drivers.DoLog:
			ok = `{"lines": ["counted"]}`
		case drivers.DoStop:
			if mistake == "stays" {
				if err := os.WriteFile(filepath.Join(os.Getenv("TMPDIR"), "left"), nil, 0o600); err != nil {
					panic(err)
				}
				os.WriteFile(os.Getenv("MULTIGRAIN_TEST_FIRST"), []byte(os.Getenv("TMPDIR")), 0o600)
				select {}
			}
			return
		}
		fmt.Printf(`{"id": %d, "ok": %s}`+"\n", req.ID, ok)
	}
}

type counters struct{ Counts [2]uint8 }

type composition = conform.Composition[counters, [0]uint8]

func specification(t testing.TB) composition {
	t.Helper()
	spec := &modules.Spec[counters]{System: "counters", Init: func(yield func(counters) bool) { yield(counters{}) }}
	for _, b := range modules.Bind([]modules.AnyAction[counters]{
		&modules.Action[counters, modules.One[uint8]]{Name: "Count", Params: modules.Each[uint8](2),
			Guard:  func(s *counters, p modules.One[uint8]) bool { return s.Counts[p.I] < 200 },
			Effect: func(s, n *counters, p modules.One[uint8]) { n.Counts[p.I]++ }},
	}, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[counters]{Bound: b, Module: "counters"})
	}
	bound, err := checker.Of[counters, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return composition{Spec: spec, Bound: bound}
}

func implementation(t testing.TB, mistake string, env ...string) conform.Implementation[counters] {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	none := func(reflect.Type) map[string]int64 { return nil }
	return drivers.Implementation[counters]("counters", drivers.Command{Args: []string{self}, Dir: t.TempDir(), Env: append(env, asDriver+"="+mistake)}, nil, none)
}

// TestWalks: the same seed gives the same walks with any number of processes, and a difference is
// made shorter.
func TestWalks(t *testing.T) {
	t.Parallel()
	c := specification(t)
	for _, workers := range []int{1, 3} {
		res, err := conform.Run(c, implementation(t, "none"), conform.Options{Number: 20, Depth: 30, Workers: workers, Setup: conform.Setup{Actions: []string{"Count"}}})
		if err != nil || res.Verdict != checker.Holds || res.Steps != 600 || res.Version != "v2" {
			t.Errorf("%d workers: %v, %v, %d steps, version %s", workers, err, res.Verdict, res.Steps, res.Version)
		}
	}
	res, err := conform.Run(c, implementation(t, "lost"), conform.Options{Number: 20, Depth: 30, Stop: 1})
	if err != nil || len(res.Found) != 1 || len(res.Found[0].Trace.Steps) != 3 || res.Found[0].Values[0].Path != "Counts[0]" || !slices.Contains(res.Found[0].Log, "  counted") {
		t.Errorf("%v: %+v", err, res.Found)
	}
}

// TestEnd: a process that ends twice is a difference with its last words. One that is another after
// its end is at fault, and no result is drawn.
func TestEnd(t *testing.T) {
	t.Parallel()
	c := specification(t)
	res, err := conform.Run(c, implementation(t, "dies"), conform.Options{Number: 20, Depth: 30, Stop: 1})
	if err != nil || len(res.Found) != 1 || res.Found[0].Kind != conform.Exit || len(res.Found[0].Trace.Steps) != 2 || res.Found[0].Message != "assertion failed: not two" {
		t.Errorf("%v: %+v", err, res.Found)
	}
	first := "MULTIGRAIN_TEST_FIRST=" + filepath.Join(t.TempDir(), "first")
	_, err = conform.Run(c, implementation(t, "other", first), conform.Options{Number: 20, Depth: 30, Workers: 1, Stop: 1})
	if fault, ok := errors.AsType[*drivers.Fault](err); !ok || !strings.Contains(fault.Message, "something else in hello") {
		t.Errorf("got %v", err)
	}
}

// TestTemporaryFiles: the temporary files of a driver that has to be killed go with it.
func TestTemporaryFiles(t *testing.T) {
	t.Parallel()
	told := filepath.Join(t.TempDir(), "told")
	if _, err := conform.Run(specification(t), implementation(t, "stays", "MULTIGRAIN_TEST_FIRST="+told), conform.Options{Number: 1, Depth: 2, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	folder, err := os.ReadFile(told)
	if err != nil || len(folder) == 0 {
		t.Fatalf("the driver did not leave a file: %v", err)
	}
	if _, err := os.Stat(string(folder)); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", folder, err)
	}
}

// TestVersion: another version than the manifest pins is not driven.
func TestVersion(t *testing.T) {
	t.Parallel()
	_, err := conform.Run(specification(t), implementation(t, "none"), conform.Options{Number: 1, Setup: conform.Setup{Version: "v1"}})
	if _, ok := errors.AsType[*conform.VersionError](err); !ok {
		t.Errorf("got %v", err)
	}
}

// TestMessages compares the optional interfaces of package conform, which are those whose comment
// says that they are an adapter, with the messages that a driver has for them.
func TestMessages(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			s := g.Specs[0].(*ast.TypeSpec)
			if _, ok := s.Type.(*ast.InterfaceType); ok && strings.Contains(g.Doc.Text(), " is an adapter ") {
				have = append(have, s.Name.Name)
			}
		}
	}
	// Package driver itself is the first two. A Holder has objects of Go in this process.
	have = slices.DeleteFunc(have, func(name string) bool { return name == "Selective" || name == "Breakable" || name == "Holder" })
	slices.Sort(have)
	if want := slices.Sorted(maps.Keys(drivers.Messages)); !slices.Equal(have, want) {
		t.Errorf("package conform has the optional interfaces\n%v\nand drivers have messages for\n%v", have, want)
	}
	adapter := adapterType(t)
	for name, fields := range drivers.Messages {
		for _, f := range strings.Split(fields, ", ") {
			if field, ok := strings.CutPrefix(f, "hello."); ok && !hasField(reflect.TypeFor[drivers.Hello](), field) {
				t.Errorf("%s: hello has no field %s", name, field)
			}
		}
		if x, ok := adapter.(conform.Selective); !ok || x.Offers("no such interface") {
			t.Errorf("%s: the adapter does not say what it offers", name)
		}
	}
}

func hasField(t reflect.Type, name string) bool {
	for f := range t.Fields() {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag == name {
			return true
		}
	}
	return false
}

// adapterType opens an adapter, and checks that it has the methods of all optional interfaces.
func adapterType(t *testing.T) any {
	t.Helper()
	a, err := implementation(t, "none").Open(conform.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Stop() })
	for name, ok := range map[string]bool{
		"Explainer": is[conform.Explainer](a), "Asserter": is[conform.Asserter[counters]](a), "Limited": is[conform.Limited[counters]](a),
		"Evident": is[conform.Evident](a), "Borrower": is[conform.Borrower](a), "Patient": is[conform.Patient](a),
		"Versioned": is[conform.Versioned](a), "Witness": is[conform.Witness](a), "Coded": is[conform.Coded](a),
	} {
		if _, known := drivers.Messages[name]; !ok || !known {
			t.Errorf("%s: the adapter has it %v, the messages %v", name, ok, known)
		}
	}
	return a
}

func is[T any](a any) bool {
	_, ok := a.(T)
	return ok
}

// BenchmarkSteps measures an empty driver: each step is a request, an answer and an observation.
func BenchmarkSteps(b *testing.B) {
	c := specification(b)
	impl := implementation(b, "none")
	b.ResetTimer()
	res, err := conform.Run(c, impl, conform.Options{Number: int64(b.N+99) / 100, Depth: 100, Workers: 1})
	if err != nil || res.Verdict != checker.Holds {
		b.Fatal(err, res.Reason)
	}
	b.ReportMetric(float64(res.Steps)/b.Elapsed().Seconds(), "steps/s")
}

// TestChangedCode: the process runs the code that the setup names, its version is not that of the
// manifest, and it says which places ran. It compares the lines of both sides.
func TestChangedCode(t *testing.T) {
	t.Parallel()
	code := &conform.Code{Path: "changed", Lines: []conform.CodeLine{{File: "a.py", Number: 3}, {File: "a.py", Number: 9, Removed: true}, {File: "a.py", Number: 4}}}
	impl := implementation(t, "code")
	a, err := impl.Open(conform.Setup{Actions: []string{"Count"}, Version: "v2", Code: code})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Stop()
	coded := a.(conform.Coded)
	if got := fmt.Sprint(len(coded.Places()), coded.Places()[2].Text, coded.Places()[2].Kind); got != "3xoperand" {
		t.Errorf("places: %s: %+v", got, coded.Places())
	}
	if err := a.Start(new(counters)); err != nil {
		t.Fatal(err)
	}
	if got, want := coded.Ran(), []bool{false, false, false, false, true, false}; !slices.Equal(got, want) {
		t.Errorf("at the start: %v, want %v", got, want)
	}
	if err := a.Perform(conform.Step[counters]{Action: "Count", Params: modules.One[uint8]{I: 0}, Before: new(counters), After: new(counters)}); err != nil {
		t.Fatal(err)
	}
	if got, want := coded.Ran(), []bool{false, true, false, false, true, true}; !slices.Equal(got, want) {
		t.Errorf("after a step: %v, want %v", got, want)
	}
	sides := conform.Sides{Before: "original", After: "changed", Lines: []conform.SideLine{{File: "a.py", Number: 3}}}
	if w, err := impl.Effects(t.Context(), conform.Setup{Version: "v2"}, sides); err != nil || len(w.Same) != 1 || w.Same[0].Number != 3 {
		t.Errorf("%v: %+v", err, w)
	}
	sides.Lines = append(sides.Lines, conform.SideLine{File: "a.py", Number: 9})
	if _, err := impl.Effects(t.Context(), conform.Setup{Version: "v2"}, sides); err == nil || err.Error() != "line 9 is another" {
		t.Errorf("got %v", err)
	}
	none := implementation(t, "none")
	if _, err := none.Effects(t.Context(), conform.Setup{}, sides); err == nil {
		t.Error("a driver that compares nothing says that lines are as before")
	}
}

// TestSideBySide: two implementations that agree conform, and one that differs is a difference that
// names both values.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	c := specification(t)
	opt := conform.Options{Number: 20, Depth: 30, Stop: 1, Setup: conform.Setup{Actions: []string{"Count"}, Version: "v2"}}
	second := func(mistake string) pair.Second[counters] {
		return pair.Second[counters]{Implementation: implementation(t, mistake), Version: "v2"}
	}
	res, err := conform.Run(c, pair.Of(implementation(t, "none"), second("none"), nil), opt)
	if err != nil || res.Verdict != checker.Holds || res.Steps != 600 || res.Version != "v2 next to counters v2" {
		t.Errorf("%v, %v, %d steps, version %s", err, res.Verdict, res.Steps, res.Version)
	}
	for mistake, want := range map[string]string{"lost": "Counts[0] is 3 in counters v2, and 2 in counters v2", "dies": "counters v2: assertion failed: not two"} {
		res, err = conform.Run(c, pair.Of(implementation(t, "none"), second(mistake), nil), opt)
		if err != nil || len(res.Found) != 1 || res.Found[0].Message != want {
			t.Errorf("%s: %v: %+v", mistake, err, res.Found)
		}
	}
}
