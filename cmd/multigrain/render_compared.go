package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// comparedText is the table of compositions, in the columns of table 5 of the Remix paper.
func comparedText(all []comparedDoc, paint painter) string {
	t := table{right: map[int]bool{1: true, 2: true, 3: true, 4: true}}
	t.row("specification", "time", "depth", "distinct", "violations", "verdict", "violated invariants")
	for _, d := range all {
		name := d.Result.Spec
		if repeated(all, name) {
			name = d.Manifest
		}
		r := d.Result.exploration
		switch {
		case r == nil:
			t.row(name, "-", "-", "-", "-", paint.in(red, d.Result.found()))
			continue
		case r.Stopped:
			t.row(name, "-", "-", "-", "-", paint.in(yellow, "undecided")+": "+r.Reason)
			continue
		}
		verdict := paint.in(verdictStyle(r.Verdict), r.Verdict)
		if r.Reason != "" {
			verdict += ": " + strings.TrimSuffix(r.Reason, ".")
		}
		t.row(name, words.Elapsed(r.Seconds), strconv.Itoa(r.Depth), words.Count(r.Distinct), words.Count(seen(r, "")), verdict, violatedAt(r))
	}
	return t.text()
}

// violatedAt names what is violated, with the length of its shortest counterexample and how often it was seen, if that was
// asked for.
func violatedAt(r *exploration) string {
	var parts []string
	told := map[string]bool{}
	for k := range r.Violations {
		v := &r.Violations[k]
		name := violationName(v)
		if told[name] {
			continue
		}
		told[name] = true
		text := fmt.Sprintf("%s in %s", name, words.Plural(int64(v.Depth), "step"))
		if n := seen(r, name); n > 1 {
			text += fmt.Sprintf(" (%s times)", words.Count(n))
		}
		parts = append(parts, text)
	}
	return words.ListOr(parts, "none")
}

// seen is how often a property was seen violated, with any last action; "" is any property.
func seen(r *exploration, name string) (n int64) {
	for k := range r.Violations {
		if v := &r.Violations[k]; name == "" || violationName(v) == name {
			n += v.Count
		}
	}
	return n
}

// repeated reports whether several manifests have the name, as files of different folders may.
func repeated(all []comparedDoc, name string) bool {
	n := 0
	for _, d := range all {
		if d.Result.Spec == name {
			n++
		}
	}
	return n > 1
}
