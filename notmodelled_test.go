package multigrain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// catalogs are the packages with a catalog. The doc.go of each has a list of the things that are
// not modelled. Package zab/published also lists the things that ZooKeeper does otherwise.
var catalogs = []string{
	"configs/examples/chain", "configs/examples/phases", "configs/examples/wraft", "raft", "raft/ccf", "raft/ccf/consistency", "raft/events", "raft/hashicorpraft", "raft/libraft", "raft/pysyncobj", "raft/raftos", "raft/ratis", "raft/reference",
	"zab", "zab/protocol", "zab/published", "zab/published/sandtable",
}

// bothTrue are words that a list of things not modelled shares with a name of the catalog, and why
// both are right.
var bothTrue = map[string]map[string]string{
	"configs/examples/chain":  {"client": "several of them", "master": "one that fails", "server": "one that is removed alive"},
	"configs/examples/phases": {"phas": "who starts one when"},
	"raft": {
		"elaps": "the name of the action that stands for a lease", "read": "by lease, with clocks that drift",
		"server": "slow storage of one", "snapshot": "over slow storage", "timeout": "how long it lasts",
	},
	"raft/ccf/consistency": {
		"other": "in the name of a module", "read": "those without the leader",
		"statu": "requests for one",
	},
	"raft/hashicorpraft": {"call": "those that fail, and pipelined ones"},
	"zab": {
		"broadcast": "names the grains with threads", "disk": "names the option", "epoch": "its first zxid",
		"fault": "the cause of a broken connection", "log": "purged ones", "leader": "how its threads are scheduled", "thread": "in grains of their own", "request": "those that reach a follower",
		"server": "ensembles of two", "snap": "a snapshot that changes while it is written", "snapshot": "while serving, but for one grain",
		"transaction": "during a snapshot", "zxid": "of an epoch's beginning, without option epoch_zxids",
	},
	"zab/protocol": {"election": "an oracle has its place", "restart": "a crash without one", "server": "one that does nothing more"},
}

// mustName are subjects that a list of things not modelled has to name. The system has a class or a
// role of its own for each, and no catalog has it.
var mustName = map[string][]string{
	"zab": {"Observers", "ObserverMaster", "ReadOnlyZooKeeperServer", "reconfiguration", "hierarchical", "oracle"},
}

// wordsOf returns the words of a text with four letters or more, in lower case, without plurals.
func wordsOf(text string) (out []string) {
	for _, w := range regexp.MustCompile(`[A-Za-z]{4,}`).FindAllString(text, -1) {
		w = strings.TrimSuffix(strings.ToLower(w), "s")
		out = append(out, strings.TrimSuffix(w, "e")) // "batches" and "batch" agree
	}
	return out
}

// notModelled returns the list of a package comment: the paragraphs after a heading, or the
// paragraph that begins with the words.
func notModelled(doc string) string {
	if _, text, ok := strings.Cut(doc, "# What is not modelled\n"); ok {
		text, _, _ = strings.Cut(text, "\n# ")
		text, _, _ = strings.Cut(text, "Deviation:")
		return text
	}
	_, text, _ := strings.Cut(doc, "Not modelled:")
	text, _, _ = strings.Cut(text, "\n\n")
	return text
}

// TestNotModelled compares the list of each package with the names that its catalog offers. A thing
// that a manifest can choose is modelled: the list is out of date, or bothTrue gives a reason.
func TestNotModelled(t *testing.T) {
	for _, pkg := range catalogs {
		dir := filepath.FromSlash(pkg)
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, "doc.go"), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		list := notModelled(f.Doc.Text())
		if len(strings.Fields(list)) < 5 {
			t.Errorf("%s/doc.go has no list of the things that are not modelled", pkg)
			continue
		}
		for _, subject := range mustName[pkg] {
			if !strings.Contains(list, subject) {
				t.Errorf("%s/doc.go does not say that %s is not modelled", pkg, subject)
			}
		}
		offered, used := offers(t, dir), map[string]bool{}
		for _, w := range wordsOf(list) {
			name, is := offered[w]
			switch {
			case !is:
			case bothTrue[pkg][w] != "":
				used[w] = true
			default:
				t.Errorf("%s/doc.go says that %q is not modelled, and the catalog has %q: correct the list, or give a reason in bothTrue", pkg, w, name)
			}
		}
		for _, w := range slices.Sorted(maps.Keys(bothTrue[pkg])) {
			if !used[w] {
				t.Errorf("%s: bothTrue has %q, which the list and the catalog no longer share", pkg, w)
			}
		}
	}
}

// offers returns the words in the names of modules, grains, bounds and options that the code of a
// package declares.
func offers(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || !declares(lit) {
				return true
			}
			for _, e := range lit.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				key, _ := kv.Key.(*ast.Ident)
				value, _ := kv.Value.(*ast.BasicLit)
				if key != nil && value != nil && key.Name == "Name" && value.Kind == token.STRING {
					for _, w := range wordsOf(value.Value) {
						out[w] = strings.Trim(value.Value, `"`)
					}
				}
			}
			return true
		})
	}
	return out
}

// declares reports whether a composite literal may be a module, bound or option. Such a one has a
// Name and a Doc, and nothing that only a grain, an action or a property has.
func declares(lit *ast.CompositeLit) bool {
	doc := false
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, _ := kv.Key.(*ast.Ident)
		switch {
		case key == nil:
		case key.Name == "Doc":
			doc = true
		case !slices.Contains([]string{"Name", "Environment", "Optional", "Min", "Max", "Default", "Const", "Values"}, key.Name):
			return false
		}
	}
	return doc
}
