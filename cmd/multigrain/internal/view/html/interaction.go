package html

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// interactionPart is the part of the page about interaction preservation.
type interactionPart struct {
	Summary, Marks, Whole string
	Obligations           []string
	Figures               [][2]string
	Grains                []grainPart
	Uncompared            []result.Uncompared
	Modules               []string
	Variables             []variableRow
	Unused                int // variables that no module uses
	Differences           []differenceRow
}

type grainPart struct {
	result.Grain
	About string
	Kept  []keptRow
	Gone  []result.Dropped
}

type keptRow struct{ Variable, Why, At string }

type variableRow struct {
	Name, Why, At string
	Kept          bool
	Cells         []cell
}

// cell holds the marks of a variable for a module, and the class of the first.
type cell struct{ Text, Class string }

type differenceRow struct{ What, Level, Observer, Message, At, Page string }

// interactionPartOf returns the part about a result. Witnesses are the pages of the witnesses, by
// difference.
func interactionPartOf(d *result.Interaction, witnesses []string) *interactionPart {
	p := &interactionPart{Summary: strings.Join(text.SummaryLines(d), "\n"), Marks: text.Marks, Obligations: text.ObligationLines(d),
		Whole: strings.Join(d.Whole, ", "), Uncompared: d.Uncompared, Modules: d.Modules}
	for _, g := range d.Grains {
		x := grainPart{Grain: g, Gone: d.Together(g.Drops), About: fmt.Sprintf("covers %s; compared for target %s",
			strings.Join(g.Covers, " and "), words.ListOr(g.Targets, "none"))}
		for _, name := range g.Keeps {
			why, at := reasonOf(d.Why(name))
			x.Kept = append(x.Kept, keptRow{name, why, at})
		}
		p.Grains = append(p.Grains, x)
	}
	for k := range d.Variables {
		v := &d.Variables[k]
		if len(v.Modules) == 0 && !v.Kept {
			p.Unused++
			continue
		}
		row := variableRow{Name: v.Name, Kept: v.Kept}
		row.Why, row.At = reasonOf(v.Why)
		for _, m := range d.Modules {
			row.Cells = append(row.Cells, cellOf(v, m))
		}
		p.Variables = append(p.Variables, row)
	}
	switch {
	case d.Comparison != nil:
		p.compared(d.Comparison, witnesses)
	case d.Locked != nil && d.Locked.Verdict != "":
		x := d.Locked
		p.Figures = [][2]string{{"level", x.Level + ", " + x.Status + ": " + x.Verdict}, {"bounds", text.LockedBounds(x)},
			{"result from", words.ShortPath(x.File)}}
	case d.Level == "L0":
		p.Figures = [][2]string{{"level decided", d.Level}, {"bounds", "none: footprints are those of all sizes"},
			{"states", "none explored: behaviours are not compared"}}
	}
	return p
}

// compared adds the result of levels L1 and L2.
func (p *interactionPart) compared(d *result.Comparison, witnesses []string) {
	p.Figures = [][2]string{{"result", d.Verdict}, {"level decided", d.Level}}
	for k, level := range []wire.Inclusions{d.L1, d.L2} {
		if name := []string{"L1", "L2"}[k]; name <= d.Asked {
			p.Figures = append(p.Figures, [2]string{"level " + name, "no false behaviour: " + level.NoFalse + "; no missed behaviour: " + level.NoMissed})
		}
	}
	if d.Level < d.Asked {
		p.Figures = append(p.Figures, [2]string{"undecided, since", d.Reason})
	}
	p.Figures = append(p.Figures, [2]string{"bounds", d.Bounds})
	for side, name := range []string{"fine", "coarse"} {
		s := &d.Sides[side]
		p.Figures = append(p.Figures, [2]string{name + " composition", words.Plural(s.States, "state") + ", " + text.Explored(s.Complete)})
	}
	for k := range d.Differences {
		x, f := &d.Differences[k], &d.Findings[k]
		row := differenceRow{What: differenceName(x.Missed), Level: x.Level, Observer: x.Observer, Message: words.Sentence(f.Message)}
		if f.Accepted {
			row.What += ", accepted"
		}
		if f.File != "" {
			row.At = fmt.Sprintf("%s:%d", words.ShortPath(f.File), f.Line)
		}
		if k < len(witnesses) {
			row.Page = witnesses[k]
		}
		p.Differences = append(p.Differences, row)
	}
}

// differenceName says what a difference is.
func differenceName(missed bool) string {
	if missed {
		return "missed"
	}
	return "false"
}

func reasonOf(l *result.Link) (why, at string) {
	if l == nil {
		return "", ""
	}
	if l.File != "" {
		at = fmt.Sprintf("%s:%d", words.ShortPath(l.File), l.Line)
	}
	return l.Text, at
}

func cellOf(v *result.Variable, module string) cell {
	for _, c := range v.Modules {
		if c.Module != module {
			continue
		}
		class := "used"
		switch {
		case c.Interaction:
			class = "interaction"
		case c.Internal:
			class = "internal"
		case c.Dependency:
			class = "dependency"
		}
		return cell{text.CellText(c), class}
	}
	return cell{}
}
