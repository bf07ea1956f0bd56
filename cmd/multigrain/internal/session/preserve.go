package session

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction"
)

// fillInteraction takes over the verdict and the findings of a report.
func fillInteraction(d *result.Interaction, rep *interaction.Report) {
	d.Verdict = string(rep.Verdict)
	if rep.Verdict != interaction.None && rep.Verdict != interaction.Skipped {
		d.Level = rep.Level
	}
	for _, f := range rep.Findings {
		d.Findings = append(d.Findings, result.Finding{
			Kind: string(f.Kind), Variable: f.Variable, Action: f.Action, File: f.File, Line: f.Line, Code: f.Code,
			Severity: string(f.Severity), Grain: f.Grain, Message: f.Message,
		})
	}
}

// DetailInteraction takes over what only the verb interaction shows.
func DetailInteraction(d *result.Interaction, rep *interaction.Report) {
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
			if role == interaction.NoRole {
				continue
			}
			m := rep.Modules[k]
			row.Modules = append(row.Modules, result.Cell{
				Module: m.Name, Dependency: slices.Contains(m.Dependency, v.Name),
				Interaction: role == interaction.Interaction, Internal: role == interaction.Internal,
			})
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

// WhyOf is the chain that keeps a variable.
func WhyOf(v *interaction.VariableReport) *result.Why {
	w := &result.Why{Variable: v.Name, Kept: v.Kept, Chain: []result.Link{}}
	for _, s := range v.Why {
		w.Chain = append(w.Chain, result.Link{Text: s.Variable + ": " + s.Text, File: s.File, Line: s.Line})
	}
	return w
}

// tolerate turns the errors of an examination into warnings.
func tolerate(diags hcl.Diagnostics) {
	for _, d := range diags {
		if d.Severity == hcl.DiagError && result.AboutInteraction(string(configs.CodeOf(d))) {
			d.Severity = hcl.DiagWarning
		}
	}
}
