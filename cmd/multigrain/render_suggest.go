package main

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/interaction"
)

// suggestionDoc is what a coarse grain of a module may leave out.
type suggestionDoc struct {
	Module   string   `json:"module"`
	Grain    string   `json:"grain"` // that the advice is about
	Drops    []string `json:"drops"`
	Together []string `json:"together,omitempty"` // may be dropped, too, where one grain covers all of Others
	Others   []string `json:"others,omitempty"`
	Keeps    []whyDoc `json:"keeps"`
	Silent   []string `json:"silent_actions,omitempty"`
}

func suggestionsOf(rep *interaction.Report) (out []suggestionDoc) {
	for _, s := range rep.Suggestions {
		d := suggestionDoc{Module: s.Module, Grain: s.Grain, Drops: s.Drops, Together: s.Together, Others: s.Others, Silent: s.Silent}
		for _, k := range s.Keeps {
			d.Keeps = append(d.Keeps, *whyOf(&interaction.VariableReport{Name: k.Variable, Kept: true, Why: k.Why}))
		}
		out = append(out, d)
	}
	return out
}

// suggestions is the advice for people: what may go, and for each variable that may not the first link of the chain that
// keeps it.
func suggestions(docs []suggestionDoc, targets []string, paint painter) string {
	if len(docs) == 0 {
		return "Nothing to suggest: every module is under test or of the environment. Mark those under test with target = true.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "What coarse grains of the other modules may leave out for target %s, by level L0:\n", words.ListOr(targets, "none"))
	for _, d := range docs {
		fmt.Fprintf(&b, "\n%s at grain %s\n", paint.in(bold, d.Module), d.Grain)
		b.WriteString(indentAll(wrap("may be dropped: "+words.ListOr(d.Drops, "nothing"), 96), "  "))
		if len(d.Together) > 0 {
			b.WriteString(indentAll(wrap("may be dropped, too, by one grain for "+strings.Join(d.Others, " and ")+": "+
				strings.Join(d.Together, ", "), 96), "  "))
		}
		if len(d.Silent) > 0 {
			b.WriteString(indentAll(wrap("steps that update nothing else: "+strings.Join(d.Silent, ", "), 96), "  "))
		}
		if len(d.Keeps) == 0 {
			continue
		}
		b.WriteString("  has to be kept:\n")
		t := table{indent: "    "}
		for _, k := range d.Keeps {
			l := k.Chain[0]
			t.row(k.Variable, fmt.Sprintf("%s  (%s:%d)", strings.TrimPrefix(l.Text, k.Variable+": "), words.ShortPath(l.File), l.Line))
		}
		b.WriteString(t.text())
	}
	b.WriteString("\nA chain in full: -why VARIABLE. Whether a grain that drops these has the same behaviours: -level L2.\n")
	return b.String()
}
