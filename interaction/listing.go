package interaction

import (
	"go/parser"
	"go/token"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/multigrain/multigrain/checker/host"
)

// Listing keeps the go command's answer about a package, for loads of the same package one after
// the other. The answer has its files, its imports, and the files with the export data of its
// imports. A load asks the go command again if the overlay has a file that the package did not
// have. It also asks again if the overlay changes build constraints or imports, the part before the
// first other declaration. The zero value is ready to use. Files on disk must not change between
// the loads.
type Listing struct {
	dir, path string
	env       []string
	root      *packages.Package
	exports   map[string]string
	heads     map[string]string // of the files of all packages that are analysed
	overlay   map[string][]byte // of the load that filled the listing
}

// fits reports whether the listing is that of a load.
func (x *Listing) fits(cfg Config) bool {
	if x == nil || x.root == nil || x.dir != cfg.Dir || x.path != cfg.Package || !slices.Equal(x.env, cfg.Env) {
		return false
	}
	for file, text := range cfg.Overlay {
		if head, ok := x.heads[file]; !ok || head != headOf(text) {
			return false
		}
	}
	for file := range x.overlay {
		if _, ok := cfg.Overlay[file]; !ok {
			if text, err := host.ReadFile(file); err != nil || x.heads[file] != headOf(text) {
				return false
			}
		}
	}
	return true
}

// keep fills the listing from a load that succeeded.
func (x *Listing) keep(l *loader, root *packages.Package, exports map[string]string) {
	if x == nil {
		return
	}
	heads := map[string]string{}
	for _, s := range l.sources {
		for _, file := range s.files {
			text, err := l.read(file)
			if err != nil {
				return
			}
			heads[file] = headOf(text)
		}
	}
	*x = Listing{l.cfg.Dir, l.cfg.Package, l.cfg.Env, root, exports, heads, l.cfg.Overlay}
}

// headOf returns the text of a file up to the end of its imports.
func headOf(text []byte) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ImportsOnly|parser.SkipObjectResolution)
	if err != nil {
		return string(text)
	}
	end := f.Name.End()
	if n := len(f.Decls); n > 0 {
		end = f.Decls[n-1].End()
	}
	return string(text[:fset.File(f.Pos()).Offset(end)])
}
