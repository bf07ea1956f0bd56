package result

import (
	"slices"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// Outcome returns the verdict of a document with its case, as package verdicts lists them. The word
// is verdicts.Done for a verb that judges nothing, and for a run that judged nothing yet.
func (d *Document) Outcome() (word verdicts.Word, which string) {
	switch {
	case d.Confirm != nil:
		return d.Confirm.Verdict, ""
	case d.Conform != nil:
		return d.Conform.Verdict, ""
	case d.Change != nil && d.Change.Observed != nil:
		return d.Change.Observed.outcome()
	case d.Ranking != nil:
		return d.Ranking.Verdict, ""
	case d.Monitor != nil:
		return d.Monitor.Verdict, ""
	case d.Selftest != nil:
		return d.Selftest.Verdict, verdicts.Selftest
	case d.Valid != nil && *d.Valid:
		return verdicts.Valid, ""
	case d.Valid != nil:
		return verdicts.Invalid, ""
	case d.Exploration != nil:
		return d.Exploration.outcome()
	case d.Verb == "interaction" && d.Interaction != nil:
		return d.Interaction.outcome()
	case d.Interrupted:
		return verdicts.Undecided, ""
	case len(d.Tests) > 0:
		if slices.ContainsFunc(d.Tests, func(t Test) bool { return !t.OK }) {
			return verdicts.Differs, ""
		}
		return verdicts.AsExpected, ""
	case len(d.Compared) > 0:
		return together(d.Compared)
	}
	return verdicts.Done, ""
}

// outcome returns the verdict of an exploration: the first violation decides which kind it is.
func (x *Exploration) outcome() (word verdicts.Word, which string) {
	switch {
	case len(x.Violations) > 0:
		return x.Verdict, x.Violations[0].Kind
	case x.Unchecked && x.Verdict != verdicts.Undecided:
		return x.Verdict, verdicts.Unchecked
	}
	return x.Verdict, ""
}

// outcome returns the verdict on interaction preservation.
func (i *Interaction) outcome() (word verdicts.Word, which string) {
	unaccepted := func(f Finding) bool { return !f.Accepted && f.Severity == "error" }
	if i.Verdict == verdicts.Gap && slices.ContainsFunc(i.Findings, unaccepted) {
		return i.Verdict, verdicts.Unaccepted
	}
	return i.Verdict, ""
}

// together returns the verdict on several compositions: the first violation, or else undecided if
// one is, or else holds. Compositions without a verdict have errors, which the caller knows.
func together(all []Compared) (word verdicts.Word, which string) {
	word = verdicts.Holds
	for _, d := range all {
		switch w, kind := d.Result.Outcome(); w {
		case verdicts.Violated:
			return w, kind
		case verdicts.Undecided:
			word = w
		}
	}
	return word, ""
}

// outcome returns the verdict on a change: the first invariant that its code breaks decides which
// kind it is.
func (o *Observed) outcome() (word verdicts.Word, which string) {
	if len(o.Broken) > 0 {
		return o.Verdict, o.Broken[0].Kind
	}
	return o.Verdict, ""
}
