package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/configs"
)

func TestExpectation(t *testing.T) {
	t.Parallel()
	holds := &wire.Report{Verdict: "holds", Distinct: 7, Generated: 9, Depth: 4}
	violated := &wire.Report{Verdict: "violated", Distinct: 7, Generated: 9, Depth: 4, Violations: []wire.Violation{
		{Invariant: "I-14", Instance: "npe", Kind: "assert", Depth: 3, At: 6}, {Invariant: "I-1", Kind: "state"},
	}}
	for _, c := range []struct {
		name, block string
		report      *wire.Report
		want        []string
	}{
		{"none", "", holds, nil},
		{"none, violated", "", violated, []string{"verdict: holds expected, violated found"}},
		{"empty", "expect {}", holds, nil},
		{"counts", `expect { distinct = 7 }`, holds, nil},
		{"wrong counts", "expect {\n distinct = 8\n generated = 8\n depth = 8\n}", holds, []string{"distinct: 8", "generated: 8", "depth: 8 expected, 4 found"}},
		{"invariant", `expect { invariant = "I-14" }`, violated, nil},
		{"invariant with instance", `expect { invariant = "I-14.npe" }`, violated, nil},
		{"second invariant", `expect { invariant = "I-1" }`, violated, []string{"invariant: I-1 expected, I-14.npe found"}},
		{"instance", `expect { instance = "other" }`, violated, []string{"instance: other expected, npe found"}},
		{"kind", `expect { kind = "assert" }`, violated, nil},
		{"depth of the counterexample", "expect {\n verdict = \"violated\"\n depth = 3\n distinct_at = 6\n}", violated, nil},
		{"violated expected", `expect { kind = "state" }`, holds, []string{"verdict: violated expected", "kind: state expected, none found"}},
	} {
		m, _ := configs.Load("m.hcl", configs.Options{ReadFile: func(string) ([]byte, error) { return []byte(c.block), nil }})
		x := expectationOf(m.Expect)
		got := x.differences(&Run{Manifest: m, Explored: Explored{Report: c.report}})
		if len(got) != len(c.want) || !slices.EqualFunc(got, c.want, strings.Contains) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
