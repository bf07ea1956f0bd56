package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// expectation holds the values of a manifest's expect block. Fields are empty, numbers nil,
// where it says nothing.
type expectation struct {
	verdict, invariant, instance, kind, interaction, level string
	depth, distinct, generated, distinctAt                 *int
}

// expectationOf reads an expect block; nil is one that says holds. A verdict that is not written
// follows from the rest.
func expectationOf(e *configs.Expect) expectation {
	if e == nil {
		return expectation{verdict: verdicts.Holds}
	}
	number := func(a configs.Attr[int]) *int {
		if !a.IsSet() {
			return nil
		}
		return &a.Value
	}
	x := expectation{
		verdict: e.Verdict.Value, invariant: e.Invariant.Value, instance: e.Instance.Value, kind: e.Kind.Value,
		interaction: e.Interaction.Value, level: e.Level.Value,
		depth: number(e.Depth), distinct: number(e.Distinct), generated: number(e.Generated), distinctAt: number(e.DistinctAt),
	}
	switch {
	case x.verdict != "":
	case x.invariant != "" || x.instance != "" || x.kind != "" || x.distinctAt != nil:
		x.verdict = verdicts.Violated
	case x.interaction != verdicts.Broken:
		x.verdict = verdicts.Holds
	}
	return x
}

// explores reports whether something is expected that only exploration finds. A composition that
// is expected to be broken need not be explored.
func (x expectation) explores() bool {
	return x.verdict != "" || x.depth != nil || x.distinct != nil || x.generated != nil
}

func (x expectation) text() string {
	var parts []string
	if x.interaction != "" {
		parts = append(parts, strings.TrimSpace("interaction "+x.interaction+" "+x.level))
	} else if x.level != "" {
		parts = append(parts, "interaction at "+x.level)
	}
	if x.verdict != "" {
		text := x.verdict
		switch {
		case x.invariant != "" && x.instance != "":
			text += " " + x.invariant + "." + x.instance
		case x.invariant != "":
			text += " " + x.invariant
		case x.kind != "":
			text += " " + x.kind
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// differences says where an outcome is not what is expected.
func (x expectation) differences(r *Run) []string {
	out := []string{}
	for _, d := range r.Diagnostics {
		if d.Severity == hcl.DiagError {
			if line := fmt.Sprintf("%s [%s]", d.Summary, configs.CodeOf(d)); !slices.Contains(out, line) {
				out = append(out, line) // each kind once, however many there are
			}
		}
	}
	text := func(what, want, have string) {
		if want != "" && want != have {
			out = append(out, fmt.Sprintf("%s: %s expected, %s found", what, want, words.ListOr(words.NonEmpty(have), "none")))
		}
	}
	if r.Interaction != nil {
		text("interaction", x.interaction, r.Interaction.Verdict)
		text("level", x.level, r.Interaction.Level)
		if m := r.Interaction.Mutants; m != nil && m.Reason != "" {
			out = append(out, "level L3: "+m.Reason)
		}
	}
	rep := r.Report
	if rep == nil {
		if r.Stopped != "" {
			out = append(out, r.Stopped)
		}
		return out
	}
	number := func(what string, want *int, have int64) {
		if want != nil && int64(*want) != have {
			out = append(out, fmt.Sprintf("%s: %d expected, %d found", what, *want, have))
		}
	}
	text("verdict", x.verdict, rep.Verdict)
	number("distinct", x.distinct, rep.Distinct)
	number("generated", x.generated, rep.Generated)
	depth, first := int64(rep.Depth), wire.Violation{}
	if len(rep.Violations) > 0 {
		first = rep.Violations[0]
		depth = int64(first.Depth)
	}
	number("depth", x.depth, depth)
	number("distinct_at", x.distinctAt, first.At)
	text("kind", x.kind, first.Kind)
	text("instance", x.instance, first.Instance)
	if x.invariant != first.Invariant {
		text("invariant", x.invariant, propertyName(&first))
	}
	return out
}
