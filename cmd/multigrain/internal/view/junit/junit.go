package junit

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// The elements of the XML that test reporters read.
type (
	suite struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Time     string     `xml:"time,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	testCase struct {
		Class   string  `xml:"classname,attr"`
		Name    string  `xml:"name,attr"`
		Time    string  `xml:"time,attr"`
		Failure *reason `xml:"failure,omitempty"`
		Error   *reason `xml:"error,omitempty"`
		Skipped *reason `xml:"skipped,omitempty"`
	}
	reason struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// OfTests returns the results of manifests, a case for each. A manifest with another result than
// expected failed. One that is undecided is an error, and so is one that an interrupt left out.
func OfTests(tests []result.Test, left []string) []byte {
	suite := suite{Name: "multigrain"}
	all := 0.0
	for _, t := range tests {
		c := testCase{Class: "multigrain", Name: t.Manifest, Time: fmt.Sprintf("%.3f", t.Seconds)}
		all += t.Seconds
		if !t.OK {
			why := &reason{fmt.Sprintf("%s expected, %s found", t.Expected, t.Found), strings.Join(t.Differences, "\n")}
			c.put(verdicts.Find("test", testWord(t), "").JUnit, why)
		}
		suite.Cases = append(suite.Cases, c)
	}
	for _, name := range left {
		c := testCase{Class: "multigrain", Name: name, Time: "0.000"}
		row := verdicts.Find("test", verdicts.Undecided, "")
		c.put(row.JUnit, &reason{verdicts.Undecided + ": " + row.Tail, ""})
		suite.Cases = append(suite.Cases, c)
	}
	return suite.encode(all)
}

// testWord returns the verdict on a test that is not as expected.
func testWord(t result.Test) verdicts.Word {
	if t.Found == verdicts.Undecided {
		return verdicts.Undecided
	}
	return verdicts.Differs
}

// put adds the element of a form to a case.
func (c *testCase) put(form string, why *reason) {
	switch form {
	case verdicts.Failure:
		c.Failure = why
	case verdicts.Error:
		c.Error = why
	case verdicts.Skip:
		c.Skipped = why
	}
}

// OfCheck returns the result of a check: a case for the manifest, one for interaction preservation,
// one for each invariant that was checked. Of the verb interaction there is one for each level
// above L0 that was asked, and for each stale entry. What was not decided is an error, with the
// reason. If another invariant is violated, one without a violation is skipped: the search ended
// before.
func OfCheck(d *result.Document) []byte {
	suite := suite{Name: "multigrain"}
	add := func(name string) *testCase {
		suite.Cases = append(suite.Cases, testCase{Class: "multigrain." + d.Spec, Name: name, Time: "0.000"})
		return &suite.Cases[len(suite.Cases)-1]
	}
	c := add("manifest")
	var broken []string
	for _, x := range d.Diagnostics {
		if x.Severity != "error" {
			continue
		}
		text := fmt.Sprintf("%s:%d: %s [%s]: %s", x.File, x.Line, x.Summary, x.Code, x.Detail)
		if result.AboutInteraction(x.Code) {
			broken = append(broken, text)
		} else {
			c.Error = &reason{fmt.Sprintf("%s [%s]", x.Summary, x.Code), strings.TrimPrefix(c.text()+"\n"+text, "\n")}
		}
	}
	if i := d.Interaction; i != nil {
		c = add("interaction")
		if len(broken) > 0 {
			found := i.Verdict
			if x := i.Locked; x != nil && x.Refused {
				found = fmt.Sprintf("%s at level %s, from the lock file", x.Verdict, x.Level)
			}
			c.Failure = &reason{"interaction is " + found, strings.Join(broken, "\n")}
		}
	}
	if d.Verb == "interaction" {
		ofLevels(d, add)
		return suite.encode(secondsOf(d.Interaction))
	}
	if d.Change != nil && d.Change.Observed != nil {
		o := d.Change.Observed
		add("changed code").put(rowOf(d).JUnit, &reason{text.ObservedLine(o), ""})
		return suite.encode(o.Seconds)
	}
	if x := d.Exploration; x != nil {
		ofExploration(x, rowOf(d), add)
		return suite.encode(x.Seconds)
	}
	return suite.encode(0)
}

// ofLevels adds a case for each level above L0 that was examined, and for each stale entry. What
// was asked and not decided is an error.
func ofLevels(d *result.Document, add func(string) *testCase) {
	if d.Locks != nil {
		add("lock entries")
		for _, x := range d.Locks.Stale {
			add(x.Manifest).put(verdicts.Find("interaction", verdicts.Stale, "").JUnit, &reason{verdicts.Stale, x.Reason})
		}
	}
	row := func(word verdicts.Word, which string) string { return verdicts.Find("interaction", word, which).JUnit }
	i, open := d.Interaction, d.Exploration != nil
	if i != nil && i.Verdict == verdicts.Skipped {
		add("footprints").put(row(verdicts.Skipped, ""), &reason{verdicts.Find("interaction", verdicts.Skipped, "").Head, ""})
	}
	if i != nil && i.Comparison != nil {
		x := i.Comparison
		for _, level := range []string{"L1", "L2"} {
			if level > x.Asked {
				break
			}
			c := add("level " + level)
			if why := refusedAt(x, level); why != nil {
				c.put(row(verdicts.Broken, ""), why)
			} else if x.Level < level {
				open = false
				c.put(row(verdicts.Undecided, ""), &reason{verdicts.Undecided + ": " + x.Reason, ""})
			}
		}
	}
	if i != nil && i.Mutants != nil {
		m, c := i.Mutants, add("level L3")
		switch m.Verdict {
		case verdicts.Broken:
			c.put(row(m.Verdict, verdicts.Mutants), &reason{fmt.Sprintf("kept %d of %d mutants that the fine composition finds", m.Kept, m.Found), lostOf(m)})
		case verdicts.Undecided:
			open = false
			c.put(row(m.Verdict, verdicts.Mutants), &reason{verdicts.Undecided + ": " + m.Reason, ""})
		}
	}
	if open {
		add("examination").put(row(verdicts.Undecided, ""), &reason{verdicts.Undecided + ": " + d.Exploration.Reason, ""})
	}
}

// refusedAt describes the differences of a level that the manifest does not accept; nil for none.
func refusedAt(x *result.Comparison, level string) *reason {
	var all []string
	for k, w := range x.Differences {
		if f := x.Findings[k]; !f.Accepted && w.Level <= level {
			all = append(all, f.Message)
		}
	}
	if all == nil {
		return nil
	}
	return &reason{words.Plural(int64(len(all)), "difference") + " that the manifest does not accept", strings.Join(all, "\n")}
}

// lostOf names the mutants that are lost or false, a line for each.
func lostOf(m *result.Mutants) string {
	var all []string
	for _, x := range m.List {
		if x.Outcome == result.MutantLost || x.Outcome == result.MutantFalse {
			all = append(all, fmt.Sprintf("%s: %s (%s:%d)", x.Outcome, x.Name, x.File, x.Line))
		}
	}
	return strings.Join(all, "\n")
}

// secondsOf returns the time of the comparison and of all explorations of mutants.
func secondsOf(i *result.Interaction) (s float64) {
	if i != nil && i.Comparison != nil {
		s += i.Comparison.Seconds
	}
	if i != nil && i.Mutants != nil {
		s += i.Mutants.Seconds[0] + i.Mutants.Seconds[1]
	}
	return s
}

// rowOf returns the verdict of a document.
func rowOf(d *result.Document) verdicts.Row {
	word, which := d.Outcome()
	return verdicts.Find(cmp.Or(d.Verb, "check"), word, which)
}

func (c *testCase) text() string {
	if c.Error == nil {
		return ""
	}
	return c.Error.Text
}

// ofExploration adds a case for each invariant, and one for the exploration if none was checked.
func ofExploration(x *result.Exploration, row verdicts.Row, add func(string) *testCase) {
	failures, names := failuresOf(x, row)
	for _, name := range x.Invariants {
		c := add(name)
		switch {
		case failures[name] != nil:
			c.put(row.JUnit, failures[name])
			delete(failures, name)
		case row.Word == verdicts.Undecided:
			c.put(row.JUnit, &reason{verdicts.Undecided + ": " + x.Reason, ""})
		case row.Word == verdicts.Violated:
			c.put(verdicts.Skip, &reason{"not decided: the search ended at the violation of another property", ""})
		}
	}
	for _, name := range names {
		if failures[name] != nil { // a deadlock is no invariant
			add(name).put(row.JUnit, failures[name])
		}
	}
	if len(x.Invariants)+len(x.Violations) > 0 {
		return
	}
	if row.Word == verdicts.Undecided {
		add("exploration").put(row.JUnit, &reason{verdicts.Undecided + ": " + x.Reason, ""})
	}
}

// failuresOf describes the first violation of each property, and names the properties in order.
func failuresOf(x *result.Exploration, row verdicts.Row) (failures map[string]*reason, names []string) {
	failures = map[string]*reason{}
	for _, v := range x.Violations {
		name := v.Name()
		if failures[name] != nil {
			continue
		}
		why := strings.TrimSpace(v.Doc + "\n" + text.Reasons(v.Why, ""))
		if v.Trace != "" {
			why = strings.TrimSpace(why + "\ntrace: " + v.Trace)
		}
		failures[name] = &reason{fmt.Sprintf("%s is %s by a counterexample of %s", name, row.Head, words.Plural(int64(v.Depth), "step")), why}
		names = append(names, name)
	}
	return failures, names
}

// encode counts the cases and writes the suite.
func (s suite) encode(seconds float64) []byte {
	s.Tests, s.Time = len(s.Cases), fmt.Sprintf("%.3f", seconds)
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "  ")
	// Strings and numbers can always be encoded, and a buffer takes all.
	if err := enc.Encode(s); err != nil {
		panic(err)
	}
	b.WriteString("\n")
	return []byte(terminal.Visible(b.String()))
}
