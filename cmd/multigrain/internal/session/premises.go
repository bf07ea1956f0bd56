package session

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/configs"
)

// premises reports the liveness properties that a completed search says nothing about. A premise
// that is true in no state is reported as other findings are: the property was not judged. A
// premise whose conclusion is true in the same state, always, is a warning: the property was
// judged, and no behaviour had to lead anywhere.
func (r *Run) premises(report func(configs.Code, string, hcl.Range, string, ...any) *hcl.Diagnostic) (diags hcl.Diagnostics) {
	l := r.Report.Liveness
	if l == nil {
		return nil
	}
	at := r.Manifest.Check.Properties.Range
	for k, p := range l.Premises {
		switch name := l.Properties[k]; {
		case p.True == 0:
			diags = append(diags, report(codes.NoPremise, "Premise never true", at,
				"The premise of the liveness property %s is true in no explored state, so the property was not judged. Raise a bound, or check the function From.", name))
		case p.Open == 0:
			diags = append(diags, configs.Warnf(codes.MetAtOnce, "Conclusion always true with the premise", at,
				"In each explored state where the premise of the liveness property %s is true, its conclusion is true, too, so no behaviour had to lead from one to the other. "+
					"Check the functions From and To, or declare an invariant instead.", name))
		}
	}
	return diags
}
