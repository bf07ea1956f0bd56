package main

import (
	"errors"
	"regexp"
	"slices"
	"testing"
)

// TestPartsDivideNames checks that every name of a subtest belongs to exactly one part.
func TestPartsDivideNames(t *testing.T) {
	names := []string{"zk-1419", "three nodes", "Commit[1]", "", "a_b_", "UPPER", "é", "x#01", "order.hcl"}
	for n := 2; n <= 36; n++ {
		for _, name := range names {
			var in []int
			for k := range n {
				if regexp.MustCompile(last(k, n)).MatchString(name) {
					in = append(in, k)
				}
			}
			if want := 1; len(in) != want && name != "" {
				t.Errorf("%q belongs to parts %v of %d", name, in, n)
			}
		}
	}
}

// TestJudge: a part to which no subtest belongs is no failure, and a test that is not there is one.
func TestJudge(t *testing.T) {
	const ran, none = "ok  \tp\t0.1s\n", "ok  \tp\t0.1s [no tests to run]\n"
	failure := errors.New("exit status 1")
	for _, test := range []struct {
		out   string
		err   error
		whole bool
		want  bool
	}{
		{ran, nil, true, true}, {ran, nil, false, true}, {ran, failure, false, false},
		{none, nil, true, false}, {none, nil, false, true}, {none, failure, false, false},
	} {
		if got, _ := judge(test.out, test.err, test.whole); got != test.want {
			t.Errorf("%q, %v, whole %v: passed %v", test.out, test.err, test.whole, got)
		}
	}
}

// TestChoose checks that a sample stays within its budget, that a seed gives one sample, and that
// every choice that fits is made by some seed.
func TestChoose(t *testing.T) {
	all := []int{1, 2, 3, 4, 5, 11}
	cost := func(n int) float64 { return float64(n) }
	ever := map[int]bool{}
	for _, seed := range "abcdefghijklmnopqrstuvwxyz" {
		sample, sum := choose(all, cost, string(seed), 10)
		again, _ := choose(all, cost, string(seed), 10)
		if !slices.Equal(sample, again) {
			t.Errorf("seed %c gives %v, then %v", seed, sample, again)
		}
		total := 0
		for _, n := range sample {
			ever[n] = true
			total += n
		}
		if sum != float64(total) || total > 10 {
			t.Errorf("seed %c: %v costs %d, reported %v", seed, sample, total, sum)
		}
	}
	if len(ever) != 5 || ever[11] {
		t.Errorf("26 seeds choose %v", ever)
	}
}

// TestLongIn finds tests that refer to MULTIGRAIN_SLOW directly and through a function.
func TestLongIn(t *testing.T) {
	names, err := longIn("testdata")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"TestDirect", "TestThroughFunction"}; !slices.Equal(names, want) {
		t.Errorf("long tests %v, want %v", names, want)
	}
}

// TestListedTestsExist: a line of .ci/costs.txt without a test is an error, and a test without a
// line gets the assumed cost.
func TestListedTestsExist(t *testing.T) {
	found := func() map[[2]string]bool {
		return map[[2]string]bool{{"./zab", "TestA"}: true, {"./zab", "TestB"}: true}
	}
	got, err := merged(found(), []longTest{{"./zab", "TestB/names", 90, 3}})
	want := []longTest{{"./zab", "TestA", unknown, 1}, {"./zab", "TestB/names", 90, 3}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if got, err := merged(found(), []longTest{{"./zab", "TestGone", 1, 1}}); err == nil {
		t.Errorf("a test that does not exist: %v", got)
	}
	if _, err := parts([]longTest{{"./zab", "TestB", 90, 3}}, 20); err == nil {
		t.Error("a part of 30 seconds fits into 20")
	}
}

// TestEveryManifestHasACost reads the snapshot of this repository.
func TestEveryManifestHasACost(t *testing.T) {
	t.Chdir("../..")
	costs, err := manifestCosts()
	if err != nil {
		t.Fatal(err)
	}
	for path, c := range costs {
		if c < building {
			t.Errorf("%s costs %v", path, c)
		}
	}
	if small, large := costs["configs/raft/election.hcl"], costs["configs/zab/mspec-1.hcl"]; small >= large {
		t.Errorf("election costs %v, mspec-1 %v", small, large)
	}
}
