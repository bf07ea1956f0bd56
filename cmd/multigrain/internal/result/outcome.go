package result

import (
	"cmp"
	"slices"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// Outcome returns the verdict of a document with its case, as package verdicts lists them. The word
// is verdicts.Done for a verb that judges nothing, and for a run that judged nothing yet. It is
// undecided if the run looked at less than its verdict needs.
func (d *Document) Outcome() (word verdicts.Word, which string) {
	word, which = d.stated()
	if n := verdicts.Short(d.verb(), word, which, d.Looked); n != nil && n.Exit == verdicts.ExitUndecided {
		return verdicts.Undecided, ""
	}
	return word, which
}

// Settle makes a verdict undecided, with the reason, if the run looked at less than the verdict
// needs. Callers have filled in Looked and the part of the verdict.
func (d *Document) Settle() {
	word, which := d.stated()
	n := verdicts.Short(d.verb(), word, which, d.Looked)
	if n == nil || n.Exit != verdicts.ExitUndecided {
		return
	}
	switch {
	case d.Confirm != nil:
		d.Confirm.Verdict, d.Confirm.Reason = verdicts.Undecided, n.Lacks
	case d.Conform != nil:
		d.Conform.Verdict, d.Conform.Reason = verdicts.Undecided, n.Lacks
	case d.Change != nil && d.Change.Observed != nil:
		d.Change.Observed.Verdict, d.Change.Observed.Reason = verdicts.Undecided, n.Lacks
	case d.Ranking != nil:
		d.Ranking.Verdict, d.Ranking.Reason = verdicts.Undecided, n.Lacks
	case d.Plan != nil:
		d.Plan.Verdict, d.Plan.Reason = verdicts.Undecided, n.Lacks
	case d.Refinement != nil:
		d.Refinement.Verdict, d.Refinement.Reason = verdicts.Undecided, n.Lacks
	case d.Monitor != nil:
		d.Monitor.Verdict, d.Monitor.Reason = verdicts.Undecided, n.Lacks
	case d.Selftest != nil:
		d.Selftest.Verdict, d.Selftest.Reason = verdicts.Undecided, n.Lacks
	case d.mutated():
		d.Interaction.Mutants.Verdict, d.Interaction.Mutants.Reason = verdicts.Undecided, n.Lacks
	case d.Exploration != nil:
		d.Verdict, d.Reason = verdicts.Undecided, n.Lacks
	default:
		d.Exploration = Unexplored(n.Lacks)
	}
}

// mutated reports whether mutants were explored for the verdict.
func (d *Document) mutated() bool {
	return d.Verb == "interaction" && d.Interaction != nil && d.Interaction.Mutants != nil
}

// verb returns the verb of a document. Parts of the documents of several manifests are documents of
// check.
func (d *Document) verb() string { return cmp.Or(d.Verb, "check") }

// stated returns the verdict that the parts of a document have.
func (d *Document) stated() (word verdicts.Word, which string) {
	switch {
	case d.Diff != nil:
		return d.Diff.Verdict, ""
	case d.Confirm != nil:
		return d.Confirm.Verdict, ""
	case d.Conform != nil:
		return d.Conform.outcome()
	case d.Change != nil && d.Change.Observed != nil:
		return d.Change.Observed.outcome()
	case d.Ranking != nil:
		return d.Ranking.Verdict, ""
	case d.Plan != nil:
		return d.Plan.Verdict, ""
	case d.Refinement != nil:
		return d.Refinement.Verdict, ""
	case d.Monitor != nil:
		return d.Monitor.Verdict, ""
	case d.Selftest != nil:
		return d.Selftest.Verdict, verdicts.Selftest
	case d.Valid != nil && *d.Valid:
		return verdicts.Valid, ""
	case d.Valid != nil:
		return verdicts.Invalid, ""
	case d.mutated():
		return d.Interaction.outcome()
	case d.Exploration != nil:
		return d.Exploration.outcome()
	case d.Verb == "interaction" && d.Interaction != nil:
		return d.Interaction.outcome()
	case d.Locks != nil:
		return d.Locks.Verdict, ""
	case d.Fleet != nil && d.Fleet.Jobs > 0:
		return d.Fleet.outcome(), ""
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

// outcome returns the verdict on an implementation: what its changed code breaks decides which kind
// it is.
func (c *Conformance) outcome() (word verdicts.Word, which string) {
	if c.Verdict == verdicts.Violated && len(c.Broken) > 0 {
		return c.Verdict, c.Broken[0].Kind
	}
	if c.Verdict == verdicts.Holds && c.Judged != "" {
		return c.Verdict, verdicts.Judged
	}
	return c.Verdict, ""
}

// outcome returns the verdict of an exploration: the first violation decides which kind it is.
func (x *Exploration) outcome() (word verdicts.Word, which string) {
	if len(x.Violations) > 0 {
		return x.Verdict, x.Violations[0].Kind
	}
	return x.Verdict, ""
}

// unaccepted reports whether a finding is an error that the manifest does not accept.
func unaccepted(f Finding) bool { return !f.Accepted && f.Severity == "error" }

// refused reports whether the comparison of behaviours leads to an error.
func (i *Interaction) refused() bool {
	return i.Comparison != nil && (i.Comparison.Verdict == verdicts.Broken || slices.ContainsFunc(i.Findings, unaccepted))
}

// outcome returns the verdict on interaction preservation.
func (i *Interaction) outcome() (word verdicts.Word, which string) {
	switch {
	case i.Mutants != nil && i.Mutants.Verdict == verdicts.Preserved && i.refused():
		return verdicts.Broken, verdicts.Mutants
	case i.Mutants != nil && i.Mutants.Verdict == verdicts.Preserved && i.Level < "L3":
		return verdicts.Undecided, verdicts.Mutants // level L2 is
	case i.Mutants != nil:
		return i.Mutants.Verdict, verdicts.Mutants
	case i.Verdict == verdicts.Gap && slices.ContainsFunc(i.Findings, unaccepted):
		return i.Verdict, verdicts.Unaccepted
	case i.Verdict == verdicts.Preserved && i.Level > "L0":
		return i.Verdict, verdicts.Behaviours
	}
	return i.Verdict, ""
}

// together returns the verdict on several compositions: the first violation, or else holds if all
// hold, or else undecided. Compositions without a verdict have errors, which the caller knows.
func together(all []Compared) (word verdicts.Word, which string) {
	word = verdicts.Holds
	for _, d := range all {
		switch w, kind := d.Result.Outcome(); w {
		case verdicts.Violated:
			return w, kind
		case verdicts.Holds:
		default:
			word = verdicts.Undecided
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
	if o.Verdict == verdicts.Behaves && len(o.Accepted) > 0 {
		return o.Verdict, verdicts.Accepted
	}
	if o.Verdict == verdicts.Violated && o.Checked != nil {
		return o.Verdict, o.Checked.Kind
	}
	return o.Verdict, ""
}
