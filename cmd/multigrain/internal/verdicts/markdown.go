package verdicts

import (
	"fmt"
	"strings"
)

const introduction = `# Verdicts

Generated from ` + "`cmd/multigrain/internal/verdicts`" + ` by
` + "`go test ./cmd/multigrain/internal/verdicts -update`" + `; do not edit.

Each verb ends with one of its verdicts. An error precedes a verdict: the exit code is that of the
error then. Only a violation, a difference and an alarm precede errors, except in the verbs trace
and compare.

A run that judged nothing is never green: [What a green verdict needs](#what-a-green-verdict-needs)
has the minimum of each verb. Random walks end with ` + "`nothing-found`" + ` and not with
` + "`holds`" + `, since they say nothing about the behaviours that they did not take. Their exit code is 0:
what was asked was completed, and nothing was found. A caller who needs to know more reads the
coverage in the result, or gives ` + "`-strict`" + `.

In JUnit a case for a property that was not decided is an error. If another property is violated,
the case is skipped, since the search ended there and the suite fails in any case. A dash says that
the verb does not write the format. Words in braces are filled in by the run.

`

const needs = `
## What a green verdict needs

The exit code 0 says that something was looked at. Each row of the table above with this exit code
has a minimum here, or the reason why it needs none. Minima that semicolons separate are all needed,
and one of each is enough. A run below its minimum has the exit code of the last column. With 20 it
is undecided and names what it lacks. With 2 there was no manifest, which is an error. The counts of
a run are in the field ` + "`looked`" + ` of its document.

| verb | verdict | minimum | exit code below it |
|---|---|---|---|
`

const memory = `A limit on the address space can leave Go's runtime no memory (` + "`ulimit -v`" + ` of less than about
1 GiB). The runtime then ends the process itself with exit code 2. It writes ` + "`fatal error`" + ` to the
standard error and nothing to the standard output. Wrong usage writes ` + "`Error:`" + ` instead.

`

// Markdown returns the document docs/reference/verdicts.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(introduction + "## Exit codes\n\n| exit code | meaning |\n|---|---|\n")
	for _, x := range Exits {
		fmt.Fprintf(&b, "| %d | %s |\n", x.Code, x.Means)
	}
	var errors []string
	for _, code := range ErrorExits {
		errors = append(errors, fmt.Sprint(code))
	}
	fmt.Fprintf(&b, "\nErrors have the exit codes %s. In JUnit they are errors of the case\n`manifest`, in SARIF results of level error.\n\n", strings.Join(errors, ", "))
	b.WriteString(memory)
	b.WriteString("## Verdicts of each verb\n\n| verb | verdict | exit code | first line of the text | JSON | JUnit | SARIF | meaning |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range Table {
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s | %s | %s |\n", r.Verb, r.name(), r.Exit, code(r.Head+r.Tail), code(r.JSON), r.JUnit, r.SARIF, r.Means)
	}
	b.WriteString(needs)
	for _, r := range Table {
		if r.Exit == ExitOK {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.Verb, r.name(), r.green(), r.below())
		}
	}
	return b.String()
}

// name returns the word with its case.
func (r Row) name() string {
	if r.Case == "" {
		return r.Word
	}
	return r.Word + " (" + r.Case + ")"
}

// code returns a text as code, or a dash if there is none.
func code(text string) string {
	if text == "" || text == NoForm || strings.HasPrefix(text, "no ") {
		return NoForm
	}
	return "`" + text + "`"
}
