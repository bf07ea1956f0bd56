package html

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/diagram"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

//go:embed assets/*.html
var assets embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"whole": whole}).ParseFS(assets, "assets/*.html"))

// tracePage holds the values that assets/trace.html reads: the steps with what they change, the
// messages, and the initial state by paths.
type tracePage struct {
	Nodes    []string      `json:"nodes"`
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
	Servers []int        `json:"servers"`
	Changes []changePage `json:"changes"` // for people
	Set     [][2]string  `json:"set"`     // path and value: to compute states
	Gone    []string     `json:"gone"`    // paths that end to exist, with all below
	At      string       `json:"at"`      // place of the action in the source, "" if unknown
	Link    string       `json:"link"`    // address of that file
}

type changePage struct {
	Path    string   `json:"path"`
	Old     string   `json:"old"`
	New     string   `json:"new"`
	Removed []string `json:"removed"` // values of a queue, a set or a multiset
	Added   []string `json:"added"`
}

type messagePage struct {
	Sent int    `json:"sent"` // step, 0: initially there
	End  int    `json:"end"`  // step, 0: in flight
	Full string `json:"full"` // to search
	What string `json:"what"` // its kind with the fields of its kind
	From string `json:"from"`
	To   string `json:"to"`
	Lost bool   `json:"lost"`
	Copy bool   `json:"copy"`
}

func tracePageOf(b *result.Behaviour) *tracePage {
	p := &tracePage{Init: b.Parts, Steps: []stepPage{}, Messages: []messagePage{}}
	for i := range b.Diagram.Lanes {
		p.Nodes = append(p.Nodes, b.Diagram.Name(i))
	}
	for k := range b.Steps {
		s, r := &b.Steps[k], &b.Diagram.Rows[k]
		x := stepPage{Step: k + 1, Label: r.Label, Module: r.Module, Environment: r.Environment, Servers: append([]int{}, r.LanesOf()...),
			Changes: []changePage{}, Set: append([][2]string{}, s.Set...), Gone: append([]string{}, s.Gone...)}
		for _, c := range s.Changes {
			x.Changes = append(x.Changes, changePage{c.Variable, c.Old, c.New, append([]string{}, c.Removed...), append([]string{}, c.Added...)})
		}
		if s.Source != nil {
			x.At = fmt.Sprintf("%s:%d", words.ShortPath(s.Source.File), s.Source.Line)
			if filepath.IsAbs(s.Source.File) {
				x.Link = (&url.URL{Scheme: "file", Path: filepath.ToSlash(s.Source.File)}).String()
			}
		}
		p.Steps = append(p.Steps, x)
	}
	for _, m := range b.Diagram.Messages {
		p.Messages = append(p.Messages, messagePage{m.Sent + 1, m.End + 1, m.Full, strings.TrimSpace(m.Text + "  " + m.Fields),
			b.Diagram.Name(m.From), b.Diagram.Name(m.To), m.Lost, m.Copy})
		if m.Sent >= 0 {
			p.Steps[m.Sent].Servers = append(p.Steps[m.Sent].Servers, m.From)
		}
		if m.End >= 0 {
			p.Steps[m.End].Servers = append(p.Steps[m.End].Servers, m.To)
		}
	}
	return p
}

// About holds the head of the page of a behaviour.
type About struct {
	Title  string
	Lines  []string      // sentences
	Why    []wire.Reason // why the property is violated
	Report string        // the page of the result that the behaviour belongs to, "" for none
	Plot   template.HTML // about its steps, "" for none
}

// Trace returns a behaviour as one page that needs no other file. The page has steps, filters by
// node and variable, differences and search. An error is a mistake in a template.
func Trace(a About, b *result.Behaviour) (string, error) {
	// Marshal escapes <, > and &, so the data cannot end the element that it is in.
	data, err := json.Marshal(tracePageOf(b))
	if err != nil {
		return "", err
	}
	var page strings.Builder
	err = templates.ExecuteTemplate(&page, "trace.html", map[string]any{
		"About": a, "Why": text.ReasonLines(a.Why), "Diagram": template.HTML(diagram.HTML(b.Diagram)),
		"Style": template.CSS(diagram.Style), "Data": template.JS(data),
	})
	return terminal.Visible(page.String()), err
}
