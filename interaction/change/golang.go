package change

import (
	"fmt"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/internal/effects"
	"github.com/multigrain/multigrain/interaction/change/internal/unified"
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
	renamed  []renamedDecl
	// names are the folders and names of all declarations that differ, moved ones too.
	names map[string]bool
	// exchanged are the names that have another one after the change, by folder.
	exchanged map[string]map[string]string
	decides   deciders // functions that decide as before
	// before and after are both sides for effects.OnlyLogs, once they are loaded.
	before, after *effects.Program
}

// goChange is a changed file with both of its texts.
type goChange struct {
	file  *unified.File
	texts texts
	diffs []difference
	moves bool // declarations came from another file, or went to one, as they are
	names bool // declarations differ in names only
}

// files analyses the changed files.
func (h *goHolder) files(files []*unified.File) error {
	for _, f := range files {
		if err := h.read(f); err != nil {
			return err
		}
	}
	h.names = map[string]bool{}
	for _, c := range h.changed {
		for _, d := range c.diffs {
			h.names[path.Dir(c.file.Path())+" "+d.decl.name()] = true
		}
	}
	h.moves()
	h.renames()
	for _, c := range h.changed {
		switch {
		case len(c.diffs) == 0 && c.names:
			h.out.ignore(c.file.Path(), "only names, which change everywhere")
		case len(c.diffs) == 0 && c.moves:
			h.out.ignore(c.file.Path(), "only declarations that move to another file of the package")
		case len(c.diffs) == 0:
			h.out.ignore(c.file.Path(), "only comments or layout")
		}
	}
	if !slices.ContainsFunc(h.changed, func(c goChange) bool { return len(c.diffs) > 0 }) {
		return nil
	}
	var err error
	if h.now, err = loadGo(h.repo.dir, h.patterns, h.environ, h.overlay(false)); err != nil {
		return err
	}
	h.rename(h.now)
	h.exchanges(h.now)
	h.decides = h.deciding()
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
func (h *goHolder) read(f *unified.File) error {
	t := h.repo.texts(f)
	lines := Declaration{Name: f.Path(), Kind: Lines, How: howOf(f), File: f.Path()}
	renamed := f.Old != "" && f.New != "" && f.Old != f.New
	switch {
	case t != texts{}:
		if !renamed {
			err := h.compare(f, t)
			here := h.repo.read(f.Path())
			if err != nil || here == t.before || here == t.after || len(h.changed[len(h.changed)-1].diffs) == 0 {
				return err
			}
			h.out.doubt(fmt.Sprintf("the folder has %s of neither side of the change, so that callers are those of other code; check out the commit of the change", f.Path()))
			return nil
		}
		err := error(nil)
		if goSide(f.Old) {
			err = h.compare(&unified.File{Old: f.Old}, texts{before: t.before})
		}
		if goSide(f.New) && err == nil {
			err = h.compare(&unified.File{New: f.New}, texts{after: t.after})
		}
		return err
	case slices.ContainsFunc(f.Hunks, func(x unified.Hunk) bool { return x.Body != nil }):
		return fmt.Errorf("the diff does not fit %s, which should be as it is on one side of the change, and Git does not have the objects that the diff names: %s; check out the commit of the change", f.Path(), h.repo.misfit(f))
	case len(f.Hunks) > 0 && f.Old != "" && f.New != "" && !renamed:
		after := h.repo.read(f.New)
		if !unified.IsBlob(after, f.NewBlob) {
			h.out.doubt(fmt.Sprintf("nothing says that %s is as the change leaves it; the lines of the diff are assumed to be its lines", f.New))
		}
		diffs, err := touched(f, after)
		h.changed = append(h.changed, goChange{file: f, texts: texts{after: after}, diffs: diffs})
		return err
	}
	h.out.unmodelled(lines, "the file cannot be read on either side of the change: give the whole diff, or a repository with -repo and -base")
	return nil
}

// compare compares the texts of a file.
func (h *goHolder) compare(f *unified.File, t texts) error {
	c := goChange{file: f, texts: t}
	var err error
	c.diffs, err = compareGo(f.Path(), c.texts)
	h.changed = append(h.changed, c)
	return err
}

// touched returns the declarations of the new text in which a diff without bodies has changed
// lines.
func touched(f *unified.File, text string) (out []difference, err error) {
	g, err := parseGo(f.Path(), text)
	if err != nil {
		return nil, err
	}
	for _, d := range g.decls {
		for _, h := range f.Hunks {
			if h.New.Lines == 0 && h.New.Start >= d.first && h.New.Start < d.last || h.New.Lines > 0 && h.New.Start <= d.last && h.New.Last() >= d.first {
				out = append(out, difference{decl: d, how: Changed})
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
func (h *goHolder) difference(f *unified.File, x difference) error {
	d := Declaration{Name: x.decl.name(), Kind: x.decl.kind, How: x.how, File: f.Path(), Line: x.decl.first, Last: x.decl.last}
	p := h.now
	if x.decl.kind == Import && !x.decl.effective() {
		if x.how == Removed {
			return nil // what uses the name otherwise is found by the import that binds it then
		}
	}
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
	d.Followed = x.within || h.followed(p, file, x)
	switch x.decl.kind {
	case Package:
		h.out.unmodelled(d, "the package clause or the build constraints of the file change")
		return nil
	case Import:
		h.imported(p, d, file, x.decl)
		return nil
	case Function, Method:
		fn := p.find(file, x.decl)
		if fn == nil {
			h.out.unmodelled(d, "it is not a function that can be called")
			return nil
		}
		d.Name = fn.names[0]
		if h.decides[path.Dir(f.Path())+" "+x.decl.key()] {
			h.out.ignore(f.Path(), "%s decides as before: its conditions have the same operands in another form", d.Name)
			return nil
		}
		if x.how == Changed && h.onlyLogs(f.Path(), x.decl, d.Name) {
			h.out.ignore(f.Path(), "%s differs in what it logs alone", d.Name)
			return nil
		}
		if place := h.places.of(fn.names...); place != nil {
			h.out.trail(Trail{Declaration: d, Path: []Step{}, Place: place})
			return nil
		}
		// An adapter, which is not loaded here, may call what is exported and gone.
		gone := x.how == Removed && fn.obj.Exported()
		if len(fn.callers) == 0 && !gone && !p.mentioned[fn.obj] && ruleOf(h.out.rules, d.File, append(fn.names, d.Name)...) == nil && h.onlyReads(x.how, d.Name) {
			h.out.ignore(f.Path(), "%s is %s; it writes nothing that outlives a call, and nothing here calls it", d.Name, d.How)
			return nil
		}
		if x.how == Removed && h.uncalled(p, fn) {
			h.out.Uncalled = append(h.out.Uncalled, Uncalled{Name: d.Name, File: d.File, Method: d.Kind == Method})
		}
		h.reached(p, d, fn.callers, fn.unseen(p), "no function that a grain models reaches it by calls", fn.names...)
		return nil
	}
	if added := h.grown(file, x.decl); x.how == Changed && len(added) > 0 {
		if !slices.ContainsFunc(added, token.IsExported) {
			h.out.ignore(f.Path(), "%s has new fields, and the functions that use these are named themselves", d.Name)
			return nil
		}
		h.out.Grown = append(h.out.Grown, Grown{Name: d.Name, Type: h.now.typeName(file, x.decl), Fields: added})
	}
	h.reached(p, d, p.users(file, x.decl), p.unseenDecl(file, x.decl), "no function that a grain models uses it or reaches one that does")
	return nil
}

// imported follows an import that is there on one side only. A changed function that uses it is
// named itself. One that did not change uses the same name for something else.
func (h *goHolder) imported(p *program, d Declaration, file string, x *decl) {
	users := p.users(file, x)
	rest := slices.DeleteFunc(slices.Clone(users), func(f *function) bool {
		return h.names[path.Dir(f.step.File)+" "+f.names[len(f.names)-1]]
	})
	switch {
	case h.onlyLoggers(d.File):
		h.out.ignore(d.File, "packages that write logs or measure take the place of such ones, and nothing comes back from them")
	case x.effective() || len(users) == 0:
		h.out.unmodelled(d, "an import for what its package does when it is initialised, or for declarations outside of functions")
	case len(rest) > 0:
		h.reached(p, d, rest, "", "no function that a grain models uses it or reaches one that does")
	default:
		h.out.ignore(d.File, "the functions that use the import %s are named themselves", d.Name)
	}
}

// onlyLoggers reports whether a file has other imports of packages that write logs or measure, and
// no others.
func (h *goHolder) onlyLoggers(file string) bool {
	for _, c := range h.changed {
		for _, d := range c.diffs {
			if c.file.Path() == file && d.decl.kind == Import && (d.decl.effective() || !effects.LogsAlone(strings.Trim(d.decl.name(), "\"`"))) {
				return false
			}
		}
	}
	return true
}

// reached follows a declaration that is not modelled itself from those that call or use it. Unseen
// says why it may be reached where the graph shows no call; "" that it cannot be.
func (h *goHolder) reached(p *program, d Declaration, from []*function, unseen, reason string, names ...string) {
	r := ruleOf(h.out.rules, d.File, append(names, d.Name)...)
	if r != nil && r.Policy != Report {
		h.out.unmodelled(d, reason, names...)
	}
	switch found := (r == nil || r.Policy != Ignore) && h.follow(p, d, from); {
	case found || r != nil && r.Policy != Report:
	case unseen == "":
		if unseen = p.entered(from); unseen == "" {
			h.out.ignore(d.File, "nothing reaches %s %s: no modelled or exported function, and no initialisation", d.Kind, d.Name)
			return
		}
		fallthrough
	default:
		h.out.unmodelled(d, reason+", and "+unseen, names...)
	}
}

// follow goes up from the functions that call or use a declaration to modelled ones, breadth first,
// and not past these. It reports whether there is one.
func (h *goHolder) follow(p *program, d Declaration, from []*function) (found bool) {
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
	return found
}
