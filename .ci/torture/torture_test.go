package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/host"
)

func fine() *result {
	return &result{
		Verdict: "violated", Distinct: 70, Generated: 90, Depth: 4, Digest: "ab", Levels: []int64{1, 69},
		Violations: []violation{{Invariant: "I", Kind: "state", Depth: 4}, {Invariant: "J", Kind: "state", Depth: 3}},
	}
}

// TestDifferences changes each field of a result: each is noticed.
func TestDifferences(t *testing.T) {
	if wrong := differences(fine(), fine()); len(wrong) > 0 {
		t.Error(wrong)
	}
	for what, change := range map[string]func(r *result){
		"verdict":   func(r *result) { r.Verdict = "holds" },
		"distinct":  func(r *result) { r.Distinct++ },
		"generated": func(r *result) { r.Generated-- },
		"depth":     func(r *result) { r.Depth++ },
		"digest":    func(r *result) { r.Digest = "ac" },
		"levels":    func(r *result) { r.Levels[1]++ },
		"longer":    func(r *result) { r.Violations[0].Depth++ },
		"invariant": func(r *result) { r.Violations[1].Invariant = "K" },
		"fewer":     func(r *result) { r.Violations = r.Violations[:1] },
	} {
		r := fine()
		change(r)
		if len(differences(fine(), r)) == 0 {
			t.Errorf("%s: not noticed", what)
		}
	}
	more := fine() // a longer one of the same invariant depends on the workers
	more.Violations = append(more.Violations, violation{Invariant: "I", Kind: "state", Depth: 9})
	if wrong := differences(fine(), more); len(wrong) > 0 {
		t.Error(wrong)
	}
}

// TestJudgeExit judges ends of runs.
func TestJudgeExit(t *testing.T) {
	of := &row{want: fine(), code: 12}
	full := &trial{plan: &host.Plan{Fault: "no-space"}, options: []string{"-json"}}
	limited := &trial{plan: full.plan, options: []string{"-json", "-mem", "3M"}}
	killed := &trial{signal: "KILL", to: "command"}
	early := fine()
	early.Reason, early.Distinct = "the disk: no space left on device", 30
	wrongEarly := fine()
	wrongEarly.Reason, wrongEarly.Violations[0].Depth = early.Reason, 7
	for _, c := range []struct {
		what   string
		trial  *trial
		code   int
		output string
		got    *result
		want   string
	}{
		{"the same", full, 12, "", fine(), ""},
		{"no result", full, 12, "", nil, "without a result"},
		{"another count", full, 12, "", &result{Verdict: "violated"}, "distinct 0"},
		{"holds", full, 0, "", &result{Verdict: "holds"}, "exit code 0"},
		{"found early", full, 12, "", early, ""},
		{"found early, in more steps", full, 12, "", wrongEarly, "7 steps"},
		{"full", full, 153, "x cannot be written: no space\nleft on device.", nil, ""},
		{"full without a word", full, 153, "it failed", nil, "names the cause"},
		{"undecided", full, 20, "", &result{Verdict: "undecided", Reason: "no space left on device"}, ""},
		{"undecided for nothing", full, 20, "undecided", nil, "names the cause"},
		{"undecided at a limit", limited, 20, "the memory limit of 2.9 MiB is reached", nil, ""},
		{"too many states", limited, 20, "the memory limit", &result{Verdict: "undecided", Distinct: 71}, "71 distinct"},
		{"killed", killed, -1, "", nil, ""},
		{"crashed", full, -1, "", nil, "a signal ended the command"},
		{"panicked", full, 2, "panic: x\n\ngoroutine 1 [running]", nil, "panicked"},
	} {
		p := &process{code: c.code}
		p.stderr.WriteString(c.output)
		got := strings.Join(c.trial.judgeExit(of, p, c.got), "; ")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestLeftovers examines folders with files that are whole, half-written and temporary.
func TestLeftovers(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"report/a.json":           {`{"verdict": "holds"}`, ""},
		"report/b.json":           {`{"verdict": "hol`, "not whole"},
		"report/a.html":           {"<html></html>\n", ""},
		"report/b.html":           {"<html><p>", "not whole"},
		"report/a.txt":            {"holds", "not whole"},
		"out.xml":                 {"<testsuite><testcase>", "not whole"},
		"out.sarif":               {"", "not whole"},
		"report/.a.json-12":       {"{", "temporary"},
		"kept/checkpoint.partial": {"x", "temporary"},
		"temp/x":                  {"x", "temporary"},
	} {
		work := t.TempDir()
		path := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(leftovers(work, false), "; ")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if got := leftovers(work, true); c.want == "temporary" && len(got) > 0 {
			t.Errorf("%s of a run that was killed: %v", name, got)
		}
		if got := leftovers(work, false, parts(work)...); len(got) > 0 && filepath.Dir(name) == kept && c.want == "temporary" {
			t.Errorf("%s of an earlier run: %v", name, got)
		}
		_, err := os.Stat(path)
		if gone := c.want == "temporary" && !strings.HasPrefix(name, kept); gone != (err != nil) {
			t.Errorf("%s: %v after a run that was killed", name, err)
		}
	}
}

// TestChoices: a seed and a number give one case, every fault is chosen, and every plan is one.
func TestChoices(t *testing.T) {
	of := &row{args: []string{"x.hcl"}, want: fine(), took: time.Second}
	chosen := map[string]bool{}
	for k := range uint64(2000) {
		a, b := choose(random("s", k), of), choose(random("s", k), of)
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("case %d is %v, then %v", k, a, b)
		}
		for _, x := range a {
			chosen[x.fault()] = true
			if x.plan != nil {
				if _, err := host.ParsePlan(x.plan.String()); err != nil {
					t.Error(err)
				}
			}
		}
	}
	for name := range host.Faults {
		if !chosen[name] {
			t.Errorf("%s was not chosen", name)
		}
	}
	for name := range causes {
		if !chosen[name] {
			t.Errorf("%s was not chosen", name)
		}
	}
}

