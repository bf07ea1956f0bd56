package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

const (
	// usual is the size of an answer in bytes where the caller asks for no other one, and largest
	// the size that a caller can ask for.
	usual    = 4000
	largest  = 64_000
	smallest = 1000
	// mostListed bounds the bytes of diagnostics that are listed one by one. Others are counted by
	// code.
	mostListed = 1000
	// widest bounds the bytes of a line, so that each line fits into an answer.
	widest = 400
)

// answer is the result of a tool: a part of a whole answer.
type answer struct {
	ExitCode int    `json:"exit_code"`
	Means    string `json:"means"`             // what the exit code says
	Verdict  string `json:"verdict,omitempty"` // absent where nothing is judged
	// Stopped says why the run was interrupted. It is about the run, not about the part.
	Stopped string `json:"stopped,omitempty"`
	// Diagnostics are all errors and warnings of the run, each or by code.
	Diagnostics []string `json:"diagnostics"`
	// Lines are the details of diagnostics, then what the verb prints.
	Lines []string `json:"text"`
	// Cursor is that of the lines that follow; absent at the end.
	Cursor string `json:"cursor,omitempty"`
}

// sent returns an answer as the client gets it: its JSON as text, and once. With structured content
// the protocol asks for the same text a second time.
func sent(a answer) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: plain(a)}}}
}

// whole is the whole answer of a run.
type whole struct {
	head  answer // without lines and cursor
	lines []string
}

// answerOf returns the answer of a run.
func answerOf(e *ended, c call) *whole {
	w := &whole{head: answer{ExitCode: e.exit, Stopped: e.stopped, Diagnostics: listed(e.doc.Diagnostics)}}
	word, _ := e.doc.Outcome()
	if valid := e.doc.Valid; valid != nil {
		word = map[bool]verdicts.Word{true: verdicts.Valid, false: verdicts.Invalid}[*valid]
	}
	if word != verdicts.Done {
		w.head.Verdict = word
	}
	w.head.Means = meaning(e.exit, w.head.Verdict)
	body := text.Diagnostics{}.All(e.doc.Diagnostics)
	if e.notes != "" {
		body += "\nnotes:\n" + e.notes + "\n"
	}
	for _, part := range []string{body, shown(&e.doc, c)} {
		if part = strings.Trim(terminal.Visible(part), "\n"); part == "" {
			continue
		}
		if len(w.lines) > 0 {
			w.lines = append(w.lines, "")
		}
		for line := range strings.Lines(part) {
			w.lines = append(w.lines, broken(strings.TrimRight(line, "\r\n"))...)
		}
	}
	return w
}

// broken returns a line in pieces that are not too wide.
func broken(line string) (out []string) {
	for len(line) > widest {
		end := widest
		for end > 0 && line[end]&0xC0 == 0x80 { // within a rune
			end--
		}
		out, line = append(out, line[:end]), line[end:]
	}
	return append(out, line)
}

// meaning returns what an exit code says. Of a verb without a verdict, 0 says nothing about
// properties.
func meaning(exit int, verdict string) string {
	if exit == verdicts.ExitOK && verdict == "" {
		return "done; nothing is judged"
	}
	for _, x := range verdicts.Exits {
		if x.Code == exit {
			return x.Means
		}
	}
	return "the process was ended; nothing is known"
}

// listed returns a line for each diagnostic, or for each code where these are too many.
func listed(diags []result.Diagnostic) []string {
	out, size := []string{}, 0
	for k := range diags {
		d := &diags[k]
		place := d.File
		if d.Line > 0 {
			place = fmt.Sprintf("%s:%d", d.File, d.Line)
		}
		line := strings.Join(slices.DeleteFunc([]string{d.Severity, d.Code, place, d.Summary}, func(s string) bool { return s == "" }), " ")
		out = append(out, terminal.Line(line))
		size += len(line)
	}
	if size <= mostListed {
		return out
	}
	counts, order := map[string]int64{}, []string{}
	for k := range diags {
		name := strings.TrimSpace(diags[k].Severity + " " + diags[k].Code)
		if counts[name]++; counts[name] == 1 {
			order = append(order, name)
		}
	}
	out = out[:0]
	for _, name := range order {
		out = append(out, name+", "+words.Plural(counts[name], "time"))
	}
	return out
}

// part returns as many lines from a line on as fit into size bytes of JSON, 0 for the usual size.
// All else of the answer is in every part.
func (w *whole) part(number, from, size int) answer {
	if size <= 0 {
		size = usual
	}
	size = min(max(size, smallest), largest)
	a := w.head
	a.Lines = []string{}
	a.Cursor = fmt.Sprintf("%d:%d", number, len(w.lines))
	room := size - length(a)
	to := from
	for ; to < len(w.lines); to++ {
		need := length(w.lines[to]) + 1
		if room < need && to > from { // a part has a line at least, so that cursors come to an end
			break
		}
		room -= need
	}
	a.Lines = append(a.Lines, w.lines[from:to]...)
	if a.Cursor = ""; to < len(w.lines) {
		a.Cursor = fmt.Sprintf("%d:%d", number, to)
	}
	return a
}

// plain returns the JSON of a value, in which <, > and & are themselves. An answer holds texts and
// numbers, which JSON can.
func plain(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}

// length returns the bytes that a value of an answer takes in a message at most. The answer is a
// text of the message, so its JSON is quoted once more, and some encoders write > as \u003e.
func length(v any) int {
	quoted, _ := json.Marshal(plain(v))
	return len(quoted) - len(`""`)
}

// shown returns the text of a document, as the verb prints it.
func shown(d *result.Document, c call) string {
	switch {
	case d.Verb == "validate" && d.Valid != nil && *d.Valid:
		return fmt.Sprintf("valid: %s of system %s", words.Plural(int64(len(d.Modules)), "module"), d.System)
	case d.Verb == "list":
		return listing(d, c.names)
	case d.Why != nil:
		return text.Why(d.Why)
	case d.Suggestions != nil:
		return text.Suggestions(d.Suggestions, d.Interaction.Targets, false)
	case d.Verb == "interaction" && d.Interaction != nil:
		return text.Examined(d, false, false)
	case d.Verb == "check" && d.Exploration != nil:
		return text.Check{Explains: true}.Text(d)
	case d.Trace != nil:
		return text.TraceHead(d.Trace) + text.WhyText(d.Trace.Why) + text.Behaviour{}.Text(&d.Trace.Behaviour)
	case len(d.Explanations) > 0:
		return text.Explanations(d.Explanations)
	}
	return transcript(d.Transcript)
}

// listing returns the catalogs, or entries of them.
func listing(d *result.Document, names []string) string {
	var b strings.Builder
	for k, cat := range d.Systems {
		if k > 0 {
			b.WriteString("\n")
		}
		if len(names) == 0 {
			b.WriteString(text.Catalog(cat, false, 0))
			continue
		}
		// Names that are missing are errors of the document.
		entries, _ := text.Entries(cat, names, false, 0)
		b.WriteString(entries)
	}
	return b.String()
}

// transcript returns what explore answered to the last lines of a script: those that ask. The lines
// that take the path are left out, unless the script failed there.
func transcript(all []result.Answered) string {
	from := 0
	for k := range all {
		if line := all[k].Line; strings.HasPrefix(line, "do ") || strings.HasPrefix(line, "init ") {
			from = k
		}
	}
	var b strings.Builder
	for _, x := range all[min(from, len(all)):] {
		if x.Line != "" {
			b.WriteString("> " + x.Line + "\n")
		}
		b.WriteString(x.Text)
	}
	return b.String()
}
