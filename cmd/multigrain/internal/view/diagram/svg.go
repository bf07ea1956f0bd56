package diagram

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
)

// longestLabel is the length of the longest label, in characters.
func longestLabel(d *result.Diagram) int {
	if len(d.Rows) == 0 {
		return 0
	}
	r := slices.MaxFunc(d.Rows, func(a, b result.Row) int { return cmp.Compare(len([]rune(a.Label)), len([]rune(b.Label))) })
	return len([]rune(r.Label))
}

// Measures of the picture, in pixels.
const (
	svgTop    = 46 // above the first row
	svgRow    = 26
	svgLane   = 150
	svgLeft   = 80
	svgLetter = 6.6 // width of a letter of a label
)

const svgStyle = `
text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#222}
.head{font-weight:bold;text-anchor:middle}.lane{stroke:#bbb}.no{fill:#999;text-anchor:end}.label.env{fill:#b00020}
.dot{fill:#3b5bdb}.dot.env{fill:#b00020}.kind{font-size:11px;fill:#0b7285;text-anchor:middle}.kind.lost{fill:#b00020}
.arrow{stroke:#0b7285;fill:none;marker-end:url(#tip)}.arrow.lost{stroke:#b00020;stroke-dasharray:4 3;marker-end:url(#cross)}
.arrow.flying{stroke-dasharray:2 3}.link{stroke:#b00020;stroke-width:2;stroke-dasharray:6 4}.link.mended{stroke:#2b8a3e}
`

// Svg returns the diagram as a picture that needs no other file.
func Svg(d *result.Diagram, title string) string {
	width := svgLeft + float64(d.Lanes)*svgLane + float64(longestLabel(d))*svgLetter + 40
	height := svgTop + svgRow*(len(d.Rows)+2)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title><style>%s</style>\n", shown(title), svgStyle)
	b.WriteString(`<defs><marker id="tip" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto"><path d="M0,0 L9,4 L0,8 z" fill="#0b7285"/></marker>` +
		`<marker id="cross" markerWidth="10" markerHeight="10" refX="5" refY="5" orient="auto"><path d="M1,1 L9,9 M9,1 L1,9" stroke="#b00020" stroke-width="1.5"/></marker></defs>` + "\n")
	fmt.Fprintf(&b, `<rect width="%.0f" height="%d" fill="#fff"/>`+"\n", width, height)
	for i := range d.Lanes {
		x := laneX(i)
		fmt.Fprintf(&b, `<line class="lane" x1="%d" y1="%d" x2="%d" y2="%d"/><text class="head" x="%d" y="22">server %d</text>`+"\n",
			x, svgTop-16, x, height-svgRow, x, i)
	}
	for k := range d.Rows {
		drawRow(d, &b, k)
	}
	for _, m := range d.Messages {
		drawMessage(d, &b, m)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func laneX(i int) int { return svgLeft + i*svgLane }

func rowY(k int) int { return svgTop + (k+1)*svgRow }

func drawRow(d *result.Diagram, b *strings.Builder, k int) {
	r, y := &d.Rows[k], rowY(k)
	class := ""
	if r.Environment {
		class = " env"
	}
	fmt.Fprintf(b, `<g class="row" data-step="%d"><text class="no" x="34" y="%d">%d</text>`, r.Step, y+4, r.Step)
	for _, m := range r.Marks {
		fmt.Fprintf(b, `<line class="link %s" x1="%d" y1="%d" x2="%d" y2="%d"/>`, m.What, laneX(m.A), y, laneX(m.B), y)
	}
	for _, i := range r.LanesOf() {
		fmt.Fprintf(b, `<circle class="dot%s" cx="%d" cy="%d" r="5"/>`, class, laneX(i), y)
	}
	fmt.Fprintf(b, `<text class="label%s" x="%d" y="%d">%s</text></g>`+"\n", class, laneX(d.Lanes-1)+40, y+4, shown(r.Label))
}

// svgMessage draws an arrow. One to the sender itself bulges to the right.
func drawMessage(d *result.Diagram, b *strings.Builder, m result.Message) {
	class, end := "", m.End
	switch {
	case m.Lost:
		class = " lost"
	case m.End < 0:
		class, end = " flying", len(d.Rows)
	}
	x1, y1, x2, y2 := laneX(m.From), rowY(m.Sent), laneX(m.To), rowY(end)
	path := fmt.Sprintf("M%d,%d L%d,%d", x1, y1, x2, y2)
	tx, ty := (x1+x2)/2, (y1+y2)/2-3
	if m.From == m.To {
		path = fmt.Sprintf("M%d,%d C%d,%d %d,%d %d,%d", x1, y1, x1+60, y1, x2+60, y2, x2+2, y2)
		tx = x1 + 50
	}
	fmt.Fprintf(b, `<g class="message" data-sent="%d" data-end="%d"><title>%s</title><path class="arrow%s" d="%s"/><text class="kind%s" x="%d" y="%d">%s</text></g>`+"\n",
		m.Sent+1, m.End+1, shown(m.Full), class, path, class, tx, ty, shown(m.Text))
}

// shown is a name or a value as text of XML, which may have no control characters.
func shown(s string) string { return html.EscapeString(terminal.Line(s)) }
