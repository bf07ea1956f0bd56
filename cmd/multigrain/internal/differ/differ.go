// Package differ compares the documents of two runs.
package differ

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Read reads a document that -json printed or -report wrote. The error is a sentence without its
// period.
func Read(path string) (*result.Document, error) {
	text, err := files.Read(path)
	if err != nil {
		return nil, err
	}
	var d result.Document
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&d); err != nil {
		return nil, fmt.Errorf("%s is no result of multigrain: %w", path, err)
	}
	if d.FormatVersion != "1" || d.Verb == "" {
		return nil, fmt.Errorf("%s is no result of multigrain: it has no format_version 1 and verb", path)
	}
	return &d, nil
}

// Compare returns in what two results differ. Lines of the group time never count as a difference.
func Compare(a, b *result.Document) *result.Diff {
	out := &result.Diff{Lines: []result.DiffLine{}, Verdict: verdicts.Same}
	of := sidesOf(a, b)
	for _, group := range groups {
		x, y := of[0][group], of[1][group]
		names := slices.Clone(x.order)
		for _, n := range y.order {
			if _, ok := x.values[n]; !ok {
				names = append(names, n)
			}
		}
		for _, n := range names {
			if x.values[n] == y.values[n] {
				continue
			}
			out.Lines = append(out.Lines, result.DiffLine{Group: group, Name: n, A: x.values[n], B: y.values[n]})
			if group != "time" {
				out.Verdict = verdicts.Differs
			}
		}
	}
	return out
}

var groups = []string{"what", "verdict", "settings", "counts", "coverage", "messages", "time"}

// values are the values of a group by their names, in their order.
type values struct {
	order  []string
	values map[string]string
}

// side has the values of a document by group.
type side map[string]*values

func (s side) add(group, name, value string) {
	v := s[group]
	if _, ok := v.values[name]; !ok {
		v.order = append(v.order, name)
	}
	v.values[name] = value
}

func (s side) count(group, name string, n int64) { s.add(group, name, words.Count(n)) }

func sidesOf(a, b *result.Document) (out [2]side) {
	for k, d := range []*result.Document{a, b} {
		s := side{}
		for _, g := range groups {
			s[g] = &values{values: map[string]string{}}
		}
		s.document(d)
		out[k] = s
	}
	return out
}

// document takes what a document says.
func (s side) document(d *result.Document) {
	s.add("what", "verb", d.Verb)
	s.add("what", "specification", d.Spec)
	s.add("what", "system", d.System)
	for _, m := range d.Modules {
		text := m.Grain
		if m.Target {
			text += " (target)"
		}
		s.add("settings", "module "+m.Module, text)
	}
	for _, b := range d.Bounds {
		s.add("settings", "bound "+b.Name, fmt.Sprint(b.Value))
	}
	for _, o := range d.Options {
		s.add("settings", "option "+o.Name, o.Value)
	}
	for _, o := range d.Set { // bounds and options have their values above
		if have := s["settings"].order; !slices.Contains(have, "bound "+o.Name) && !slices.Contains(have, "option "+o.Name) {
			s.add("settings", "set "+o.Name, o.Value)
		}
	}
	word, which := d.Outcome()
	if word == verdicts.Done && slices.ContainsFunc(d.Diagnostics, func(x result.Diagnostic) bool { return x.Severity == "error" }) {
		word = "no verdict, for an error came first"
	}
	s.add("verdict", "verdict", strings.TrimSpace(word+" "+which))
	counts := map[string]int{}
	for _, x := range d.Diagnostics {
		counts[strings.TrimSpace(x.Severity+" "+x.Code+" "+x.Summary)]++
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		s.count("messages", name, int64(counts[name]))
	}
	if d.Exploration != nil {
		s.exploration(d.Exploration)
	}
	if d.Conform != nil {
		s.conform(d.Conform)
	}
	if i := d.Interaction; i != nil && i.Verdict == verdicts.None {
		s.add("verdict", "interaction", "no coarse grain is chosen")
	} else if i != nil {
		s.add("verdict", "interaction", strings.TrimSpace(i.Verdict+" "+i.Level))
	}
	for _, t := range d.Tests {
		s.add("verdict", "test "+t.Manifest, map[bool]string{true: "as expected", false: "differs"}[t.OK])
	}
	for _, c := range d.Compared {
		if c.Result != nil {
			w, which := c.Result.Outcome()
			s.add("verdict", "manifest "+c.Manifest, strings.TrimSpace(w+" "+which))
		}
	}
}

// exploration takes the counts and the coverage of check and simulate.
func (s side) exploration(x *result.Exploration) {
	s.add("verdict", "reason", x.Reason)
	s.add("what", "digest", x.Digest)
	for k := range x.Violations {
		v := &x.Violations[k]
		s.add("verdict", "violation "+v.Name(), words.Plural(int64(v.Depth), "step"))
	}
	s.add("settings", "invariants", strings.Join(x.Invariants, ", "))
	s.count("counts", "distinct states", x.Distinct)
	s.count("counts", "generated states", x.Generated)
	s.count("counts", "depth", int64(x.Depth))
	if w := x.Simulation; w != nil {
		s.count("counts", "walks", w.Walks)
		s.count("counts", "steps", w.Steps)
	}
	for _, a := range x.Actions {
		s.add("coverage", "action "+a.Module+"/"+a.Name, fmt.Sprintf("enabled %s, fired %s", words.Count(a.Enabled), words.Count(a.Fired)))
	}
	if b := x.Branches; b != nil {
		s.add("coverage", "branches of invariants", fmt.Sprintf("%d of %d", b.Taken, b.Of))
	}
	for _, g := range x.GoalsMissed {
		s.add("coverage", "goal "+g, "not reached")
	}
	s.add("time", "time", words.Elapsed(x.Seconds))
	s.add("time", "distinct states a second", words.Rate(x.Distinct, x.Seconds))
	s.add("time", "memory", words.Size(x.Memory))
}

// conform takes the counts and the coverage of conform and replay.
func (s side) conform(c *result.Conformance) {
	s.add("what", "implementation", strings.TrimSpace(c.Implementation+" "+c.Version))
	s.add("verdict", "reason", c.Reason)
	for k := range c.Found {
		x := &c.Found[k]
		s.add("verdict", "difference "+x.Name(), x.Line())
	}
	s.count("counts", "walks", c.Traces)
	s.count("counts", "steps", c.Steps)
	s.count("counts", "differences", c.Differences)
	for _, a := range c.Actions {
		s.add("coverage", "action "+a.Module+"/"+a.Name, fmt.Sprintf("fired %s, %d of %d instances", words.Count(a.Fired), a.Instances.Fired, a.Instances.Of))
	}
	if b := c.Branches; b != nil {
		s.add("coverage", "branches", fmt.Sprintf("%d of %d", b.Taken, b.Of))
	}
	s.add("time", "time", words.Elapsed(c.Seconds))
	s.add("time", "steps a second", words.Rate(c.Steps, c.Seconds))
}
