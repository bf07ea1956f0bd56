package text

import (
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// Clean prints what was removed, one path a line, and what was left.
func Clean(d *result.Clean) string {
	var b strings.Builder
	verb := "removed "
	if d.Listed {
		verb = "would remove "
	}
	for _, path := range d.Removed {
		b.WriteString(verb + path + "\n")
	}
	for _, l := range d.Left {
		b.WriteString("left " + l.Path + ": " + l.Reason + "\n")
	}
	if len(d.Removed)+len(d.Left) == 0 {
		b.WriteString("nothing to remove\n")
	}
	return b.String()
}
