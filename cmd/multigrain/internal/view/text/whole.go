package text

import "github.com/multigrain/multigrain/cmd/multigrain/internal/result"

// Whole returns all that the text of a verb about a real system, or about several compositions,
// can say; "" for documents of other verbs.
func Whole(d *result.Document) string {
	switch {
	case d.Conform != nil:
		return Conformance{Verbose: true}.Text(d)
	case d.Confirm != nil:
		return Confirmation{Verbose: true}.Text(d)
	case d.Validation != nil && d.Exploration != nil && !d.Stopped:
		return Validation{Verbose: true}.Text(d)
	case d.Monitor != nil:
		return Monitor(d.Monitor, false)
	case d.Selftest != nil:
		return Selftest(d.Selftest, false)
	case d.AtNode != nil:
		return AtNode(d.AtNode)
	case d.Ranking != nil:
		return Ranked(d.Ranking, false)
	case d.Compared != nil:
		return Compared(d.Compared, false)
	}
	return ""
}
