package diagram

import (
	"fmt"
	"html"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
)

// Measures of the picture, in pixels.
const (
	svgTop    = 52 // above the first row
	svgLine   = 16 // a line of text
	svgGap    = 14 // between two rows
	svgLane   = 150
	svgLeft   = 44
	svgLetter = 6.7 // width of a letter of a label
)

// Svg returns the diagram as a picture that needs no other file.
func Svg(d *result.Diagram, title string) string {
	p := newPicture(d)
	labels := laneX(d.Lanes-1) + 70
	width := float64(labels) + float64(p.longest())*svgLetter + 20
	bottom := svgTop + p.height
	height := bottom + 30 + svgLine*len(legend) + 20
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="lanes" width="%.0f" height="%d" viewBox="0 0 %.0f %d">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title><style>%s</style>%s\n", shown(title), svgStyle, svgMarkers)
	fmt.Fprintf(&b, `<rect class="page" width="%.0f" height="%d"/>`+"\n", width, height)
	for i := range d.Lanes {
		x := laneX(i)
		fmt.Fprintf(&b, `<line class="lane" x1="%d" y1="%d" x2="%d" y2="%d"/><text class="head" x="%d" y="22">%s</text>`+"\n",
			x, svgTop-20, x, bottom, x, shown(d.Name(i)))
	}
	x := func(lane float64) string { return fmt.Sprintf("%.0f", svgLeft+(lane+0.5)*svgLane) }
	for k := range d.Rows {
		r := &d.Rows[k]
		y := svgTop + p.y[k]
		fmt.Fprintf(&b, `<text class="no" x="34" y="%d">%d</text>`, y+4, r.Step)
		p.row(&b, k, y, x)
		for line, text := range p.lines[k] {
			class := "label"
			if line > 0 {
				class = "note"
			} else if r.Environment {
				class = "label env"
			}
			fmt.Fprintf(&b, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, labels, y+4+line*svgLine, shown(text))
		}
	}
	for _, m := range d.Messages {
		p.message(&b, m, svgTop, x)
	}
	for k, l := range legend {
		y := bottom + 34 + k*svgLine
		fmt.Fprintf(&b, `<g transform="translate(%d,%d)">%s</g><text class="note" x="%d" y="%d">%s</text>`+"\n", svgLeft, y, l.Icon, svgLeft+48, y+4, l.Text)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func laneX(i int) int { return svgLeft + i*svgLane + svgLane/2 }

// picture is a diagram with the places of its rows.
type picture struct {
	*result.Diagram
	lines  [][]string // of each row: its label, then what it sends or changes
	y      []int      // of each row's first line, from the top of the first row
	height int
}

// mostNotes is the number of lines below a label, at most.
const mostNotes = 4

func newPicture(d *result.Diagram) *picture {
	p := &picture{Diagram: d}
	sent := map[int][]string{}
	for _, m := range d.Messages {
		if m.Sent >= 0 {
			what := "→"
			if m.Copy {
				what = "copied →"
			}
			sent[m.Sent] = append(sent[m.Sent], strings.TrimSpace(fmt.Sprintf("%s %s  %s  %s", what, d.Name(m.To), m.Text, m.Fields)))
		}
	}
	for k := range d.Rows {
		notes := append(sent[k], d.Rows[k].Changed...)
		if more := len(notes) - mostNotes; more > 0 {
			notes = append(notes[:mostNotes:mostNotes], fmt.Sprintf("and %d more", more))
		}
		lines := []string{d.Rows[k].Label}
		for _, n := range notes {
			lines = append(lines, shortened(n))
		}
		p.lines = append(p.lines, lines)
		p.y = append(p.y, p.height)
		p.height += svgLine*len(lines) + svgGap
	}
	return p
}

// mostLetters is the length of a line, at most.
const mostLetters = 72

func shortened(s string) string {
	if r := []rune(s); len(r) > mostLetters {
		return string(r[:mostLetters-1]) + "…"
	}
	return s
}

// longest returns the length of the longest line, in characters.
func (p *picture) longest() (n int) {
	for _, lines := range p.lines {
		for _, l := range lines {
			n = max(n, len([]rune(l)))
		}
	}
	return n
}

// row draws what a row has on its lanes. X is the place of a lane, which may lie between two.
func (p *picture) row(b *strings.Builder, k, y int, x func(float64) string) {
	r := &p.Rows[k]
	class := ""
	if r.Environment {
		class = " env"
	}
	fmt.Fprintf(b, `<g class="row%s" data-step="%d" data-y="%d">`, class, r.Step, y)
	if lane, what := r.Isolated(); lane >= 0 {
		fmt.Fprintf(b, `<line class="link %s" x1="%s" y1="%d" x2="%s" y2="%d"><title>every link of %s is %s</title></line>`,
			what, x(float64(lane)-0.3), y, x(float64(lane)+0.3), y, shown(p.Name(lane)), what)
	} else {
		for _, m := range r.Marks {
			fmt.Fprintf(b, `<line class="link %s" x1="%s" y1="%d" x2="%s" y2="%d"><title>the link of %s and %s is %s</title></line>`,
				m.What, x(float64(m.A)), y, x(float64(m.B)), y, shown(p.Name(m.A)), shown(p.Name(m.B)), m.What)
		}
	}
	for _, i := range r.LanesOf() {
		if r.Stops {
			fmt.Fprintf(b, `<svg class="at" x="%s" y="%d"><path class="stop" d="M-7,-7 L7,7 M7,-7 L-7,7"/></svg>`, x(float64(i)), y)
		} else {
			fmt.Fprintf(b, `<circle class="dot%s" cx="%s" cy="%d" r="5"/>`, class, x(float64(i)), y)
		}
	}
	b.WriteString("</g>\n")
}

// lostAt is how far the arrow of a lost message goes: it does not reach the lane of its receiver.
const lostAt = 0.72

// message draws an arrow. One to the sender itself bulges to the right.
func (p *picture) message(b *strings.Builder, m result.Message, top int, x func(float64) string) {
	class, y2 := "", top+p.height
	if m.End >= 0 {
		y2 = top + p.y[m.End]
	}
	y1 := top - svgGap
	if m.Sent >= 0 {
		y1 = top + p.y[m.Sent]
	}
	from, to := float64(m.From), float64(m.To)
	switch {
	case m.Lost:
		class, to = " lost", from+(to-from)*lostAt
	case m.End < 0:
		class = " flying"
	}
	fmt.Fprintf(b, `<g class="message" data-sent="%d" data-end="%d"><title>%s to %s: %s</title>`, m.Sent+1, m.End+1,
		shown(p.Name(m.From)), shown(p.Name(m.To)), shown(strings.TrimSpace(m.Text+"  "+m.Fields)))
	if m.From == m.To {
		h := y2 - y1
		fmt.Fprintf(b, `<svg class="at" x="%s" y="%d"><path class="arrow%s" d="M0,0 C44,0 44,%d 6,%d"/><text class="kind%s" x="38" y="%d">%s</text></svg></g>`+"\n",
			x(from), y1, class, h, h, class, h/2, shown(m.Text))
		return
	}
	const at = 0.6 // of the way, where arrows from one step have parted
	fmt.Fprintf(b, `<line class="arrow%s" x1="%s" y1="%d" x2="%s" y2="%d"/><text class="kind%s" x="%s" y="%d">%s</text></g>`+"\n",
		class, x(from), y1, x(to), y2, class, x(from+(to-from)*at), y1+int(float64(y2-y1)*at)-3, shown(m.Text))
}

// shown returns a name or a value as text of XML, which may have no control characters.
func shown(s string) string { return html.EscapeString(terminal.Line(s)) }

// legendItem explains one mark.
type legendItem struct{ Icon, Text string }

// legend explains the marks of a picture. An icon is 40 pixels wide, around y = 0.
var legend = []legendItem{
	{`<circle class="dot" cx="18" cy="0" r="5"/>`, "a step of the node"},
	{`<circle class="dot env" cx="18" cy="0" r="5"/>`, "a step of the environment about the node"},
	{`<path class="stop" d="M11,-7 L25,7 M25,-7 L11,7"/>`, "the node stops"},
	{`<line class="arrow" x1="0" y1="0" x2="36" y2="0"/>`, "a message, from the step that sends it to the one that receives it"},
	{`<line class="arrow lost" x1="0" y1="0" x2="32" y2="0"/>`, "a lost message"},
	{`<line class="arrow flying" x1="0" y1="0" x2="36" y2="0"/>`, "a message in flight at the end"},
	{`<line class="link" x1="0" y1="0" x2="36" y2="0"/>`, "a link is disconnected; next to one node only: all its links"},
	{`<line class="link mended" x1="0" y1="0" x2="36" y2="0"/>`, "a link is mended"},
}

// svgMarkers are the ends of arrows.
const svgMarkers = `<defs><marker id="tip" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto"><path class="tip" d="M0,0 L9,4 L0,8 z"/></marker>` +
	`<marker id="lost" markerWidth="10" markerHeight="10" refX="5" refY="5" orient="auto"><path class="losttip" d="M1,1 L9,9 M9,1 L1,9"/></marker></defs>`

// svgStyle is the style of the marks, of light pages and of dark ones. Paper is light.
const svgStyle = `
.lanes{--ink:#1f2328;--paper:#fff;--faint:#c4cad2;--soft-ink:#5f6673;--step:#2f4fd0;--alarm:#b3261e;--msg:#0b6b7d;--mend:#7a5b00}
@media screen and (prefers-color-scheme:dark){.lanes{--ink:#e3e6ea;--paper:#16191d;--faint:#454c55;--soft-ink:#a0a8b3;--step:#8ea6ff;--alarm:#ff8a80;--msg:#5fc4d6;--mend:#e0b84a}}
.lanes text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:var(--ink)}
.lanes .page{fill:var(--paper)}.lanes .head{font-weight:bold;text-anchor:middle}.lanes .lane{stroke:var(--faint)}.lanes .no{fill:var(--soft-ink);text-anchor:end}
.lanes .label.env{fill:var(--alarm)}.lanes .note{font-size:11px;fill:var(--soft-ink)}
.lanes .dot{fill:var(--step)}.lanes .dot.env{fill:var(--paper);stroke:var(--alarm);stroke-width:2}.lanes .stop{stroke:var(--alarm);stroke-width:3;fill:none}
.lanes .kind{font-size:11px;fill:var(--msg);text-anchor:middle;paint-order:stroke;stroke:var(--paper);stroke-width:4px}.lanes .kind.lost{fill:var(--alarm)}
.lanes .arrow{stroke:var(--msg);fill:none;marker-end:url(#tip)}.lanes .arrow.lost{stroke:var(--alarm);stroke-dasharray:4 3;marker-end:url(#lost)}.lanes .arrow.flying{stroke-dasharray:2 4}
.lanes .tip{fill:var(--msg)}.lanes .losttip{stroke:var(--alarm);stroke-width:1.5}
.lanes .link{stroke:var(--alarm);stroke-width:2;stroke-dasharray:7 4}.lanes .link.mended{stroke:var(--mend)}.lanes .at{overflow:visible}
`
