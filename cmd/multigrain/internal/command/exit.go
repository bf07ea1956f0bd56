package command

import (
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/configs"
)

// Exit returns the exit code that the document of a call leads to.
func (c *Call) Exit() int { return ExitOf(&c.Doc) }

// ExitOf returns the exit code of a document: that of its errors, or else that of its verdict. A
// firm verdict precedes errors.
func ExitOf(d *result.Document) int {
	word, which := d.Outcome()
	failed := exitOfErrors(d)
	if failed != shell.OK && word == verdicts.Done {
		return failed
	}
	if row := verdicts.Find(d.Verb, word, which); row.Firm || failed == shell.OK {
		return row.Exit
	}
	return failed
}

// exitOfErrors returns the exit code of the errors in a document, and in the documents of compared
// manifests.
func exitOfErrors(d *result.Document) int {
	worst := shell.OK
	for _, x := range d.Diagnostics {
		if x.Severity == "error" {
			worst = max(worst, shell.ExitOfCode(configs.Code(x.Code)))
		}
	}
	for _, x := range d.Compared {
		if word, _ := x.Result.Outcome(); word != verdicts.Violated {
			worst = max(worst, exitOfErrors(x.Result))
		}
	}
	return worst
}
