package multigrain_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"golang.org/x/tools/go/packages"

	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/raft"
	"github.com/multigrain/multigrain/zab"
)

var updateGrains = flag.Bool("grains", false, "write "+grainsFile)

const grainsFile = "docs/reference/grains.md"

const grainsIntroduction = `# Grains of zab and raft

The multi-grained specifications on one page. ` + "`go test . -run TestGrains -grains`" + ` writes it from
the catalogs and the shipped manifests; do not edit.

A grain with an option in its name is a switch: a manifest gets it by that name and the option.

*Actions* are those of the grain, *own* those that its base lacks. *Lines* is the effort of the
grain over its base. It counts the code of its own actions, and of the functions that only they
reach. Comments, empty lines and rules do not count. *Variables* are the fields of the State that
the code of all its actions mentions. *Manifests* counts shipped manifests that choose the grain.
`

// TestGrains compares the map of grains with the catalogs.
//
//	go test . -run TestGrains -grains    writes it
func TestGrains(t *testing.T) {
	chosen := chosenGrains(t)
	want := grainsIntroduction + grainsOf(t, "zab", &zab.System, chosen) + grainsOf(t, "raft", &raft.System, chosen)
	if *updateGrains {
		if err := os.WriteFile(grainsFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(grainsFile); err != nil || string(have) != want {
		t.Errorf("%s is not what the catalogs say: run go test . -run TestGrains -grains (%v)", grainsFile, err)
	}
}

// chosenGrains counts the shipped manifests that choose a grain, by "SYSTEM module/grain".
func chosenGrains(t *testing.T) map[string]int {
	t.Helper()
	count := map[string]int{}
	for _, path := range shippedManifests(t) {
		m, diags := configs.Load(path, configs.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		names := map[string]string{}
		for _, b := range m.Modules {
			names[b.Name] = b.Grain.Value
		}
		if m.System.Node.Value {
			for _, g := range zab.System.Grains {
				if g.Name == configs.NodeGrain && names[g.Covers[0]] == "" {
					names[g.Covers[0]] = g.Name
				}
			}
		}
		for module, grain := range names {
			count[m.System.Name+" "+module+"/"+switched(module, grain, m.Options)]++
		}
	}
	return count
}

// switched returns the grain of zab that a manifest gets by a name and its options.
func switched(module, grain string, options configs.Settings) string {
	for _, g := range zab.System.Grains {
		s, ok := options.Get(g.Picked.Option)
		if !ok || g.Covers[0] != module || g.Picked.Grain != grain {
			continue
		}
		if v := s.Value; v.Type() == cty.Bool && v.True() || v.Type() == cty.String && v.AsString() == g.Picked.Value {
			return g.Name
		}
	}
	return grain
}

// grainsOf returns the table of one system.
func grainsOf[S any](t *testing.T, dir string, s *grains.System[S], chosen map[string]int) string {
	t.Helper()
	code := readCode(t, dir)
	var out strings.Builder
	fmt.Fprintf(&out, "\n## %s\n\n| module | grain | is | actions | own | lines | variables | manifests |\n|---|---|---|---|---|---|---|---|\n", dir)
	for _, m := range s.Modules {
		for k := range s.Grains {
			g := &s.Grains[k]
			if g.Covers[0] != m.Name {
				continue
			}
			base, is := map[string]bool{}, "the baseline"
			for _, ref := range g.From {
				for x := range s.Grains {
					if b := &s.Grains[x]; b.Covers[0] == ref.Module && b.Name == ref.Grain {
						for _, a := range b.Actions {
							base[modules.NameOf(a)] = true
						}
					}
				}
				is = map[bool]string{true: "coarser than ", false: "finer than "}[g.Coarsens] + "`" + ref.Grain + "`"
			}
			if len(g.Covers) > 1 {
				is += ", covers " + strings.Join(g.Covers[1:], ", ")
			}
			var all, own, common []string
			for _, a := range g.Actions {
				name := modules.NameOf(a)
				all = append(all, name)
				if base[name] {
					common = append(common, name)
				} else {
					own = append(own, name)
				}
			}
			for name := range base {
				common = append(common, name)
			}
			fmt.Fprintf(&out, "| %s | `%s` | %s | %d | %d | %d | %d | %d |\n", m.Name, g.Name, is, len(all), len(own),
				code.lines(own, common), code.variables(all), chosen[s.Name+" "+m.Name+"/"+g.Name])
		}
	}
	return out.String()
}

// A code knows the declarations of a package, and what each mentions.
type code struct {
	declared map[types.Object]ast.Node
	mentions map[types.Object]map[types.Object]bool
	fields   map[types.Object]bool   // of State
	byName   map[string]types.Object // the package's variables, as actions are
	set      *token.FileSet
}

func readCode(t *testing.T, dir string) *code {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, "./"+dir)
	if err != nil || len(pkgs) != 1 || len(pkgs[0].Errors) > 0 {
		t.Fatalf("%s cannot be read: %v, %v", dir, err, pkgs)
	}
	p := pkgs[0]
	c := &code{map[types.Object]ast.Node{}, map[types.Object]map[types.Object]bool{}, map[types.Object]bool{}, map[string]types.Object{}, p.Fset}
	state := p.Types.Scope().Lookup("State").Type().Underlying().(*types.Struct)
	for k := range state.NumFields() {
		c.fields[state.Field(k)] = true
	}
	add := func(name *ast.Ident, node ast.Node) {
		obj := p.TypesInfo.Defs[name]
		c.declared[obj] = node
		c.mentions[obj] = map[types.Object]bool{}
		ast.Inspect(node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && p.TypesInfo.Uses[id] != nil {
				c.mentions[obj][origin(p.TypesInfo.Uses[id])] = true
			}
			return true
		})
	}
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				add(d.Name, d)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR && len(v.Names) == 1 {
						add(v.Names[0], v)
						c.byName[v.Names[0].Name] = p.TypesInfo.Defs[v.Names[0]]
					}
				}
			}
		}
	}
	return c
}

