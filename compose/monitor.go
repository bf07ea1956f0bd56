package compose

import (
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// runtimeTag is the build tag of the files that give a specification the widths and capacities of a
// running node.
const runtimeTag = "multigrain_runtime"

// Monitor is a program that checks a running node.
type Monitor struct {
	Path string
	// Footprints are those of the actions that the program needs.
	Footprints []modules.Footprint
	// Choice is the choice of the composition that runs next to a node.
	Choice json.RawMessage
	// Grains are the grains of that composition.
	Grains []grains.Ref
	// Substitutions lists how that composition differs from the manifest's.
	Substitutions []Substitution
	// Settings are the values of the composition's options by name.
	Settings map[string]string
}

// AssembleMonitor builds the program that checks a running node against the composition, in the
// form in which it runs next to a node, or finds it in the cache.
func (c *Composition) AssembleMonitor(ctx context.Context) (*Monitor, hcl.Diagnostics) {
	b, substitutions := c.Node()
	prints, diags := b.runtimeFootprints()
	if diags.HasErrors() {
		return nil, diags
	}
	plain, more := assemble.Read(b.source)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	zero := b.capacities(plain)
	tagged, err := b.taggedFiles()
	if err != nil {
		return nil, append(diags, b.source.Env.CacheError(err))
	}
	path, more := b.assembleMonitor(ctx, zero, tagged)
	return &Monitor{path, prints, b.EncodedChoice(), b.Choice.Grains, substitutions, b.settings()}, append(diags, more...)
}

// settings returns the values of the composition's options by name.
func (c *Composition) settings() map[string]string {
	out := map[string]string{}
	for _, o := range c.Catalog.Options {
		value := c.Constants[o.Const]
		if text, err := strconv.Unquote(value); err == nil {
			value = text
		}
		out[o.Name] = value
	}
	return out
}

// assembleMonitor builds the monitor's program with some capacities, or finds it in the cache.
func (c *Composition) assembleMonitor(ctx context.Context, zero, tagged map[string]string) (string, hcl.Diagnostics) {
	s := c.source
	key, err := s.Key("monitor", c.Constants, zero, tagged)
	if err != nil {
		return "", hcl.Diagnostics{s.Env.CacheError(err)}
	}
	return s.Env.Program(key, func(work string) (string, hcl.Diagnostics) { return c.buildMonitor(ctx, work, zero) })
}

// buildMonitor runs go build in work and returns the program there.
func (c *Composition) buildMonitor(ctx context.Context, work string, zero map[string]string) (string, hcl.Diagnostics) {
	p := assemble.Program{Capacities: zero}
	c.describe(&p)
	files, diags := p.MonitorFiles()
	if diags.HasErrors() {
		return "", diags
	}
	s := c.source
	built, more := s.Build(ctx, work, files, s.Tags(runtimeTag))
	if slices.ContainsFunc(more, func(d *hcl.Diagnostic) bool { return strings.Contains(d.Detail, "undefined: spec.Runtime") }) {
		more = hcl.Diagnostics{configs.Errorf(CodeRuntime, "Nothing declared for run time", c.Manifest.System.Source.Range,
			"Package %s has no variable Runtime, which says what a specification needs next to a running node: lanes, inputs, restarts.", s.Path)}
	}
	return built, append(diags, more...)
}

// taggedFiles returns the files of the package that only the runtime build has, with their
// contents.
func (c *Composition) taggedFiles() (map[string]string, error) {
	names, err := filepath.Glob(filepath.Join(c.source.Folder, "*.go"))
	if err != nil {
		return nil, err
	}
	known := c.source.Files()
	out := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || slices.Contains(known, name) {
			continue
		}
		b, err := host.ReadFile(name)
		if err != nil {
			return nil, err
		}
		out[filepath.Base(name)] = string(b)
	}
	return out, nil
}

// runtimeFootprints returns those of the composition's actions, and bare ones of the other actions
// of the package that Runtime may declare: a coarse grain's local ones are among them.
func (c *Composition) runtimeFootprints() ([]modules.Footprint, hcl.Diagnostics) {
	key, err := c.source.Key("runtime", c.Constants, c.Choice.Grains)
	if err != nil {
		return nil, hcl.Diagnostics{c.source.Env.CacheError(err)}
	}
	return gocmd.Cached(c.source.Env, "runtimes", key, func() ([]modules.Footprint, hcl.Diagnostics) {
		p, diags := c.load()
		if diags.HasErrors() {
			return nil, diags
		}
		choice := c.Choice
		choice.Invariants, choice.Constraints = nil, nil
		composed, findings := p.Footprints(choice)
		if diags = append(diags, diagnosticsOf(c.source, findings)...); diags.HasErrors() {
			return nil, diags
		}
		out := composed.Actions
		for _, a := range c.Catalog.Actions {
			if !slices.ContainsFunc(out, func(f modules.Footprint) bool { return f.Name == a.Name }) && c.mayDeclare(a.Name) {
				f, findings := p.BareFootprint(a.Name)
				if diags = append(diags, diagnosticsOf(c.source, findings)...); f != nil {
					out = append(out, *f)
				}
			}
		}
		return out, diags
	})
}

// mayDeclare reports whether Runtime may declare an action that the composition does not have. No
// grain of the catalog has the action, as a local effect, or a grain has it that others run as next
// to a node.
func (c *Composition) mayDeclare(action string) bool {
	local := true
	for k := range c.Catalog.Grains {
		if g := &c.Catalog.Grains[k]; slices.Contains(g.Actions, action) {
			if c.isForm(g) {
				return true
			}
			local = false
		}
	}
	return local
}

// isForm reports whether grains run as g next to a node.
func (c *Composition) isForm(g *grains.GrainDecl) bool {
	return slices.ContainsFunc(c.Catalog.Grains, func(of grains.GrainDecl) bool {
		return slices.ContainsFunc(of.Node.As, func(r grains.Ref) bool { return r.Grain == g.Name && slices.Contains(g.Covers, r.Module) })
	})
}

// DeclaredAt returns where the variable Runtime of the specification declares something about an
// action, as Lazy about NodeSendsOpening. That is the action in the list, or else the name of the
// field. DeclaredAt returns the zero range if the package has neither.
func (c *Composition) DeclaredAt(field, action string) (found hcl.Range) {
	for _, path := range c.source.Files() {
		text, err := host.ReadFile(path)
		if err != nil {
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Names) != 1 || spec.Names[0].Name != "Runtime" {
				return true
			}
			ast.Inspect(spec, func(n ast.Node) bool {
				pair, ok := n.(*ast.KeyValueExpr)
				if !ok {
					return true
				}
				if key, ok := pair.Key.(*ast.Ident); !ok || key.Name != field {
					return true
				}
				found = spanOf(files, pair.Key)
				ast.Inspect(pair.Value, func(n ast.Node) bool {
					if name, ok := n.(*ast.Ident); ok && name.Name == action {
						found = spanOf(files, name)
					}
					return true
				})
				return false
			})
			return false
		})
	}
	return found
}

// spanOf returns the range of a node of a file.
func spanOf(files *token.FileSet, n ast.Node) hcl.Range {
	from, to := files.Position(n.Pos()), files.Position(n.End())
	pos := func(p token.Position) hcl.Pos { return hcl.Pos{Line: p.Line, Column: p.Column, Byte: p.Offset} }
	return hcl.Range{Filename: from.Filename, Start: pos(from), End: pos(to)}
}
