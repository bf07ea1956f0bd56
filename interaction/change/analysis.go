package change

import (
	"fmt"
	"slices"
)

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

func (a *Analysis) unmodelled(d Declaration, reason string) {
	u := Unmodelled{Declaration: d, Reason: reason}
	if !slices.Contains(a.Unmodelled, u) {
		a.Unmodelled = append(a.Unmodelled, u)
	}
}

func (a *Analysis) ignore(file, format string, args ...any) {
	a.Ignored = append(a.Ignored, Ignored{File: file, Reason: fmt.Sprintf(format, args...)})
}

func (a *Analysis) doubt(text string) {
	if !slices.Contains(a.Doubts, text) {
		a.Doubts = append(a.Doubts, text)
	}
}
