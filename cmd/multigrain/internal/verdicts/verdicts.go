// Package verdicts is the table of verdicts. A row is a verb and a word with which a run of the
// verb can end. It has the exit code, the first line of the text, and the forms in JSON, JUnit
// and SARIF.
//
// All verbs take words, exit codes and first lines from this table. A word that the table does not
// have cannot be printed: Find panics. docs/reference/verdicts.md is generated from the table.
package verdicts

import (
	"fmt"
	"slices"
	"strings"
)

// Word is a verdict as documents and expect blocks have it.
type Word = string

// The words.
const (
	Holds        Word = "holds"
	Violated     Word = "violated"
	Undecided    Word = "undecided"
	NothingFound Word = "nothing-found" // random walks found no violation
	Preserved    Word = "preserved"
	Gap          Word = "gap"
	Broken       Word = "broken"
	None         Word = "none"
	Skipped      Word = "skipped"
	Valid        Word = "valid"
	Invalid      Word = "invalid"
	AsExpected   Word = "as expected"
	Differs      Word = "differs"
	Confirmed    Word = "confirmed" // the symptom of a bug was seen on an implementation
	Departs      Word = "departs"   // an implementation does not do what a counterexample does
	Behaves      Word = "behaves"   // changed code does what the specification does
	Verified     Word = "verified"  // it behaves so, and the specification holds
	Ranked       Word = "ranked"    // configurations are in the order in which to search them
	Planned      Word = "planned"   // a composition is expected to be explored within a budget
	Fresh        Word = "fresh"     // no entry of a lock file is stale
	Stale        Word = "stale"     // an entry of a lock file is about an earlier composition
	Same         Word = "same"      // two results differ in times alone
	Done         Word = "done"      // the verb judges nothing
)

// Cases tell rows of the same word apart.
const (
	Deadlock   = "deadlock"
	State      = "state"
	Step       = "step"
	Liveness   = "liveness"
	Assert     = "assert"
	Panic      = "panic"        // of an implementation
	Judged     = "judged"       // the property of a trace was judged on an implementation
	Unaccepted = "not accepted" // a gap that the manifest does not accept
	Accepted   = "accepted"     // changed code that did not run, with -accept-uncovered
	Forgotten  = "forgotten"    // a restart without what the node had sent before
	Selftest   = "selftest"     // random behaviours instead of a stream
	Behaviours = "behaviours"   // compositions were compared by exploring them
	Mutants    = "mutants"      // mutants of the modules under test were explored in both
)

// Tone says how the word is meant: as good news, as bad news, or as neither.
type Tone int

const (
	Open Tone = iota
	Good
	Bad
)

// Forms in JUnit: the element inside a test case.
const (
	Pass    = "pass"
	Failure = "failure"
	Error   = "error"
	Skip    = "skipped"
	NoForm  = "-" // the verb does not write the format
)

// Row is a verdict of a verb.
type Row struct {
	Verb string
	Word Word
	Case string // tells rows of one word apart; "" is any other case
	Exit int
	// Firm says that the verdict precedes errors of the same run, such as a trace that cannot be
	// written.
	Firm bool
	Tone Tone
	// Head and Tail are the first line of the text, the head coloured. {names} in braces stand for
	// what the run fills in. Both are empty if the text has no such line.
	Head, Tail string
	JSON       string // field and value
	JUnit      string // Pass, Failure, Error or NoForm
	SARIF      string // level and kind of the result, "no result" or NoForm
	Means      string
	// Needs are the minima of a row with exit code 0: what a run must have looked at. Free says why
	// such a row has none. Below a minimum the verdict is undecided, or the run ends with an error.
	Needs []Need
	Free  string
}

// Find returns the row of a verb's verdict: that of the case, or else that of any other case. A
// verdict that the table does not have is a fault of the caller.
func Find(verb string, word Word, which string) Row {
	r, ok := find(verb, word, which)
	if !ok {
		panic(fmt.Sprintf("the table of verdicts has no row %q %q for the verb %s", word, which, verb))
	}
	return r
}

func find(verb string, word Word, which string) (Row, bool) {
	for _, c := range []string{which, ""} {
		k := slices.IndexFunc(Table, func(r Row) bool { return r.Verb == verb && r.Word == word && r.Case == c })
		if k >= 0 {
			return Table[k], true
		}
	}
	return Row{}, false
}

// Of returns the rows of a verb.
func Of(verb string) (rows []Row) {
	for _, r := range Table {
		if r.Verb == verb {
			rows = append(rows, r)
		}
	}
	return rows
}

// Words returns the words of a verb, each once, in alphabetical order.
func Words(verb string) (words []Word) {
	for _, r := range Of(verb) {
		words = append(words, r.Word)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// Allows reports whether a run of a verb that says a word may end with an exit code. Failed says
// that the run reported an error. The word is "" for a run that ended before its verdict.
func Allows(verb string, word Word, exit int, failed bool) bool {
	if failed && slices.Contains(ErrorExits, exit) {
		return true
	}
	return slices.ContainsFunc(Of(verb), func(r Row) bool {
		return r.Exit == exit && (r.Word == word || word == "" && r.Word == Done)
	})
}

// Line returns the first line of the text. Paint colours the head; values are names and what
// stands for them, as strings.NewReplacer takes them.
func (r Row) Line(paint func(Tone, string) string, values ...string) string {
	for k := 0; k < len(values); k += 2 {
		values[k] = "{" + values[k] + "}"
	}
	return paint(r.Tone, r.Head) + strings.NewReplacer(values...).Replace(r.Tail)
}
