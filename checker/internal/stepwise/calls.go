package stepwise

import (
	"strings"
	"unicode"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/modules"
)

// shortCall is itf.Call without the names of the parameters: Elect(0, {0, 1}).
func shortCall(action string, params modules.View) string {
	var parts []string
	for _, e := range params.Elems {
		parts = append(parts, itf.Text(e))
	}
	if len(params.Elems) == 0 && params.Text != "" {
		parts = []string{itf.Text(params)}
	}
	return action + "(" + strings.Join(parts, ", ") + ")"
}

// compact returns a call without its spaces. A call without parameters may lack its parentheses.
func compact(call string) string {
	out := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, call)
	if !strings.Contains(out, "(") {
		out += "()"
	}
	return out
}
