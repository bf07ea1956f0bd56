package drivers

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/modules"
)

// Offers reports which optional interfaces the driver has, by what it says in hello.
func (a *adapter[S]) Offers(name string) bool {
	h := &a.hello
	switch name {
	case "Explainer":
		return h.Explains
	case "Asserter":
		return h.Asserts
	case "Evident":
		return h.Evidence
	case "Witness":
		return len(h.Symptoms) > 0
	case "Limited", "Borrower", "Patient", "Versioned", "Coded":
		return true
	}
	return false
}

// leftOut is a LeftOut with the texts of its parameters.
type leftOut struct {
	LeftOut
	params map[string]string
}

// LeavesOut says why a step cannot be done.
func (a *adapter[S]) LeavesOut(step conform.Step[S]) string {
	if !slices.Contains(a.hello.Actions, step.Action) {
		return "the driver does not offer " + step.Action
	}
	var v modules.View
	for _, l := range a.leftOut {
		if l.Action != step.Action {
			continue
		}
		if len(l.params) > 0 && v.Names == nil {
			v = modules.ViewOf(step.Params, a.names)
		}
		meant := 0
		for k, name := range v.Names {
			if text, ok := l.params[name]; ok && text == itf.Text(v.Elems[k]) {
				meant++
			}
		}
		if meant == len(l.params) {
			return cmp.Or(l.Reason, "the driver leaves it out")
		}
	}
	return ""
}

// Borrowed are the parts of variables that the driver takes from the specification.
func (a *adapter[S]) Borrowed() []string { return a.hello.Borrowed }

// Patience bounds the time of a step: of its request, its observation, and its lines of log.
func (a *adapter[S]) Patience() time.Duration { return 3*a.patience + beginning }

// Version is that of the implementation which runs.
func (a *adapter[S]) Version() string { return cmp.Or(a.hello.Version, a.setup.Version) }

// Evidence asks what else was read of the last step. It is a record of any form.
func (a *adapter[S]) Evidence() any {
	v := modules.View{Shape: modules.Record}
	var e Evidence
	if a.ask(Request{Do: DoEvidence}, &e) != nil {
		return &v
	}
	if read, err := itf.ReadValue(e.Evidence); err != nil {
		a.fail("answers evidence with %.200s: %v.", e.Evidence, err)
	} else {
		v = read
	}
	return &v
}

// Explain writes what the driver says about a difference.
func (a *adapter[S]) Explain(w io.Writer) {
	var lines Lines
	if err := a.ask(Request{Do: DoExplain}, &lines); err != nil {
		fmt.Fprintln(w, err)
		return
	}
	fmt.Fprintln(w, strings.Join(lines.Lines, "\n"))
}

// Watch says which symptoms are looked for.
func (a *adapter[S]) Watch(all []conform.Symptom) error {
	for _, s := range all {
		if !slices.ContainsFunc(a.hello.Symptoms, func(known string) bool {
			word, _, _ := strings.Cut(known, "(")
			return strings.TrimSpace(word) == s.Word
		}) {
			return fmt.Errorf("the driver looks for no symptom %q: it knows %s", s.Word, strings.Join(a.hello.Symptoms, ", "))
		}
	}
	a.watched = all
	return a.watch()
}

// watch tells a process which symptoms are looked for.
func (a *adapter[S]) watch() error {
	if len(a.watched) == 0 {
		return nil
	}
	req := Request{Do: DoWatch}
	for _, s := range a.watched {
		req.Symptoms = append(req.Symptoms, Symptom(s))
	}
	return a.ask(req, nil)
}

// Look asks whether the symptoms are seen.
func (a *adapter[S]) Look() (out []conform.Sighting) {
	var seen Sightings
	err := a.ask(Request{Do: DoSymptom}, &seen)
	if err == nil && len(seen.Sightings) != len(a.watched) {
		err = a.fail("answers symptom with %d sightings, and %d symptoms are looked for.", len(seen.Sightings), len(a.watched))
	}
	for k, w := range a.watched {
		one := conform.Sighting{Word: w.Word}
		if err != nil {
			one.Text = err.Error()
		} else {
			one = conform.Sighting(seen.Sightings[k])
		}
		out = append(out, one)
	}
	return out
}

// NotStarted reports whether an error is a *Fault of a driver that does not start.
func NotStarted(err error) bool {
	f, ok := errors.AsType[*Fault](err)
	return ok && f.Start
}
