// Package pair makes one implementation of two that take the same steps side by side, such as two
// versions of a library.
//
// After each step both are observed, and the variables that both observe are compared with each
// other. If one of these differs, that is a difference, whatever the specification says of it.
// Where both agree, the first one is compared with the specification, as always.
package pair

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/modules"
)

// Second is the implementation that runs next to the first.
type Second[S any] struct {
	conform.Implementation[S]
	// Version and Settings are those that it is opened with: see conform.Setup.
	Version  string
	Settings map[string]string
}

// Of returns the implementation that runs both. Known differences, coverage and symptoms are those
// of none: they belong to one implementation.
func Of[S any](first conform.Implementation[S], second Second[S], names modules.Names) conform.Implementation[S] {
	return conform.Implementation[S]{
		Name: first.Name,
		Open: func(setup conform.Setup) (conform.Adapter[S], error) {
			a, err := first.Open(setup)
			if err != nil {
				return nil, err
			}
			other := setup
			other.Version, other.Settings = second.Version, second.Settings
			b, err := second.Open(other)
			if err != nil {
				a.Stop()
				return nil, fmt.Errorf("%s: %w", called(second.Name, second.Version), err)
			}
			p := &adapter[S]{a: a, b: b, names: names, an: called(first.Name, setup.Version), bn: called(second.Name, second.Version), second: second.Name}
			for _, v := range a.Variables() {
				if slices.Contains(b.Variables(), v) {
					p.both = append(p.both, v)
				}
			}
			if len(p.both) == 0 {
				p.Stop()
				return nil, fmt.Errorf("%s and %s observe no variable in common", p.an, p.bn)
			}
			return p, nil
		},
	}
}

func called(name, version string) string { return strings.TrimSpace(name + " " + version) }

// adapter has both adapters.
type adapter[S any] struct {
	a, b   conform.Adapter[S]
	an, bn string // how they are called
	second string // the name of b
	both   []string
	names  modules.Names
	other  S // what b observed
}

// Variables are those of the first.
func (p *adapter[S]) Variables() []string { return p.a.Variables() }

func (p *adapter[S]) Start(s *S) error {
	var none S
	p.other = none
	return p.one(p.a.Start(s), p.b.Start(s))
}

func (p *adapter[S]) Perform(step conform.Step[S]) error {
	return p.one(p.a.Perform(step), p.b.Perform(step))
}

// one returns the error of a call of both: the first one's, unless only the second one has decided.
func (p *adapter[S]) one(a, b error) error {
	if a != nil && (b == nil || decides(a)) {
		return a
	}
	if b == nil {
		return nil
	}
	if ended, ok := errors.AsType[*conform.EndedError](b); ok {
		return &conform.EndedError{Message: p.bn + ": " + ended.Message, Log: ended.Log}
	}
	if !decides(b) {
		return b
	}
	return fmt.Errorf("%s: %w", p.bn, b)
}

// decides reports whether an error of an adapter is a difference.
func decides(err error) bool {
	_, undriven := errors.AsType[*conform.UndrivenError](err)
	_, spoilt := errors.AsType[*conform.SpoiltError](err)
	return !undriven && !spoilt
}

// Observe observes both. If they differ, it says in what first.
func (p *adapter[S]) Observe(s *S) error {
	a, b := p.a.Observe(s), p.b.Observe(&p.other)
	if err := p.one(a, b); err != nil {
		return err
	}
	found, err := conform.Differing(p.both, p.names, s, &p.other)
	if err != nil || len(found) == 0 {
		return err
	}
	return fmt.Errorf("%s is %s in %s, and %s in %s", found[0].Path, conform.ValueText(found[0].Specification), p.an, conform.ValueText(found[0].Implementation), p.bn)
}

// Log makes both write to w.
func (p *adapter[S]) Log(w io.Writer) {
	if w == nil {
		p.a.Log(nil)
		p.b.Log(nil)
		return
	}
	p.a.Log(named{w, p.an})
	p.b.Log(named{w, p.bn})
}

// named puts the name of an implementation in front of its lines.
type named struct {
	w    io.Writer
	name string
}

func (n named) Write(b []byte) (int, error) {
	for line := range strings.Lines(string(b)) {
		if _, err := fmt.Fprintf(n.w, "  %s:%s", n.name, line); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// Stop stops both.
func (p *adapter[S]) Stop() error { return errors.Join(p.a.Stop(), p.b.Stop()) }

// LeavesOut says why one of both cannot do a step.
func (p *adapter[S]) LeavesOut(step conform.Step[S]) string {
	why := func(a conform.Adapter[S]) string {
		if x, ok := a.(conform.Limited[S]); ok {
			return x.LeavesOut(step)
		}
		return ""
	}
	return cmp.Or(why(p.a), why(p.b))
}

// Patience bounds a step of both.
func (p *adapter[S]) Patience() (all time.Duration) {
	for _, a := range []conform.Adapter[S]{p.a, p.b} {
		if x, ok := a.(conform.Patient); ok {
			all += x.Patience()
		}
	}
	return all
}

// Version names both versions.
func (p *adapter[S]) Version() string {
	version := func(a conform.Adapter[S]) string {
		if x, ok := a.(conform.Versioned); ok {
			return x.Version()
		}
		return ""
	}
	return version(p.a) + " next to " + called(p.second, version(p.b))
}

// Broken says what is wrong with one of both.
func (p *adapter[S]) Broken() error {
	for _, a := range []conform.Adapter[S]{p.a, p.b} {
		if x, ok := a.(conform.Breakable); ok && x.Broken() != nil {
			return x.Broken()
		}
	}
	return nil
}
