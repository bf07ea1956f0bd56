package main

import (
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/interaction"
)

func suggestionsOf(rep *interaction.Report) (out []result.Suggestion) {
	for _, s := range rep.Suggestions {
		d := result.Suggestion{Module: s.Module, Grain: s.Grain, Drops: s.Drops, Together: s.Together, Others: s.Others, Silent: s.Silent}
		for _, k := range s.Keeps {
			d.Keeps = append(d.Keeps, *whyOf(&interaction.VariableReport{Name: k.Variable, Kept: true, Why: k.Why}))
		}
		out = append(out, d)
	}
	return out
}
