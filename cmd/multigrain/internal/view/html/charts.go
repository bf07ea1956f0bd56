package html

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Measures of a chart, in its own units. A page scales charts to its width.
const (
	chartWidth, chartHeight   = 460.0, 200.0
	chartLeft, chartRight     = 8.0, 452.0
	chartTop, chartBottom     = 34.0, 176.0
	mostBars                  = 120 // more levels are put together
	chartAcross, chartHeight2 = chartRight - chartLeft, chartBottom - chartTop
)

// chart is a plot that is being drawn.
type chart struct{ strings.Builder }

func newChart(title string) *chart {
	c := new(chart)
	fmt.Fprintf(c, `<figure><svg class="chart" viewBox="0 0 %.0f %.0f" role="img"><title>%s</title><text class="name" x="%.0f" y="14">%[3]s</text>`,
		chartWidth, chartHeight, template.HTMLEscapeString(title), chartLeft)
	for k := range 3 {
		y := chartTop + chartHeight2*float64(k)/2
		fmt.Fprintf(c, `<line class="grid" x1="%.0f" y1="%.1f" x2="%.0f" y2="%.1f"/>`, chartLeft, y, chartRight, y)
	}
	return c
}

// axes writes the largest values at the axes. Unit is what is counted to the right.
func (c *chart) axes(most string, half string, last, unit string) template.HTML {
	fmt.Fprintf(c, `<text x="%.0f" y="%.0f">%s</text><text x="%.0f" y="%.0f">%s</text>`, chartLeft, chartTop-3, most, chartLeft, chartTop+chartHeight2/2-3, half)
	fmt.Fprintf(c, `<text x="%.0f" y="%.0f">0</text><text x="%.0f" y="%.0f" text-anchor="end">%s %s</text></svg></figure>`,
		chartLeft, chartHeight-6, chartRight, chartHeight-6, last, unit)
	return template.HTML(c.String())
}

// levelsChart draws the new states at each depth as bars.
func levelsChart(levels []int64) template.HTML {
	c := newChart("new states at each depth")
	width := (len(levels) + mostBars - 1) / mostBars
	var bars []int64
	for k := 0; k < len(levels); k += width {
		n := int64(0)
		for _, x := range levels[k:min(k+width, len(levels))] {
			n += x
		}
		bars = append(bars, n)
	}
	most := int64(1)
	for _, n := range bars {
		most = max(most, n)
	}
	step := chartAcross / float64(len(bars))
	for k, n := range bars {
		h := chartHeight2 * float64(n) / float64(most)
		fmt.Fprintf(c, `<rect class="bar" x="%.1f" y="%.1f" width="%.1f" height="%.1f"><title>depth %d: %s</title></rect>`,
			chartLeft+float64(k)*step, chartBottom-h, max(step-1, 0.5), h, k*width, words.Plural(n, "new state"))
	}
	return c.axes(words.Count(most), words.Count(most/2), fmt.Sprint(len(levels)-1), "depth")
}

// timeChart draws a count over the time of the run. Points with a depth that the one before did not
// have are marked.
func timeChart(title string, progress []wire.Progress, value func(wire.Progress) float64, show func(float64) string) template.HTML {
	c := newChart(title)
	last := max(progress[len(progress)-1].Seconds, 1e-9)
	most := 1e-9
	for _, p := range progress {
		most = max(most, value(p))
	}
	x := func(p wire.Progress) float64 { return chartLeft + p.Seconds/last*chartAcross }
	y := func(p wire.Progress) float64 { return chartBottom - value(p)/most*chartHeight2 }
	fmt.Fprintf(c, `<polyline points="%.1f,%.1f `, chartLeft, chartBottom)
	for _, p := range progress {
		fmt.Fprintf(c, "%.1f,%.1f ", x(p), y(p))
	}
	c.WriteString(`"/>`)
	depth, lastX := -1, -100.0
	for _, p := range progress {
		if p.Depth == depth {
			continue
		}
		depth = p.Depth
		fmt.Fprintf(c, `<circle cx="%.1f" cy="%.1f" r="2.5"><title>%s s: %s, depth %d</title></circle>`, x(p), y(p), fmt.Sprintf("%.3g", p.Seconds), show(value(p)), depth)
		if depth > 0 && x(p)-lastX > 46 {
			anchor := "middle"
			if x(p) > chartRight-40 {
				anchor = "end"
			}
			fmt.Fprintf(c, `<text x="%.1f" y="%.1f" text-anchor="%s">depth %d</text>`, x(p), min(y(p)+16, chartBottom-4), anchor, depth)
			lastX = x(p)
		}
	}
	return c.axes(show(most), show(most/2), fmt.Sprintf("%.3g", last), "s")
}

// likelyChart draws the probability after each step with its interval. Steps at which it jumps have
// their numbers.
func likelyChart(d *result.Likely) template.HTML {
	c := newChart("probability that walks from a step meet the violation")
	last := max(len(d.Steps)-1, 1)
	x := func(k int) float64 { return chartLeft + 6 + float64(k)/float64(last)*(chartAcross-12) }
	y := func(p float64) float64 { return chartBottom - p*chartHeight2 }
	c.WriteString(`<polyline points="`)
	for k, s := range d.Steps {
		fmt.Fprintf(c, "%.1f,%.1f ", x(k), y(s.Probability))
	}
	c.WriteString(`"/>`)
	labelled := 0.0 // where the last number is
	for k, s := range d.Steps {
		name := template.HTMLEscapeString(fmt.Sprintf("step %d %s: %s, %s to %s", s.Step, s.Action, text.Percent(s.Probability), text.Percent(s.Low), text.Percent(s.High)))
		fmt.Fprintf(c, `<line class="span" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"><title>%s</title></line>`, x(k), y(s.Low), x(k), y(s.High), name)
		fmt.Fprintf(c, `<circle cx="%.1f" cy="%.1f" r="%s"><title>%s</title></circle>`, x(k), y(s.Probability), map[bool]string{true: "4", false: "2.5"}[s.Jump != ""], name)
		// The numbers are above the plot, for the axis has its own below, and none covers another.
		if width := 4 + 7*float64(len(fmt.Sprint(s.Step))); s.Jump != "" && x(k)-labelled >= width {
			fmt.Fprintf(c, `<text class="jump" x="%.1f" y="%.1f" text-anchor="middle">%d</text>`, min(x(k), chartRight-width/2), chartTop-8, s.Step)
			labelled = x(k)
		}
	}
	return c.axes("100 %", "50 %", fmt.Sprint(d.Steps[len(d.Steps)-1].Step), "step")
}
