package change

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// goHolder finds what changed files of Go change.
type goHolder struct {
	repo     *repo
	patterns []string
	environ  []string // of the go command; nil: that of this process
	places   *Places
	out      *Analysis
	now      *program // the new side
	then     *program // the old side, loaded where something was removed
	changed  []goChange
}

// goChange is a changed file with both of its texts.
type goChange struct {
	file  *File
	texts texts
	diffs []difference
}

// files analyses the changed files.
func (h *goHolder) files(files []*File) error {
	for _, f := range files {
		if err := h.read(f); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(h.changed, func(c goChange) bool { return len(c.diffs) > 0 }) {
		return nil
	}
	var err error
	if h.now, err = loadGo(h.repo.dir, h.patterns, h.environ, h.overlay(false)); err != nil {
		return err
	}
	for _, f := range h.now.order {
		h.places.of(f.names...)
	}
	for _, c := range h.changed {
		for _, d := range c.diffs {
			if err := h.difference(c.file, d); err != nil {
				return err
			}
		}
	}
	h.out.Missing = h.places.missing()
	return nil
}

// read compares the two texts of a file.
func (h *goHolder) read(f *File) error {
	c := goChange{file: f, texts: h.repo.texts(f)}
	var err error
	switch {
	case c.texts == texts{} && slices.ContainsFunc(f.Hunks, func(x Hunk) bool { return x.Body != nil }):
		return fmt.Errorf("the diff does not fit %s, which should be as it is on one side of the change", f.Path())
	case c.texts == texts{} && f.Old != "" && f.New != "" && len(f.Hunks) > 0:
		c.texts.after = h.repo.read(f.New)
		if f.NewBlob == "" || !strings.HasPrefix(blobOf(c.texts.after), f.NewBlob) {
			h.out.doubt(fmt.Sprintf("nothing says that %s is as the change leaves it; the lines of the diff are assumed to be its lines", f.New))
		}
		c.diffs, err = touched(f, c.texts.after)
	case c.texts == texts{} && len(f.Hunks) == 0:
		h.out.unmodelled(Declaration{Name: f.Path(), Kind: Lines, How: howOf(f), File: f.Path()}, "the file cannot be read on either side of the change")
		return nil
	default:
		c.diffs, err = compareGo(f.Path(), c.texts)
	}
	if err != nil {
		return err
	}
	if len(c.diffs) == 0 {
		h.out.ignore(f.Path(), "only comments or layout")
	}
	h.changed = append(h.changed, c)
	return nil
}

// touched returns the declarations of the new text in which a diff without bodies has changed
// lines.
func touched(f *File, text string) (out []difference, err error) {
	g, err := parseGo(f.Path(), text)
	if err != nil {
		return nil, err
	}
	for _, d := range g.decls {
		for _, h := range f.Hunks {
			if h.New.Lines == 0 && h.New.Start >= d.first && h.New.Start < d.last || h.New.Lines > 0 && h.New.Start <= d.last && h.New.last() >= d.first {
				out = append(out, difference{d, Changed})
				break
			}
		}
	}
	return out, nil
}

// overlay returns the changed files' texts on one side, where the folder has others. A file that
// this side lacks has its package clause only.
func (h *goHolder) overlay(old bool) map[string][]byte {
	out := map[string][]byte{}
	for _, c := range h.changed {
		path, text, other := h.abs(c.file.Path()), c.texts.after, c.texts.before
		if old {
			text, other = other, text
		}
		if text == "" && other != "" {
			if g, err := parseGo(path, other); err == nil {
				text = "package " + g.pkg + "\n"
			}
		}
		if text != "" && text != h.repo.read(c.file.Path()) {
			out[path] = []byte(text)
		}
	}
	return out
}

func (h *goHolder) abs(path string) string {
	return filepath.Join(h.repo.dir, filepath.FromSlash(path))
}

// difference follows one changed declaration.
func (h *goHolder) difference(f *File, x difference) error {
	d := Declaration{Name: x.decl.name(), Kind: x.decl.kind, How: x.how, File: f.Path(), Line: x.decl.first, Last: x.decl.last}
	p := h.now
	if x.how == Removed {
		if h.then == nil {
			var err error
			if h.then, err = loadGo(h.repo.dir, h.patterns, h.environ, h.overlay(true)); err != nil {
				return err
			}
		}
		p = h.then
	}
	file := h.abs(f.Path())
	if x.how == Removed && f.Old != "" {
		file = h.abs(f.Old)
	}
	if !p.has(file) {
		h.out.unmodelled(d, "the file belongs to none of the loaded packages: "+strings.Join(h.patterns, " "))
		return nil
	}
	switch x.decl.kind {
	case Package:
		h.out.unmodelled(d, "the package clause or the build constraints of the file change")
		return nil
	case Import:
		if users := p.users(file, x.decl); x.how == Removed || len(users) > 0 {
			h.follow(p, d, users, "")
			return nil
		}
		h.out.unmodelled(d, "an import for what its package does when it is initialised")
		return nil
	case Function, Method:
		fn := p.find(file, x.decl)
		if fn == nil {
			h.out.unmodelled(d, "it is not a function that can be called")
			return nil
		}
		d.Name = fn.names[0]
		if place := h.places.of(fn.names...); place != nil {
			h.out.trail(Trail{Declaration: d, Path: []Step{}, Place: place})
			return nil
		}
		h.follow(p, d, fn.callers, "no function that a grain models reaches it by calls")
		return nil
	}
	h.follow(p, d, p.users(file, x.decl), "no function that a grain models uses it or reaches one that does")
	return nil
}

// follow goes up from the functions that call or use a declaration to modelled ones, breadth first,
// and not past these. Without one the declaration is not modelled, for that reason; "" says that
// this does not matter.
func (h *goHolder) follow(p *program, d Declaration, from []*function, reason string) {
	type node struct {
		fn   *function
		next *node // towards the declaration
	}
	var queue []*node
	seen := map[*function]bool{}
	for _, f := range from {
		if !seen[f] {
			seen[f] = true
			queue = append(queue, &node{f, nil})
		}
	}
	found := false
	for ; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if place := h.places.of(n.fn.names...); place != nil {
			var path []Step
			for x := n; x != nil; x = x.next {
				path = append(path, x.fn.step)
			}
			slices.Reverse(path)
			h.out.trail(Trail{Declaration: d, Path: path, Place: place})
			found = true
			continue
		}
		for _, c := range n.fn.callers {
			if !seen[c] {
				seen[c] = true
				queue = append(queue, &node{c, n})
			}
		}
	}
	if !found && reason != "" {
		h.out.unmodelled(d, reason)
	}
}
