package experiment

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// style makes a plot readable on light and on dark pages.
const style = `<style>
text { font: 11px sans-serif; fill: #1f2328 }
.small { font-size: 10px }
.axis { stroke: #59636e; stroke-width: 1; fill: none }
.grid { stroke: #d1d9e0; stroke-width: 1; fill: none }
.cell { fill: #0969da; stroke: none }
.none { fill: #d1d9e0; fill-opacity: 0.4 }
.s0 { stroke: #59636e } .s1 { stroke: #8250df } .s2 { stroke: #1a7f37 } .s3 { stroke: #0969da }
.s4 { stroke: #bc4c00 } .s5 { stroke: #bf3989 } .s6 { stroke: #9a6700 } .s7 { stroke: #cf222e }
.curve { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .axis { stroke: #9198a1 }
  .grid { stroke: #3d444d }
  .cell { fill: #4493f8 }
  .none { fill: #3d444d }
  .s0 { stroke: #9198a1 } .s1 { stroke: #ab7df8 } .s2 { stroke: #3fb950 } .s3 { stroke: #4493f8 }
  .s4 { stroke: #db6d28 } .s5 { stroke: #db61a2 } .s6 { stroke: #d29922 } .s7 { stroke: #f85149 }
}
</style>
`

// svg begins a plot of a size with a title, which screen readers read.
func svg(width, height int, title string) *strings.Builder {
	b := &strings.Builder{}
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n<title>%s</title>\n%s",
		width, height, width, height, html.EscapeString(title), style)
	return b
}

// matrix has a row for each mistake and a column for each strategy. The darker a field, the more
// runs detect the mistake.
func (p *part) matrix() string {
	const left, top, wide, high = 250, 40, 72, 16
	rows := slices.Concat(p.half(true), p.half(false))
	b := svg(left+wide*len(p.strategies)+10, top+high*len(rows)+30, "Share of the runs that detect each mistake in a "+p.kind)
	for k, name := range p.strategies {
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", left+wide*k+wide/2, top-8, name)
	}
	y := top
	for k, x := range rows {
		if k == 0 || rows[k-1].heldOut() != x.heldOut() {
			if k > 0 {
				y += 8
			}
			fmt.Fprintf(b, `<text x="4" y="%d" class="small">%s</text>`+"\n", y+12, x.half())
		}
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", left-6, y+12, html.EscapeString(x.Name))
		for c, name := range p.strategies {
			g := p.of(x, name)
			if g == nil {
				continue
			}
			fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" class="none"/>`, left+wide*c+1, y+1, wide-2, high-2)
			fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" class="cell" fill-opacity="%.2f"/>`, left+wide*c+1, y+1, wide-2, high-2, 0.6*float64(g.found)/float64(g.runs))
			fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" class="small">%d/%d</text>`+"\n", left+wide*c+wide/2, y+12, g.found, g.runs)
		}
		y += high
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// curves shows for each strategy which share of the runs, on the mistakes that are held out, has
// detected the mistake within a number of executions. Each mistake counts the same.
func (p *part) curves() string {
	const left, top, wide, high = 50, 20, 560, 300
	b := svg(left+wide+110, top+high+50, "Share of the runs that detect a held-out mistake in a "+p.kind+" within a number of executions")
	subjects := p.half(true)
	decades := 1.0
	for _, x := range subjects {
		for _, name := range p.strategies {
			if g := p.of(x, name); g != nil {
				for _, w := range g.walks {
					if !math.IsInf(w, 1) {
						decades = max(decades, math.Ceil(math.Log10(max(w, 1))))
					}
				}
			}
		}
	}
	at := func(walks float64) float64 { return left + wide*math.Log10(max(walks, 1))/decades }
	up := func(share float64) float64 { return top + high*(1-share) }
	for k := range 5 {
		s := float64(k) / 4
		fmt.Fprintf(b, `<path class="grid" d="M%d %.1fH%d"/><text x="%d" y="%.1f" text-anchor="end">%.2f</text>`+"\n", left, up(s), left+wide, left-6, up(s)+4, s)
	}
	for k := range int(decades) + 1 {
		x := at(math.Pow(10, float64(k)))
		fmt.Fprintf(b, `<path class="grid" d="M%.1f %dV%d"/><text x="%.1f" y="%d" text-anchor="middle">%.0f</text>`+"\n", x, top, top+high, x, top+high+16, math.Pow(10, float64(k)))
	}
	fmt.Fprintf(b, `<path class="axis" d="M%d %dV%dH%d"/>`+"\n", left, top, top+high, left+wide)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">executions</text>`+"\n", left+wide/2, top+high+38)
	for k, name := range p.strategies {
		type jump struct{ walks, share float64 }
		var jumps []jump
		n := 0.0
		for _, x := range subjects {
			if p.of(x, name) != nil {
				n++
			}
		}
		for _, x := range subjects {
			g := p.of(x, name)
			if g == nil {
				continue
			}
			for _, w := range g.walks {
				if !math.IsInf(w, 1) {
					jumps = append(jumps, jump{w, 1 / float64(g.runs) / n})
				}
			}
		}
		slices.SortFunc(jumps, func(a, b jump) int {
			switch {
			case a.walks < b.walks:
				return -1
			case a.walks > b.walks:
				return 1
			}
			return 0
		})
		share := 0.0
		fmt.Fprintf(b, `<path class="curve s%d" d="M%d %.1f`, k%8, left, up(0))
		for _, j := range jumps {
			share += j.share
			fmt.Fprintf(b, "H%.1fV%.1f", at(j.walks), up(share))
		}
		fmt.Fprintf(b, `H%d"/>`+"\n", left+wide)
		y := top + 10 + 18*k
		fmt.Fprintf(b, `<path class="curve s%d" d="M%d %dh18"/><text x="%d" y="%d">%s %.2f</text>`+"\n", k%8, left+wide+10, y, left+wide+32, y+4, name, share)
	}
	b.WriteString("</svg>\n")
	return b.String()
}
