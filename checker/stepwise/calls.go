package stepwise

import (
	"strings"
	"unicode"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/modules"
)

// CallOf returns the name of a step, as check prints it: Elect(I: 0, Q: {0, 1}).
func CallOf(action string, params modules.View) string {
	var parts []string
	for k, e := range params.Elems {
		if k < len(params.Names) {
			parts = append(parts, params.Names[k]+": "+itf.Text(e))
		}
	}
	if len(params.Names) == 0 && (params.Text != "" || len(params.Elems) > 0) {
		parts = []string{itf.Text(params)}
	}
	return action + "(" + strings.Join(parts, ", ") + ")"
}

// shortCall is CallOf without the names of the parameters: Elect(0, {0, 1}).
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
