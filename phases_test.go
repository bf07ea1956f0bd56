package multigrain_test

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// A phase is a group of a protocol's files. No file uses a name that a higher phase declares.
type phase struct {
	name string
	// names and patterns of path.Match, separated by spaces; a name counts before a pattern, and
	// else the first phase that matches
	files string
}

// phaseOrder lists the phases of each protocol, top first. Every file belongs to one. The baseline
// of a phase lies below its other grains.
var phaseOrder = map[string][]phase{
	"zab": {
		{"node", "node*.go"},
		{"catalog", "catalog.go doc.go"},
		{"node grains", "*_node.go *_node_*.go node_ends.go node_links.go"},
		{"grains of synchronization", "synchronization_*.go"},
		{"synchronization", "synchronization.go synchronization_leader.go synchronization_newleader.go"},
		{"properties", "invariants*.go liveness.go recorded.go"},
		{"grains of broadcast", "broadcast_*.go"},
		{"broadcast", "broadcast.go"},
		{"exceptions", "exceptions*.go"},
		{"grains of faults", "faults_*.go"},
		{"faults", "faults.go"},
		{"grains of election", "election_*.go"},
		{"election", "election.go election_begin.go election_invariants.go"},
		{"grains of discovery", "discovery_*.go"},
		{"discovery", "discovery.go discovery_rules.go discovery_invariants.go"},
		{"disk", "disk_*.go node_hooks.go"},
		{"state", "state.go messages.go notifications.go ghosts.go delivery.go numbers.go numbers_node.go places.go " +
			"sizes.go variants.go versions.go assertions.go disk.go earlier.go packets.go queues.go queues_model.go queues_node.go quorums.go node_forms.go"},
	},
	"raft": {
		{"node", "node*.go"},
		{"catalog", "catalog.go doc.go"},
		{"node grains", "*_node.go"},
		{"properties", "invariants.go"},
		{"grains of membership", "additions.go demotions.go"},
		{"membership", "membership.go"},
		{"network", "network.go"},
		{"grains of snapshot", "snapshot_*.go"},
		{"snapshot", "snapshot.go"},
		{"grains of client", "read*.go"},
		{"client", "client.go"},
		{"grains of replication", "replication_*.go storage.go"},
		{"replication", "replication.go"},
		{"grains of apply", "apply_*.go"},
		{"apply", "apply.go"},
		{"faults", "faults*.go"},
		{"grains of election", "election_*.go"},
		{"election", "election.go"},
		// the library's functions that several phases call, named as there
		{"library", "roles.go step.go campaign.go progress.go progress_earlier.go ready.go read_only.go read_only_contexts.go changes.go"},
		{"state", "state.go messages.go history.go log.go sizes.go bounds.go mistakes.go versions.go width_model.go width_node.go conf.go folded.go batches.go disk.go " +
			"reads.go panics.go node_forms.go streams.go"},
	},
}

// mostFloors is the number of floors that the files of a protocol may have.
var mostFloors = map[string]int{"zab": 14, "raft": 17}

// TestPhases counts the names that a phase uses although a higher one declares them. It prints each
// with its place, and the number of floors on which the files stand.
func TestPhases(t *testing.T) {
	t.Parallel()
	for _, dir := range slices.Sorted(maps.Keys(phaseOrder)) {
		for _, tags := range []string{"", "multigrain_runtime"} {
			t.Run(strings.TrimSpace(dir+" "+tags), func(t *testing.T) {
				t.Parallel()
				cfg := &packages.Config{Mode: packages.LoadSyntax, BuildFlags: []string{"-tags=" + tags}}
				pkgs, err := packages.Load(cfg, "./"+dir)
				if err != nil || len(pkgs) != 1 || len(pkgs[0].Errors) > 0 {
					t.Fatalf("%s cannot be read: %v, %v", dir, err, pkgs)
				}
				uses := usesOf(pkgs[0])
				climbing, unknown := climb(uses, phaseOrder[dir])
				for _, file := range unknown {
					t.Errorf("%s/%s belongs to no phase of the table phaseOrder in phases_test.go; add it there", dir, file)
				}
				for _, u := range climbing {
					t.Errorf("%s: phase %q uses %s of %q, which is above it (%s, declared in %s); "+
						"declare the name below, or make the use a rule (When, After) of the higher phase",
						u.at, u.from, u.name, u.to, u.use.file, u.declared)
				}
				n, up := floorsOf(uses, phaseOrder[dir])
				if n > mostFloors[dir] {
					t.Errorf("%s: the files have %d floors, and at most %d are allowed: move a function to the file that it is about, "+
						"such that a file uses fewer files in a row", dir, n, mostFloors[dir])
				}
				t.Logf("%s: %d names go up between phases; the files have %d floors, and %d arrows climb within phases", dir, len(climbing), n, up)
				names, unexported, methods := crossing(uses, phaseOrder[dir])
				t.Logf("%s: %d names cross phases, %d of them unexported, %d methods", dir, names, unexported, methods)
			})
		}
	}
}

