// Package variables describes how the modules of a composition use the variables of its State, as
// the document of the verb interaction has it. It imports packages interaction and result.
package variables

import (
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/interaction"
)

// Detail adds to d the coarse grains and variables of a report: what is kept or dropped, and why.
func Detail(d *result.Interaction, rep *interaction.Report) {
	for _, g := range rep.Grains {
		d.Grains = append(d.Grains, result.Grain{
			Grain: g.Module + "/" + g.Grain, Covers: g.Covers, Targets: rep.Targets, Verdict: string(g.Verdict), Level: rep.Level,
			Keeps: listed(g.Keeps), Drops: listed(g.Drops),
		})
	}
	d.Targets = rep.Targets
	for _, m := range rep.Modules {
		d.Modules = append(d.Modules, m.Name)
	}
	for _, v := range rep.Variables {
		row := result.Variable{Name: v.Name, Kept: v.Kept, Modules: []result.Cell{}}
		for k, role := range v.Roles {
			if role.Used() {
				row.Modules = append(row.Modules, result.Cell{
					Module: rep.Modules[k].Name, Dependency: role.Dependency, Reads: role.Reads, Writes: role.Writes,
					Interaction: v.Interaction || v.Interface, Internal: role.Internal,
				})
			}
		}
		if len(v.Why) > 0 {
			row.Why = &result.Link{Text: v.Why[0].Text, File: v.Why[0].File, Line: v.Why[0].Line}
		} else if v.Droppable != "" {
			row.Why = &result.Link{Text: v.Droppable}
		}
		d.Variables = append(d.Variables, row)
	}
}

func listed(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// WhyOf returns the chain that keeps a variable, or one link with the reason why it may be dropped.
func WhyOf(v *interaction.VariableReport) *result.Why {
	w := &result.Why{Variable: v.Name, Kept: v.Kept, Chain: []result.Link{}}
	for _, s := range v.Why {
		w.Chain = append(w.Chain, result.Link{Text: s.Variable + ": " + s.Text, File: s.File, Line: s.Line})
	}
	if v.Droppable != "" {
		w.Chain = append(w.Chain, result.Link{Text: v.Droppable})
	}
	return w
}
