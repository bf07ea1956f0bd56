package diagram

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// Style is the style of the marks of HTML.
const Style = svgStyle

// HTML returns the diagram as a part of a page. Its lanes share the width that the page gives them.
// The labels stand to the left of the lanes. The script of the page moves them above the lanes
// where the page is narrow.
func HTML(d *result.Diagram) string {
	const first = svgLine + svgGap // the height of the row of the initial state
	p := newPicture(d)
	place := func(lane float64) string { return fmt.Sprintf("%.2f%%", (lane+0.5)*100/float64(d.Lanes)) }
	letters := 0 // of the longest label, whose column is as wide where there is room
	for k := range d.Rows {
		letters = max(letters, len([]rune(d.Rows[k].Label)))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="diagram" role="group" aria-label="sequence diagram" tabindex="0"><div class="picture" style="--lanes:%d;--letters:%d"><div class="heads">`, d.Lanes, letters)
	for i := range d.Lanes {
		fmt.Fprintf(&b, `<span style="left:%s">%s</span>`, place(float64(i)), shown(d.Name(i)))
	}
	b.WriteString("</div>\n" + `<div class="labels">` + "\n")
	b.WriteString(`<div class="step" data-step="0" data-lines="1" style="top:0"><span class="no">0</span><div class="what"><b>initial state</b></div></div>` + "\n")
	for k := range d.Rows {
		r := &d.Rows[k]
		class := ""
		if r.Environment {
			class = " env"
		}
		if d.Departs != nil && r.Step == d.Departs.Step {
			class += " departs"
		}
		fmt.Fprintf(&b, `<div class="step%s" data-step="%d" data-lines="%d" style="top:%dpx"><span class="no">%d</span><div class="what">`,
			class, r.Step, len(p.lines[k]), first+p.y[k], r.Step)
		for line, text := range p.lines[k] {
			tag := "b"
			if line > 0 {
				tag = "i"
			}
			fmt.Fprintf(&b, `<%s title="%s">%s</%s>`, tag, shown(text), shown(text), tag)
		}
		b.WriteString("</div></div>\n")
	}
	fmt.Fprintf(&b, `</div><svg class="lanes" height="%d">%s`+"\n", first+p.height+svgGap, svgMarkers)
	for i := range d.Lanes {
		fmt.Fprintf(&b, `<line class="lane" x1="%s" y1="0" x2="%s" y2="100%%"/>`, place(float64(i)), place(float64(i)))
	}
	b.WriteString("\n")
	for k := range d.Rows {
		p.row(&b, k, first+p.y[k]+svgLine/2, place)
	}
	for _, m := range d.Messages {
		p.message(&b, m, first+svgLine/2, place)
	}
	b.WriteString("</svg></div></div>\n" + sides(d.Departs) + `<details class="legend"><summary>Legend</summary>`)
	for _, l := range legend {
		fmt.Fprintf(&b, `<span><svg class="lanes icon" width="40" height="18" viewBox="-2 -9 40 18">%s</svg>%s</span>`, l.Icon, l.Text)
	}
	b.WriteString("</details>\n")
	return b.String()
}
