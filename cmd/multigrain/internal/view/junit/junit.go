package junit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
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

// OfTests is the results of manifests, a case for each.
func OfTests(tests []result.Test) []byte {
	suite := suite{Name: "multigrain"}
	all := 0.0
	for _, t := range tests {
		c := testCase{Class: "multigrain", Name: t.Manifest, Time: fmt.Sprintf("%.3f", t.Seconds)}
		all += t.Seconds
		if !t.OK {
			c.Failure = &reason{fmt.Sprintf("%s expected, %s found", t.Expected, t.Found), strings.Join(t.Differences, "\n")}
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite.encode(all)
}

// OfCheck is the result of a check: a case for the manifest, one for interaction preservation,
// one for each invariant that was checked. What was not decided is skipped, with the reason.
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
			c.Failure = &reason{"interaction is " + i.Verdict, strings.Join(broken, "\n")}
		}
	}
	if x := d.Exploration; x != nil {
		ofExploration(x, add)
		return suite.encode(x.Seconds)
	}
	return suite.encode(0)
}

func (c *testCase) text() string {
	if c.Error == nil {
		return ""
	}
	return c.Error.Text
}

// junit adds a case for each invariant.
func ofExploration(x *result.Exploration, add func(string) *testCase) {
	failures := map[string]*reason{}
	var names []string
	for _, v := range x.Violations {
		name := v.Name()
		if failures[name] == nil {
			text := strings.TrimSpace(v.Doc + "\n" + text.Reasons(v.Why, ""))
			if v.Trace != "" {
				text = strings.TrimSpace(text + "\ntrace: " + v.Trace)
			}
			failures[name] = &reason{fmt.Sprintf("%s is violated by a counterexample of %s", name, words.Plural(int64(v.Depth), "step")), text}
			names = append(names, name)
		}
	}
	for _, name := range x.Invariants {
		c := add(name)
		switch {
		case failures[name] != nil:
			c.Failure = failures[name]
			delete(failures, name)
		case x.Verdict == "undecided":
			c.Skipped = &reason{"undecided: " + x.Reason, ""}
		case x.Verdict == "violated":
			c.Skipped = &reason{"undecided: the search ended at the violation of another property", ""}
		}
	}
	for _, name := range names {
		if failures[name] != nil { // a deadlock is no invariant
			add(name).Failure = failures[name]
		}
	}
	if len(x.Invariants) == 0 && x.Verdict == "undecided" {
		add("exploration").Skipped = &reason{"undecided: " + x.Reason, ""}
	}
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
	return b.Bytes()
}