// TestNodeFiles: what runs next to a live server is called node, in names of files, too.
func TestNodeFiles(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"zab", "raft"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if name := d.Name(); strings.Contains(name, "beside") || strings.Contains(name, "one_sided") || strings.HasPrefix(name, "runtime") {
				t.Errorf("%s: call it PHASE_node or node_*, as the glossary does", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A use is a name that one file uses and another one declares.
type use struct {
	file, declared string
	name           string
	at             token.Position
}

// usesOf returns the uses of names between the files of a package: of types, constants, variables,
// functions, methods and fields. Each name counts once for each file.
func usesOf(p *packages.Package) []use {
	place := func(pos token.Pos) (string, token.Position) {
		at := p.Fset.Position(pos)
		return filepath.Base(at.Filename), at
	}
	seen := map[string]use{}
	for id, obj := range p.TypesInfo.Uses {
		obj = origin(obj)
		if obj.Pkg() != p.Types || !isDeclaration(p.Types, obj) {
			continue
		}
		file, at := place(id.Pos())
		declared, _ := place(obj.Pos())
		if file == declared {
			continue
		}
		u := use{file, declared, qualified(obj), at}
		key := file + " " + declared + " " + u.name
		if old, ok := seen[key]; !ok || at.Offset < old.at.Offset {
			seen[key] = u
		}
	}
	return slices.SortedFunc(maps.Values(seen), func(a, b use) int {
		return cmp.Or(strings.Compare(a.file, b.file), a.at.Offset-b.at.Offset)
	})
}

// origin returns the declaration of a method or a field of a generic type.
func origin(obj types.Object) types.Object {
	switch o := obj.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return obj
}

// isDeclaration reports whether an object is one of the package, a method or a field.
func isDeclaration(p *types.Package, obj types.Object) bool {
	if v, ok := obj.(*types.Var); ok && v.IsField() {
		return true
	}
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		return true
	}
	return obj.Parent() == p.Scope()
}

func qualified(obj types.Object) string {
	f, ok := obj.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return obj.Name()
	}
	recv := types.TypeString(f.Signature().Recv().Type(), func(*types.Package) string { return "" })
	return strings.TrimPrefix(recv, "*") + "." + obj.Name()
}

// A climbingUse goes from a phase to a higher one.
type climbingUse struct {
	use
	from, to string
}

// climb returns the uses that go up, each name once for each phase that uses it, and the files that
// no phase has.
func climb(uses []use, order []phase) (up []climbingUse, unknown []string) {
	seen := map[string]bool{}
	missing := map[string]bool{}
	for _, u := range uses {
		from, to := phaseOf(u.file, order), phaseOf(u.declared, order)
		for file, k := range map[string]int{u.file: from, u.declared: to} {
			if k < 0 {
				missing[file] = true
			}
		}
		if from < 0 || to < 0 || to >= from || seen[fmt.Sprint(from, to, u.name)] {
			continue
		}
		seen[fmt.Sprint(from, to, u.name)] = true
		up = append(up, climbingUse{u, order[from].name, order[to].name})
	}
	return up, slices.Sorted(maps.Keys(missing))
}

// crossing counts the names that another phase uses than the one that declares them: what packages
// for phases would have to export, and the methods that would become functions.
func crossing(uses []use, order []phase) (names, unexported, methods int) {
	seen := map[string]bool{}
	for _, u := range uses {
		if phaseOf(u.file, order) == phaseOf(u.declared, order) || seen[u.declared+" "+u.name] {
			continue
		}
		seen[u.declared+" "+u.name] = true
		names++
		_, method, isMethod := strings.Cut(u.name, ".")
		if !isMethod {
			method = u.name
		}
		if !token.IsExported(method) {
			unexported++
		}
		if isMethod {
			methods++
		}
	}
	return names, unexported, methods
}

// phaseOf returns the index of a file's phase, or -1.
func phaseOf(file string, order []phase) int {
	matched := -1
	for k, p := range order {
		for pattern := range strings.FieldsSeq(p.files) {
			if pattern == file {
				return k
			}
			if ok, err := path.Match(pattern, file); err == nil && ok && matched < 0 {
				matched = k
			}
		}
	}
	return matched
}