// reached returns the declarations that actions mention, directly or through others.
func (c *code) reached(actions []string) map[types.Object]bool {
	seen := map[types.Object]bool{}
	var next []types.Object
	for _, name := range actions {
		next = append(next, c.byName[name])
	}
	for ; len(next) > 0; next = next[1:] {
		if o := next[0]; o != nil && !seen[o] {
			seen[o] = true
			for m := range c.mentions[o] {
				next = append(next, m)
			}
		}
	}
	return seen
}

// lines counts the lines of what actions reach and others do not, without comments and empty ones.
func (c *code) lines(actions, others []string) int {
	have := c.reached(others)
	total := 0
	for o := range c.reached(actions) {
		if node := c.declared[o]; node != nil && !have[o] {
			numbers := map[int]bool{}
			ast.Inspect(node, func(n ast.Node) bool {
				if _, comment := n.(*ast.CommentGroup); n == nil || comment {
					return false
				}
				numbers[c.set.Position(n.Pos()).Line] = true
				numbers[c.set.Position(n.End()-1).Line] = true
				return true
			})
			total += len(numbers)
		}
	}
	return total
}

// variables counts the fields of the State that actions mention.
func (c *code) variables(actions []string) (n int) {
	for o := range c.reached(actions) {
		if c.fields[o] {
			n++
		}
	}
	return n
}

// TestGrainsAreUsed: a grain that no shipped manifest chooses is in this list, with the reason why
// it stays.
func TestGrainsAreUsed(t *testing.T) {
	stays := map[string]string{
		"zab broadcast/follower-threads apply_before_log=true": "TestRecord walks it; it alone has a memory that is ahead of its log: TestApartAppliesBeforeLog, ZOOKEEPER-4882",
	}
	chosen := chosenGrains(t)
	unused := []string{}
	for _, g := range zab.System.Grains {
		unused = append(unused, "zab "+g.Covers[0]+"/"+g.Name)
	}
	for _, g := range raft.System.Grains {
		unused = append(unused, "raft "+g.Covers[0]+"/"+g.Name)
	}
	unused = slices.DeleteFunc(unused, func(name string) bool { return chosen[name] > 0 })
	for _, name := range unused {
		if stays[name] == "" {
			t.Errorf("no shipped manifest chooses grain %s: take it out, or say in TestGrainsAreUsed why it stays", name)
		}
	}
	for name := range stays {
		if !slices.Contains(unused, name) {
			t.Errorf("a shipped manifest chooses grain %s: take it out of the list in TestGrainsAreUsed", name)
		}
	}
}
