package change

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/interaction/change/internal/effects"
)

// Effects are those of a program that is loaded with an adapter: what its lines write that outlives
// a call.
type Effects = effects.Program

// EffectsOf says which program is loaded.
type EffectsOf = effects.Source

// Write is a place that a line writes, and that a variable stands for or not.
type Write = effects.Write

// LoadEffects loads a program. It fails if the go command or the compiler does.
func LoadEffects(of EffectsOf) (*Effects, error) { return effects.Load(of) }

func newAnalysis() *Analysis {
	return &Analysis{Trails: []Trail{}, Unmodelled: []Unmodelled{}, Ignored: []Ignored{}, Doubts: []string{}, Missing: []string{}}
}

// trail adds a trail. A declaration that is changed in several places has one trail to a place,
// with the lines of all of them.
func (a *Analysis) trail(t Trail) {
	for k := range a.Trails {
		x := &a.Trails[k]
		if x.Place == t.Place && x.Declaration.Name == t.Declaration.Name && x.Declaration.File == t.Declaration.File {
			x.Declaration.Line = min(x.Declaration.Line, t.Declaration.Line)
			x.Declaration.Last = max(x.Declaration.Last, t.Declaration.Last)
			return
		}
	}
	a.Trails = append(a.Trails, t)
}

// unmodelled adds a declaration that is not modelled, which has some more names, as the first rule
// that fits says.
func (a *Analysis) unmodelled(d Declaration, reason string, names ...string) {
	u := Unmodelled{Declaration: d, Reason: reason, Policy: Report}
	if r := ruleOf(a.rules, d.File, append(names, d.Name)...); r != nil {
		u.Policy = r.Policy
		switch r.Policy {
		case Ignore:
			a.ignore(d.File, "%s matches %q, which the manifest ignores", d.Name, r.Pattern)
			return
		case Fail:
			u.Reason += fmt.Sprintf("; %q of the manifest fails changes of it", r.Pattern)
		}
	}
	if !slices.Contains(a.Unmodelled, u) {
		a.Unmodelled = append(a.Unmodelled, u)
	}
}

func (a *Analysis) ignore(file, format string, args ...any) {
	if i := (Ignored{File: file, Reason: fmt.Sprintf(format, args...)}); !slices.Contains(a.Ignored, i) {
		a.Ignored = append(a.Ignored, i)
	}
}

func (a *Analysis) doubt(text string) {
	if !slices.Contains(a.Doubts, text) {
		a.Doubts = append(a.Doubts, text)
	}
}
