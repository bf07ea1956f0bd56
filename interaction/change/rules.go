package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Policy says what a change of code means that no grain models.
type Policy string

// The policies. Report is the default.
const (
	Ignore Policy = "ignore" // it cannot matter
	Report Policy = "report" // it is named
	Fail   Policy = "fail"   // it is named, and the change is undecided even if the code ran
)

// Policies are all of them.
var Policies = []Policy{Ignore, Report, Fail}

// Rule says what a change of some code means. A pattern with a slash is one of files, as package
// doublestar has them, relative to the root of the code. It and others are also patterns of
// functions, with the names that places have: * stands for any text in a name without slashes.
type Rule struct {
	Pattern string
	Policy  Policy

	files bool // it is a pattern of files only
}

// rules returns the rules of the options, in their order: the first that fits counts.
func (o Options) rules() []Rule {
	out := append([]Rule{}, o.Rules...)
	ignore := o.Ignore
	if o.Table != nil {
		ignore = append(append([]string{}, ignore...), o.Table.Ignore...)
	}
	for _, p := range ignore {
		out = append(out, Rule{Pattern: p, Policy: Ignore, files: true})
	}
	return out
}

// Absent reports whether a rule that ignores names a field as a whole: its type, a dot, the field.
func (o Options) Absent(field string) bool {
	k := slices.IndexFunc(o.Rules, func(r Rule) bool { return r.Pattern == field })
	return k >= 0 && o.Rules[k].Policy == Ignore
}

// CheckPattern returns an error if a pattern is none.
func CheckPattern(pattern string) error {
	if pattern == "" || !doublestar.ValidatePattern(pattern) {
		return fmt.Errorf("%q is no pattern of files or functions: it is empty, or a bracket, a brace or an escape has no end", pattern)
	}
	return nil
}

// ofFiles reports whether a rule can be about whole files.
func (r *Rule) ofFiles() bool { return r.files || strings.Contains(r.Pattern, "/") }

// fileRule returns the first rule that fits a file as a whole. Here is false where a rule in front
// of it may name one of the file's functions, so that declarations decide.
func (o Options) fileRule(name string) (rule *Rule, here bool) {
	for _, r := range o.rules() {
		switch {
		case r.ofFiles() && doublestar.MatchUnvalidated(r.Pattern, name):
			return &r, true
		case !r.ofFiles() && r.Policy != Ignore:
			return nil, false
		}
	}
	return nil, true
}

// ruleOf returns the first rule that fits a declaration with some names in a file; nil without one.
func ruleOf(rules []Rule, file string, names ...string) *Rule {
	for k := range rules {
		r := &rules[k]
		if r.ofFiles() && doublestar.MatchUnvalidated(r.Pattern, file) {
			return r
		}
		for _, n := range names {
			if !r.files && (r.Pattern == n || doublestar.MatchUnvalidated(r.Pattern, n)) {
				return r
			}
		}
	}
	return nil
}
