package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// The elements of the XML that test reporters read.
type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Time    string       `xml:"time,attr"`
		Failure *junitReason `xml:"failure,omitempty"`
		Error   *junitReason `xml:"error,omitempty"`
		Skipped *junitReason `xml:"skipped,omitempty"`
	}
	junitReason struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// junitOfTests is the results of manifests, a case for each.
func junitOfTests(tests []testDoc) []byte {
	suite := junitSuite{Name: "multigrain"}
	all := 0.0
	for _, t := range tests {
		c := junitCase{Class: "multigrain", Name: t.Manifest, Time: fmt.Sprintf("%.3f", t.Seconds)}
		all += t.Seconds
		if !t.OK {
			c.Failure = &junitReason{fmt.Sprintf("%s expected, %s found", t.Expected, t.Found), strings.Join(t.Differences, "\n")}
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite.encode(all)
}

// junitOfCheck is the result of a check: a case for the manifest, one for interaction preservation, one for each invariant that was
// checked. What was not decided is skipped, with the reason.
func junitOfCheck(d *document) []byte {
	suite := junitSuite{Name: "multigrain"}
	add := func(name string) *junitCase {
		suite.Cases = append(suite.Cases, junitCase{Class: "multigrain." + d.Spec, Name: name, Time: "0.000"})
		return &suite.Cases[len(suite.Cases)-1]
	}
	c := add("manifest")
	var broken []string
	for _, x := range d.Diagnostics {
		if x.Severity != "error" {
			continue
		}
		text := fmt.Sprintf("%s:%d: %s [%s]: %s", x.File, x.Line, x.Summary, x.Code, x.Detail)
		if strings.HasPrefix(x.Code, interactionCodes) {
			broken = append(broken, text)
		} else {
			c.Error = &junitReason{fmt.Sprintf("%s [%s]", x.Summary, x.Code), strings.TrimPrefix(c.text()+"\n"+text, "\n")}
		}
	}
	if i := d.Interaction; i != nil {
		c = add("interaction")
		if len(broken) > 0 {
			c.Failure = &junitReason{"interaction is " + i.Verdict, strings.Join(broken, "\n")}
		}
	}
	if x := d.exploration; x != nil {
		junitOfExploration(x, add)
		return suite.encode(x.Seconds)
	}
	return suite.encode(0)
}

func (c *junitCase) text() string {
	if c.Error == nil {
		return ""
	}
	return c.Error.Text
}

// junit adds a case for each invariant.
func junitOfExploration(x *exploration, add func(string) *junitCase) {
	failures := map[string]*junitReason{}
	var names []string
	for _, v := range x.Violations {
		name := violationName(&v)
		if failures[name] == nil {
			text := strings.TrimSpace(v.Doc + "\n" + reasonText(v.Why, ""))
			if v.Trace != "" {
				text = strings.TrimSpace(text + "\ntrace: " + v.Trace)
			}
			failures[name] = &junitReason{fmt.Sprintf("%s is violated by a counterexample of %s", name, words.Plural(int64(v.Depth), "step")), text}
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
			c.Skipped = &junitReason{"undecided: " + x.Reason, ""}
		case x.Verdict == "violated":
			c.Skipped = &junitReason{"undecided: the search ended at the violation of another property", ""}
		}
	}
	for _, name := range names {
		if failures[name] != nil { // a deadlock is no invariant
			add(name).Failure = failures[name]
		}
	}
	if len(x.Invariants) == 0 && x.Verdict == "undecided" {
		add("exploration").Skipped = &junitReason{"undecided: " + x.Reason, ""}
	}
}

// interactionCodes begin the codes of findings about interaction preservation.
const interactionCodes = "MG21"

// violationName is the name of what is violated.
func violationName(v *violationDoc) string {
	switch {
	case v.Invariant == "":
		return v.Kind
	case v.Instance == "":
		return v.Invariant
	}
	return v.Invariant + "." + v.Instance
}

// encode counts the cases and writes the suite.
func (s junitSuite) encode(seconds float64) []byte {
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
