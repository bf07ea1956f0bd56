package main

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/multigrain/multigrain/.ci/random/oracle"
)

// shared is the bench of all tests: the command is built once.
var shared = sync.OnceValues(func() (*bench, error) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	return newBench(repo, folder)
})

var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "multigrain-random"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// example reads a specification of testdata/kept.
func example(t *testing.T, path string) *trial {
	t.Helper()
	b, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	k, err := readKept(path)
	if err != nil {
		t.Fatal(err)
	}
	return newTrial(b, k.Spec, dice(k.Seed, k.Number, 1))
}

// TestKept runs the specifications that disagreed once, and examples of those that never did.
func TestKept(t *testing.T) {
	paths, err := filepath.Glob("testdata/kept/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no specification is kept: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			x := example(t, path)
			if err := x.all(); err != nil {
				t.Fatal(err)
			}
			for _, w := range x.wrong {
				t.Errorf("%s\n%s", w.Command, w.What)
			}
		})
	}
}

// TestPlantedMistakes: the oracle interprets another specification than the command, and the
// comparison finds that.
func TestPlantedMistakes(t *testing.T) {
	right := example(t, "testdata/kept/example-0.json")
	if err := write(right.s, right.dir); err != nil {
		t.Fatal(err)
	}
	planted := map[string]bool{}
	for _, m := range mistakes(t, right.s) {
		if planted[m.kind] {
			continue // one of each kind
		}
		planted[m.kind] = true
		t.Run(strings.ReplaceAll(m.kind, " ", "-"), func(t *testing.T) {
			x := newTrial(right.b, m.spec, right.r)
			x.live()
			x.whole(x.m.Search(x.choice(false, oracle.State, oracle.Step, oracle.Assert)), oracle.Choice{},
				[]string{"check", "main.hcl", "-traces", "traces", "-stop", "never"})
			if len(x.wrong) == 0 {
				t.Error("nothing is found")
			}
		})
	}
	for _, kind := range []string{"a guard is negated", "a statement is left out", "a rule is left out", "a budget is larger",
		"a property is negated", "an action is fair", "a liveness property is negated"} {
		if !planted[kind] {
			t.Errorf("no mistake is planted in which %s", kind)
		}
	}
}

// TestPlantedGrains: the oracle has another coarse grain than the command, and the comparison finds
// that, unless level L0 refuses the grain before.
func TestPlantedGrains(t *testing.T) {
	right := example(t, "testdata/kept/example-1.json")
	if err := write(right.s, right.dir); err != nil {
		t.Fatal(err)
	}
	found := 0
	for k := range right.s.Coarse {
		for a := range right.s.Coarse[k].Keep {
			wrong := copied(t, right.s)
			wrong.Coarse[k].Keep = slices.Delete(wrong.Coarse[k].Keep, a, a+1)
			x := newTrial(right.b, wrong, right.r)
			x.coarse(k)
			found += len(x.wrong)
		}
	}
	if found == 0 {
		t.Error("nothing is found")
	}
}

// mistake is a specification with one mistake.
type mistake struct {
	kind string
	spec *oracle.Spec
}

// mistakes returns copies of a specification with one mistake each, by which the oracle finds
// something else.
func mistakes(t *testing.T, s *oracle.Spec) (out []mistake) {
	was := outcome(s)
	add := func(kind string, change func(*oracle.Spec)) {
		c := copied(t, s)
		change(c)
		if is := outcome(c); is != "" && is != was {
			out = append(out, mistake{kind, c})
		}
	}
	for k, a := range s.Actions {
		if !receives(&a) {
			add("a guard is negated", func(c *oracle.Spec) { c.Actions[k].Guard = not(c.Actions[k].Guard) })
		}
		for x, e := range a.Effect {
			if e.Op != "recv" && e.Op != "let" {
				add("a statement is left out", func(c *oracle.Spec) { c.Actions[k].Effect = slices.Delete(c.Actions[k].Effect, x, x+1) })
			}
		}
	}
	for k := range s.Rules {
		add("a rule is left out", func(c *oracle.Spec) { c.Rules = slices.Delete(c.Rules, k, k+1) })
	}
	for k := range s.Budgets {
		add("a budget is larger", func(c *oracle.Spec) { c.Budgets[k].Limit++ })
	}
	for k, p := range s.Properties {
		if p.Holds != nil {
			add("a property is negated", func(c *oracle.Spec) { c.Properties[k].Holds = not(c.Properties[k].Holds) })
		}
	}
	for k, l := range s.Liveness {
		if len(l.Unfair) > 0 {
			add("an action is fair", func(c *oracle.Spec) { c.Liveness[k].Unfair = nil })
		}
		add("a liveness property is negated", func(c *oracle.Spec) { c.Liveness[k].To = not(c.Liveness[k].To) })
	}
	return out
}