// TestResume adds up what earlier runs did. A line that a kill cut off does not count.
func TestResume(t *testing.T) {
	b := &bench{state: t.TempDir(), seed: "x"}
	text := `{"number":0,"faults":{"no-sync":1},"ends":{"same":2},"resumed":1}` + "\n" + `{"number":3,"faults":{"no-sync":2}}` + "\n" + `{"number":4,"fau`
	if err := os.WriteFile(b.stateName(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sum, err := b.resume()
	if err != nil || sum.took() != 3 || !sum.done[3] || sum.done[4] || sum.resumed != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
}

// TestPool reads the pool: it has rows enough, none twice, and each names a manifest.
func TestPool(t *testing.T) {
	rows, err := readPool("pool.txt")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	manifests := map[string]bool{}
	for _, r := range rows {
		names = append(names, r.String())
		manifests[r.args[0]] = true
		if _, err := os.Stat(filepath.Join("../..", r.args[0])); err != nil {
			t.Error(err)
		}
	}
	if slices.Sort(names); len(slices.Compact(slices.Clone(names))) != len(names) || len(names) < 30 || len(manifests) < 30 {
		t.Errorf("%d rows of %d manifests", len(names), len(manifests))
	}
	few := sample(rows, "today", 4)
	if len(few) != 4 || fmt.Sprint(few) != fmt.Sprint(sample(rows, "today", 4)) {
		t.Errorf("a sample is %v", few)
	}
}

// TestOccupy wants a state folder twice: the second run is refused until the first has ended.
func TestOccupy(t *testing.T) {
	state := t.TempDir()
	release, err := occupy(state)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := occupy(state); err == nil || !strings.Contains(err.Error(), state) {
		t.Errorf("a second run is not refused: %v", err)
	}
	release()
	again, err := occupy(state)
	if err != nil {
		t.Fatal(err)
	}
	again()
}
