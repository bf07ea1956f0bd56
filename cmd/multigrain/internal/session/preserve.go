package session

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/gaps"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/variables"
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

// Detail adds what each module keeps and drops, and why, to the result of the examination.
func (r *Run) Detail() {
	if r.Analysis == nil || r.Interaction.Modules != nil {
		return
	}
	variables.Detail(r.Interaction, r.Analysis)
	r.Interaction.Uncompared = gaps.Uncompared(r.Composition)
	r.Interaction.Whole = gaps.Whole(r.Composition)
}

// tolerate turns the errors of an examination into warnings.
func tolerate(diags hcl.Diagnostics) {
	for _, d := range diags {
		if d.Severity == hcl.DiagError && result.AboutInteraction(string(configs.CodeOf(d))) {
			d.Severity = hcl.DiagWarning
		}
	}
}
