package html

import (
	"html/template"
	"regexp"
	"strings"
)

// hyphened matches a name with hyphens, such as I-12.epoch or mspec-3. A browser breaks lines at
// them.
var hyphened = regexp.MustCompile(`[A-Za-z0-9_.]+(?:-[A-Za-z0-9_.]+)+`)

// mostWhole is the number of characters up to which a name fits into a line of a phone.
const mostWhole = 24

// whole returns a text for a page in which names with hyphens are not broken. Longer names than
// mostWhole are broken as the browser likes.
func whole(text string) template.HTML {
	var b strings.Builder
	at := 0
	for _, m := range hyphened.FindAllStringIndex(text, -1) {
		if m[1]-m[0] > mostWhole {
			continue
		}
		b.WriteString(template.HTMLEscapeString(text[at:m[0]]))
		b.WriteString(`<span class="whole">` + template.HTMLEscapeString(text[m[0]:m[1]]) + `</span>`)
		at = m[1]
	}
	b.WriteString(template.HTMLEscapeString(text[at:]))
	return template.HTML(b.String())
}
