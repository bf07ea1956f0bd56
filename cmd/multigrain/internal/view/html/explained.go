package html

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
)

// explained adds the graph of how the last events before a mismatch can have happened.
func (p *reportPage) explained(v *result.Validation) {
	g := v.Explanations
	if g == nil {
		return
	}
	var rows [][]string
	for k := range g.Steps {
		rows = append(rows, text.ExplainedStep(v, k))
	}
	p.Tables = append(p.Tables, tablePart{"explanations", text.Explained(v), []string{"states", "event", "actions"}, rows, explainedChart(v)})
}

// Measures of the drawing of a graph, in its own units.
const (
	graphTop  = 40.0 // of the first row
	graphRow  = 38.0 // from one row to the next
	graphSide = 26.0 // left of the first state of a row
)

// explainedChart draws the states of the explanations from top to bottom. A state is one row below
// the last of those that lead to it, so all lines lead down.
func explainedChart(v *result.Validation) template.HTML {
	g := v.Explanations
	row := make([]int, g.States)
	for range g.States { // no way is longer
		for _, s := range g.Steps {
			row[s.To] = max(row[s.To], row[s.From]+1)
		}
	}
	rows, place := map[int]int{}, make([]int, g.States)
	last := 0
	for k, r := range row {
		place[k] = rows[r]
		rows[r]++
		last = max(last, r)
	}
	at := func(k int) (x, y float64) {
		return graphSide + (chartWidth-2*graphSide)*(float64(place[k])+0.5)/float64(rows[row[k]]), graphTop + graphRow*float64(row[k])
	}
	var b strings.Builder
	name := template.HTMLEscapeString("how the last events can have happened")
	fmt.Fprintf(&b, `<figure><svg class="chart" viewBox="0 0 %.0f %.0f" role="img"><title>%s</title><text class="name" x="%.0f" y="14">%[3]s</text>`,
		chartWidth, graphTop+graphRow*float64(last)+20, name, chartLeft)
	for k, s := range g.Steps {
		x1, y1 := at(s.From)
		x2, y2 := at(s.To)
		fmt.Fprintf(&b, `<polyline points="%.1f,%.1f %.1f,%.1f"><title>%s</title></polyline>`, x1, y1, x2, y2,
			template.HTMLEscapeString(strings.Join(text.ExplainedStep(v, k), ": ")))
	}
	for k := range g.States {
		x, y := at(k)
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="4"><title>state %d</title></circle><text x="%.1f" y="%.1f">%[3]d</text>`, x, y, k, x+7, y+3.5)
	}
	b.WriteString("</svg></figure>")
	return template.HTML(b.String())
}