// outcome prints what the oracle finds; "" for too many states.
func outcome(s *oracle.Spec) string {
	c := (&trial{s: s}).choice(false, oracle.State, oracle.Step, oracle.Assert)
	c.Most = 4 * small.most
	g := oracle.New(s).Search(c)
	if g == nil {
		return ""
	}
	text := fmt.Sprint(g.Totals, g.Levels, g.Found)
	for k := range s.Liveness {
		text += fmt.Sprint(g.Live(k))
	}
	return text
}

func copied(t *testing.T, s *oracle.Spec) *oracle.Spec {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	c := &oracle.Spec{}
	if err := json.Unmarshal(text, c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestFailureIsKept: a disagreement is an error that says what to do, and its specification is read
// again as it was.
func TestFailureIsKept(t *testing.T) {
	o := &options{seed: "a-day", keep: filepath.Join(t.TempDir(), "kept")}
	x := &trial{s: generate(dice("a-day", 3, 0), "random3", small), number: 3}
	if err := o.failed(x); err != nil {
		t.Fatalf("nothing is wrong, and the error is %v", err)
	}
	x.fail([]string{"check", "main.hcl"}, "%d states", 7)
	err := o.failed(x)
	for _, want := range []string{"multigrain check main.hcl", "7 states", "a-day-3.json", "-seed a-day -only 3"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not have %q: %v", want, err)
		}
	}
	k, err := readKept(filepath.Join(o.keep, "a-day-3.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(k.Spec, x.s) || k.Seed != "a-day" || k.Number != 3 || len(k.Disagree) != 1 {
		t.Errorf("kept is %+v", k)
	}
}

// TestContinues: a long run continues after the specifications of its seed that are done.
func TestContinues(t *testing.T) {
	o := &options{seed: "one", state: filepath.Join(t.TempDir(), "state")}
	for _, n := range []int{1, 2, 3} {
		if err := o.note(n); err != nil {
			t.Fatal(err)
		}
	}
	other := &options{seed: "other", state: o.state}
	for _, c := range []struct {
		*options
		want int
	}{{o, 3}, {other, 0}} {
		if n, err := c.done(); n != c.want || err != nil {
			t.Errorf("seed %s: %d are done, %v; want %d", c.seed, n, err, c.want)
		}
	}
}

// TestOracleIsApart: the oracle imports the standard library only.
func TestOracleIsApart(t *testing.T) {
	paths, err := filepath.Glob("oracle/*.go")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d files of the oracle, %v", len(paths), err)
	}
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if name, _ := strconv.Unquote(i.Path.Value); strings.Contains(name, ".") {
				t.Errorf("%s imports %s", path, name)
			}
		}
	}
}

// TestSameSeed: a seed makes the same specification each time, and two numbers make two.
func TestSameSeed(t *testing.T) {
	var texts []string
	for _, number := range []uint64{1, 1, 2} {
		text, err := source(generate(rand.New(rand.NewPCG(1, number)), "same", small))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if texts[0] != texts[1] || texts[1] == texts[2] {
		t.Error("the seed does not decide the specification")
	}
}

// TestVariety: in some dozens of specifications everything occurs that a specification can have.
func TestVariety(t *testing.T) {
	seen := map[string]int{}
	for number := range uint64(60) {
		s := generate(rand.New(rand.NewPCG(3, number)), "variety", small)
		for _, v := range s.Vars {
			seen[v.Kind]++
		}
		for _, a := range s.Actions {
			seen[a.Domain]++
		}
		for _, p := range s.Properties {
			seen["property "+p.Kind]++
		}
		seen["nodes "+fmt.Sprint(s.Nodes)]++
		seen["budget"] += len(s.Budgets)
		seen["constraint"] += len(s.Constraints)
		seen["coarse"] += len(s.Coarse)
		for _, r := range s.Rules {
			seen[fmt.Sprint("rule ", r.When != nil, r.On >= 0)]++
		}
	}
	for _, what := range slices.Concat([]string{oracle.Num, oracle.Flag, oracle.Ref, oracle.Nums, oracle.Flags, oracle.Set, oracle.Sets, oracle.Seq,
		oracle.Map, oracle.Recs, oracle.Net, oracle.Bag, oracle.Once, oracle.Each, oracle.Pairs, oracle.Links, oracle.Positions,
		oracle.Subsets, oracle.Quorums}, []string{
		"property state", "property step", "property assert", "nodes 2", "nodes 3", "budget", "constraint", "coarse",
		"rule true true", "rule true false", "rule false true", "rule false false"}) {
		if seen[what] == 0 {
			t.Errorf("no specification has %s", what)
		}
	}
}
