package text

import (
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// Explanations prints the texts of codes with an empty line between them, and a line for each code
// without a text.
func Explanations(list []result.Explanation) string {
	var texts []string
	titles := Table{}
	for _, e := range list {
		if e.Text != "" {
			texts = append(texts, e.Text)
		} else {
			titles.Row(e.Code, e.Title)
		}
	}
	return strings.Join(texts, "\n") + titles.Text()
}
