package html

import (
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/diagram"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"

	"html/template"
)

// Explore returns the page of the verb explore. It asks the server that serves it for everything
// that it shows. An error is a mistake in the template.
func Explore(title string) (string, error) {
	var page strings.Builder
	err := templates.ExecuteTemplate(&page, "explore.html", map[string]any{"Title": title, "Style": template.CSS(diagram.Style)})
	return terminal.Visible(page.String()), err
}

// Fleet returns the page that shows the runs on a server with an address. It asks the site that
// serves it for "runs" each second. An error is a mistake in the template.
func Fleet(address string) (string, error) {
	var page strings.Builder
	err := templates.ExecuteTemplate(&page, "fleet.html", address)
	return terminal.Visible(page.String()), err
}

// Picture returns the sequence diagram of a behaviour as a part of a page.
func Picture(b *result.Behaviour) string { return terminal.Visible(diagram.HTML(b.Diagram)) }
