package html

import (
	"cmp"
	"embed"
	"encoding/json"
	"html/template"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/diagram"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
)

//go:embed assets/*.html
var assets embed.FS

var templates = template.Must(template.ParseFS(assets, "assets/*.html"))

// tracePage holds the values that assets/trace.html reads: the steps with what they change, the
// messages, and the initial state by paths.
type tracePage struct {
	Lanes    int           `json:"lanes"`
	Init     [][2]string   `json:"init"` // path and value
	Steps    []stepPage    `json:"steps"`
	Messages []messagePage `json:"messages"`
}

type stepPage struct {
	Step        int    `json:"step"`
	Label       string `json:"label"`
	Module      string `json:"module"`
	Environment bool   `json:"environment"`
	// whom it is about: who acts, whom it touches, who sends or receives
	Servers []int       `json:"servers"`
	Changes [][3]string `json:"changes"` // path, before, after: for people
	Set     [][2]string `json:"set"`     // path and value: to compute states
	Gone    []string    `json:"gone"`    // paths that end to exist, with all below
}

type messagePage struct {
	Sent int    `json:"sent"` // step, 0: initially there
	End  int    `json:"end"`  // step, 0: in flight
	Full string `json:"full"`
}

func tracePageOf(b *result.Behaviour) *tracePage {
	p := &tracePage{Lanes: b.Diagram.Lanes, Init: b.Parts, Steps: []stepPage{}, Messages: []messagePage{}}
	for k := range b.Steps {
		s, r := &b.Steps[k], &b.Diagram.Rows[k]
		x := stepPage{Step: k + 1, Label: r.Label, Module: r.Module, Environment: r.Environment, Servers: append([]int{}, r.LanesOf()...),
			Changes: [][3]string{}, Set: append([][2]string{}, s.Set...), Gone: append([]string{}, s.Gone...)}
		for _, c := range s.Changes {
			x.Changes = append(x.Changes, [3]string{c.Variable, c.Old, cmp.Or(c.Queue, c.New)})
		}
		p.Steps = append(p.Steps, x)
	}
	for _, m := range b.Diagram.Messages {
		p.Messages = append(p.Messages, messagePage{m.Sent + 1, m.End + 1, m.Full})
		if m.Sent >= 0 {
			p.Steps[m.Sent].Servers = append(p.Steps[m.Sent].Servers, m.From)
		}
		if m.End >= 0 {
			p.Steps[m.End].Servers = append(p.Steps[m.End].Servers, m.To)
		}
	}
	return p
}

// Trace is a behaviour as one page that needs no other file: stepping, filters by server and
// variable, differences, search. Why the property is violated stands above it.
func Trace(title string, lines []string, why []wire.Reason, b *result.Behaviour) (string, error) {
	data, err := json.Marshal(tracePageOf(b)) // escapes <, > and &, so it cannot end the element that it is in
	if err != nil {
		return "", err
	}
	var page strings.Builder
	err = templates.ExecuteTemplate(&page, "trace.html", map[string]any{
		"Title": title, "Lines": lines, "Why": text.ReasonLines(why), "SVG": template.HTML(diagram.Svg(b.Diagram, title)), "Data": template.JS(data),
	})
	return page.String(), err
}
