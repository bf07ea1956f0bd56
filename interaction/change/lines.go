package change

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/internal/methods"
	"github.com/multigrain/multigrain/interaction/change/internal/python"
	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// Table are the methods of code in other languages than Go, in one version.
type Table = methods.Table

// TableFile is a file of a Table.
type TableFile = methods.File

// TableRow is a class, method or field of a TableFile.
type TableRow = methods.Row

// ParseTable reads a table; see methods.Parse.
func ParseTable(text string) (*Table, error) { return methods.Parse(text) }

// texts are the contents of a file before and after a change; empty where they are not known.
type texts struct{ before, after string }

// lineHolder compares changed lines with a table.
type lineHolder struct {
	table  *Table
	places *Places
	out    *Analysis
	// text and shift are nil without a repository. shift leads from the table's version of a file
	// to its old one.
	text  func(*unified.File) texts
	shift func(*unified.File) ([]unified.Hunk, error)
	// none says that the manifest names no table, blind what to say where a diff has no lines.
	none   bool
	python []string      // see Options.Python
	entry  *methods.File // of the file that is compared now
	blind  string
}

// file compares one changed file with the table.
func (h *lineHolder) file(f *unified.File) {
	lines := Declaration{Name: f.Path(), Kind: Lines, How: howOf(f), File: f.Path()}
	var t texts
	if h.text != nil {
		t = h.text(f)
	}
	c := compare(f, t)
	if c.quiet > 0 {
		h.out.ignore(f.Path(), "only comments or white space, imports, annotations without effect or texts of logs, in %d of its changed parts", c.quiet)
	}
	if h.blind = ""; c.blind {
		h.blind = "; the diff has no lines to compare: give the whole diff, or the folder with -repo"
	}
	if c.lost {
		h.out.doubt(fmt.Sprintf("a comment of %s begins or ends where the diff shows no lines, and code within it is not seen; give the folder with -repo", f.Path()))
	}
	if f.Old != "" && f.New != "" && f.Old != f.New {
		h.out.unmodelled(lines, "the file was "+f.Old)
	}
	entry := h.table.Entry(f.Old, f.OldBlob)
	own := entry == nil && inPython(h.python, f.Old)
	if own {
		entry = pythonFile(f.Old, t.before)
	}
	h.entry = entry
	switch {
	case len(f.Hunks) > 0 && len(c.runs) == 0:
	case entry == nil && h.none:
		h.out.unmodelled(lines, h.outside(f)+h.blind)
	case entry == nil && f.Old == "":
		h.out.unmodelled(lines, "a new file, and the table of methods does not have it")
	case entry == nil:
		h.out.unmodelled(lines, "the table of methods does not have this file"+h.blind)
	case len(f.Hunks) == 0:
		h.whole(f, entry)
	default:
		var shift []unified.Hunk
		if !own { // its lines are those of the table
			shift = h.align(f, entry)
		}
		for _, r := range c.runs {
			h.run(f, entry, r, unshift(shift, r.Old))
		}
	}
}

// whole is a file that changes as a whole: removed, renamed, or binary.
func (h *lineHolder) whole(f *unified.File, entry *methods.File) {
	if f.New == "" {
		h.run(f, entry, unified.Hunk{Old: unified.Span{Start: 1, Lines: entry.Lines}}, unified.Span{Start: 1, Lines: entry.Lines})
		return
	}
	h.out.unmodelled(Declaration{Name: f.Path(), Kind: Lines, How: howOf(f), File: f.Path()}, "the diff does not say which lines of it change: give the whole diff, or a repository with -repo and -base")
}

func howOf(f *unified.File) How {
	switch {
	case f.Old == "":
		return Added
	case f.New == "":
		return Removed
	}
	return Changed
}

// align maps the lines of a file as it was to those of the table. It returns nil if they are the
// same, or if nothing better is known.
func (h *lineHolder) align(f *unified.File, entry *methods.File) []unified.Hunk {
	if entry.Is(f.OldBlob) {
		return nil
	}
	doubt := fmt.Sprintf("%s is not the file of version %s, and lines are nevertheless compared with those of that version", f.Old, h.table.Version)
	if f.OldBlob == "" {
		doubt = fmt.Sprintf("the diff does not name the version of %s that its lines belong to; they are assumed to be those of %s", f.Old, h.table.Version)
	}
	if h.shift != nil && h.table.Revision != "" {
		hunks, err := h.shift(f)
		if err == nil {
			return hunks
		}
		doubt += fmt.Sprintf(" (%v)", err)
	}
	h.out.doubt(doubt)
	return nil
}

