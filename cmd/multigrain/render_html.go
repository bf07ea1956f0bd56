package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

//go:embed assets/*.html
var assets embed.FS

var templates = template.Must(template.ParseFS(assets, "assets/*.html"))

// tracePage is what assets/trace.html reads: the steps with what they change, the messages, and the initial state by paths.
type tracePage struct {
	Lanes    int           `json:"lanes"`
	Init     [][2]string   `json:"init"` // path and value
	Steps    []stepPage    `json:"steps"`
	Messages []messagePage `json:"messages"`
}

type stepPage struct {
	Step        int         `json:"step"`
	Label       string      `json:"label"`
	Module      string      `json:"module"`
	Environment bool        `json:"environment"`
	Servers     []int       `json:"servers"` // whom it is about: who acts, whom it touches, who sends or receives
	Changes     [][3]string `json:"changes"` // path, before, after: for people
	Set         [][2]string `json:"set"`     // path and value: to compute states
	Gone        []string    `json:"gone"`    // paths that end to exist, with all below
}

type messagePage struct {
	Sent int    `json:"sent"` // step, 0: initially there
	End  int    `json:"end"`  // step, 0: in flight
	Full string `json:"full"`
}

func tracePageOf(t *wire.Trace, d *diagram) *tracePage {
	p := &tracePage{Lanes: d.Lanes, Init: leaves("", &t.Init, [][2]string{}), Steps: []stepPage{}, Messages: []messagePage{}}
	before := t.Init
	for k, s := range t.Steps {
		r := &d.Rows[k]
		x := stepPage{Step: k + 1, Label: r.Label, Module: r.Module, Environment: r.Environment, Servers: append([]int{}, r.lanesOf()...),
			Changes: [][3]string{}, Set: [][2]string{}, Gone: []string{}}
		for _, c := range itf.Changes(before, s.State) {
			text := queued(c)
			if text == "" {
				text = partText(c.New)
			}
			x.Changes = append(x.Changes, [3]string{c.Path, partText(c.Old), text})
			if c.New == nil || c.Old != nil && c.Old.Shape != c.New.Shape {
				x.Gone = append(x.Gone, c.Path)
			}
			if c.New != nil {
				x.Set = leaves(c.Path, c.New, x.Set)
			}
		}
		p.Steps = append(p.Steps, x)
		before = s.State
	}
	for _, m := range d.Messages {
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

// leaves appends the smallest parts that itf.Changes tells apart.
func leaves(path string, v *modules.View, out [][2]string) [][2]string {
	switch {
	case v.Shape == modules.Record && len(v.Elems) > 0:
		for k := range v.Elems {
			name := v.Names[k]
			if path != "" {
				name = path + "." + name
			}
			out = leaves(name, &v.Elems[k], out)
		}
	case v.Shape == modules.Mapping:
		for k := range v.Elems {
			out = leaves(path+"["+v.Names[k]+"]", &v.Elems[k], out)
		}
	case v.Shape == modules.Function && len(v.Elems) > 0:
		for k := range v.Elems {
			out = leaves(fmt.Sprintf("%s[%d]", path, k), &v.Elems[k], out)
		}
	default:
		out = append(out, [2]string{path, itf.Text(*v)})
	}
	return out
}

// traceHTML is a trace as one page that needs nothing beside it: stepping, filters by server and variable, differences, search.
// What led to the violation at its end is told above it.
func traceHTML(title string, lines []string, why []wire.Reason, t *wire.Trace) (string, error) {
	d := diagramOf(t)
	data, err := json.Marshal(tracePageOf(t, d)) // escapes <, > and &, so it cannot end the element that it is in
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = templates.ExecuteTemplate(&b, "trace.html", map[string]any{
		"Title": title, "Lines": lines, "Why": reasonLines(why), "SVG": template.HTML(d.svg(title)), "Data": template.JS(data),
	})
	return b.String(), err
}