// unshift returns a span of a later version of a file in the lines of an earlier one; hunks lead
// from the earlier to the later one.
func unshift(hunks []unified.Hunk, s unified.Span) unified.Span {
	first, firstIn := unshiftLine(hunks, s.Start)
	if s.Lines == 0 {
		return unified.Span{Start: first, Lines: 0}
	}
	last, lastIn := unshiftLine(hunks, s.Last())
	if firstIn != nil {
		first = firstIn.Old.Start
	}
	if lastIn != nil {
		last = max(lastIn.Old.Start, lastIn.Old.Last())
	}
	return unified.Span{Start: first, Lines: max(last, first) - first + 1}
}

// unshiftLine returns a line in the earlier version, and the hunk that made it new, if one did.
func unshiftLine(hunks []unified.Hunk, line int) (int, *unified.Hunk) {
	moved := 0
	for k := range hunks {
		h := &hunks[k]
		begin, end := h.New.Start, h.New.Start+h.New.Lines
		if h.New.Lines == 0 {
			begin, end = begin+1, end+1
		}
		switch {
		case line < begin:
			return line - moved, nil
		case line < end:
			return h.Old.Start, h
		}
		moved += h.New.Lines - h.Old.Lines
	}
	return line - moved, nil
}

// run finds what one changed part of a file changes. At is its place in the table's lines.
func (h *lineHolder) run(f *unified.File, entry *methods.File, r unified.Hunk, at unified.Span) {
	var rows []*methods.Row
	add := func(row *methods.Row) {
		if !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if at.Lines == 0 {
		add(entry.At(at.Start, true))
	}
	for line := at.Start; line <= at.Last(); line++ {
		add(entry.At(line, false))
	}
	if slices.ContainsFunc(rows, func(x *methods.Row) bool { return x != nil && !x.Class && !x.Field }) {
		// Lines between methods that a part with code of methods covers are mostly empty ones.
		rows = slices.DeleteFunc(rows, func(x *methods.Row) bool { return x == nil })
	}
	for _, row := range rows {
		h.row(f, r, row)
	}
}

// row records that a changed part lies in a method, in a class outside of its methods, or outside
// of classes (nil).
func (h *lineHolder) row(f *unified.File, r unified.Hunk, row *methods.Row) {
	d := Declaration{Kind: Lines, How: Changed, File: f.Path(), Line: r.Old.Start, Last: max(r.Old.Start, r.Old.Last())}
	switch {
	case r.Old.Lines == 0:
		d.How = Added
	case r.New.Lines == 0:
		d.How = Removed
	}
	switch {
	case row == nil && r.Old.Lines == 0 && r.Body == nil:
		h.out.ignore(f.Path(), "lines added after line %d, outside of classes", r.Old.Start)
		return
	case row == nil:
		d.Name = f.Path()
		h.out.unmodelled(d, "lines outside of classes"+h.blind)
	case row.Class:
		d.Name = row.Name
		h.out.unmodelled(d, "lines of the class outside of its methods"+h.blind)
	case row.Field:
		d.Kind, d.Name, d.How = Var, row.Name, Changed
		h.reached(d, r, "no method that a grain models uses this field or reaches one that does")
	default:
		d.Kind, d.Name, d.How = Method, row.Name, Changed
		if p := h.places.of(row.Name); p != nil {
			h.out.trail(Trail{Declaration: d, Path: []Step{}, Place: p})
			return
		}
		h.reached(d, r, "no grain models this method")
	}
}

// missing notes the places that are in no row of the table, in any version.
func (h *lineHolder) missing() []string {
	for _, name := range h.table.Known() {
		h.places.of(name)
	}
	return h.places.missing()
}

// reached follows a changed method or field that is not modelled itself along the calls of the
// table.
func (h *lineHolder) reached(d Declaration, r unified.Hunk, reason string) {
	rule := ruleOf(h.out.rules, d.File, d.Name)
	if rule != nil && rule.Policy != Report {
		h.out.unmodelled(d, reason)
	}
	g := h.table.Having(h.entry).Graph()
	switch {
	case rule != nil && (rule.Policy == Ignore || rule.Policy == Fail && g == nil):
		return
	case g == nil:
		h.out.unmodelled(d, reason+", and the table of methods has no calls"+h.blind)
		return
	}
	from := []string{d.Name}
	if d.Kind == Var {
		from = g.Users[d.Name]
	}
	paths := g.Follow(from, func(name string) bool { return h.places.of(name) != nil })
	for _, path := range paths {
		place := h.places.of(path[len(path)-1])
		if d.Kind != Var {
			path = path[1:] // without the method itself
		}
		steps := []Step{}
		for _, name := range path {
			m := g.Methods[name]
			steps = append(steps, Step{Name: name, File: m.File, Line: m.Line})
		}
		h.out.trail(Trail{Declaration: d, Path: steps, Place: place})
	}
	if len(paths) > 0 || rule != nil && rule.Policy == Fail {
		return
	}
	if why := h.apart(g, from, r); why != "" {
		h.out.unmodelled(d, reason+", no modelled one reaches it, and "+why+h.blind)
		return
	}
	h.out.ignore(d.File, "no modelled method reaches %s, and no modelled state or method is reached from it or from its callers", methods.Short(d.Name))
}

// apart says why a changed method, or the methods that use a changed field, may meet the model; ""
// where they cannot.
func (h *lineHolder) apart(g *methods.Graph, from []string, r unified.Hunk) string {
	switch {
	case len(from) == 0:
		return "the table has no use of it (the value of a constant is copied to where it is used)"
	case g.Methods[from[0]] == nil:
		return "the table does not have it in this version"
	}
	var modelled []string
	for _, p := range h.places.list {
		modelled = append(modelled, p.Name)
	}
	if why := g.Meets(from, modelled); why != "" {
		return why
	}
	return fresh(g, from, modelled, r)
}

// fresh says what the new lines of a changed part call or use that may be part of the model; "" for
// nothing.
func fresh(g *methods.Graph, from, modelled []string, r unified.Hunk) string {
	if r.New.Lines > 0 && len(r.Body) == 0 {
		return "the diff has no lines that say what it calls now"
	}
	known, state := map[string]bool{}, map[string]bool{}
	for _, name := range from {
		for _, c := range append(slices.Clone(g.Methods[name].Calls), g.Methods[name].Uses...) {
			known[methods.Last(c)] = true
		}
	}
	for f := range g.State(modelled) {
		state[methods.Last(f)] = true
	}
	var text strings.Builder
	for _, line := range r.Body {
		if line[0] == '+' {
			text.WriteString(line[1:] + "\n")
		}
	}
	tokens := lex("A.java", text.String(), inCode).tokens
	for k, t := range tokens {
		call := k+1 < len(tokens) && tokens[k+1].text == "("
		switch {
		case !word(t.text[0]) || known[t.text] || slices.Contains(plainCalls, t.text):
		case call:
			return "its new lines call " + t.text
		case state[t.text]:
			return "its new lines use " + t.text + ", a name of modelled state"
		}
	}
	return ""
}

// plainCalls are words before a parenthesis that call nothing which has state but a logger or their
// own arguments.
var plainCalls = []string{"if", "for", "while", "switch", "catch", "synchronized", "return", "trace", "debug", "info", "warn", "error", "isDebugEnabled", "isTraceEnabled",
	"toString", "equals", "hashCode", "format", "length", "size", "isEmpty"}

// pythonFile returns the methods and classes of a source of Python. Lines are those of the text.
func pythonFile(name, text string) *methods.File {
	f := &methods.File{Path: name, Lines: strings.Count(text, "\n") + 1}
	for _, b := range python.Blocks(text) {
		f.Rows = append(f.Rows, methods.Row{Class: b.Class, Name: b.Name, Span: unified.Span{Start: b.First, Lines: b.Last - b.First + 1}})
	}
	return f
}

// outside says why a file cannot be compared with a table.
func (h *lineHolder) outside(f *unified.File) string {
	switch {
	case len(h.python) > 0 && inPython(h.python, f.New):
		return "a new file, and no grain models what it declares"
	case len(h.python) > 0:
		return "the file belongs to none of the packages " + strings.Join(h.python, " ")
	}
	return fmt.Sprintf("the manifest says nothing of files such as *%s", path.Ext(f.Path()))
}
