package compose

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction"
	"github.com/multigrain/multigrain/modules"
)

// examination is the outcome of an analysis: the report, and the code that could not be analysed.
type examination struct {
	Report *interaction.Report   `json:"report"`
	Issues []interaction.Finding `json:"issues,omitempty"`
}

// Interaction examines which variables the composition's modules interact through and whether its
// coarse grains preserve the interactions with the modules under test. The level is L0, on the
// sources as they are assembled. Errors among the diagnostics are broken interactions, or code that
// cannot be analysed; the report is nil only if the sources cannot be loaded.
func (c *Composition) Interaction() (*interaction.Report, hcl.Diagnostics) {
	if c.examined == nil {
		e, diags := c.examine()
		if diags.HasErrors() {
			return nil, diags
		}
		c.examined = &e
	}
	diags := diagnosticsOf(c.source, c.examined.Issues)
	if c.examined.Report != nil {
		for _, f := range c.examined.Report.Findings {
			if f.Severity == interaction.Note {
				continue
			}
			d := diagnosticOf(c.source, f)
			module, _, _ := strings.Cut(f.Grain, "/")
			if m := c.Manifest.Module(module); m != nil {
				configs.WithRelated(d, m.Grain.Range, "the grain is chosen here")
			}
			diags = append(diags, d)
		}
	}
	return c.examined.Report, diags
}

// Rules returns what the code of the composition does that no specification may do, and what of it
// cannot be analysed. The codes are those of speclint, or MG206.
func (c *Composition) Rules() hcl.Diagnostics {
	if _, diags := c.Interaction(); c.examined == nil {
		return diags
	}
	return diagnosticsOf(c.source, c.examined.Issues)
}

func (c *Composition) examine() (examination, hcl.Diagnostics) {
	key, err := c.source.Key("interaction", c.Constants, c.Choice.Grains, c.Choice.Invariants, c.Choice.Except, c.Choice.Constraints, c.Targets())
	if err != nil {
		return examination{}, hcl.Diagnostics{c.source.Env.CacheError(err)}
	}
	return gocmd.Cached(c.source.Env, "interactions", key, func() (e examination, diags hcl.Diagnostics) {
		p, diags := c.load()
		if diags.HasErrors() {
			return e, diags
		}
		e.Report, e.Issues = p.Analyze(c.Choice, c.Targets())
		if len(c.sides) == 0 { // else the settings of both sides are in one package
			e.Issues = append(e.Issues, p.Unlike(c.Catalog)...)
		}
		c.Footprints() // while the code is loaded, for the cache
		return e, diags
	})
}

// capacities returns the constants that the composition does without, since nothing in it touches
// the fields whose capacity they are. There are none where the analysis is not complete.
func (c *Composition) capacities(r *assemble.Rewriting) map[string]string {
	rep, _ := c.Interaction()
	if rep == nil || rep.Verdict == interaction.Skipped {
		return nil
	}
	untouched := map[string]bool{}
	for _, f := range rep.Untouched {
		untouched[f] = true
	}
	zero := map[string]string{}
	for name, fields := range r.Shrinkable(c.Catalog.State, c.Constants) {
		all := true
		for _, f := range fields {
			all = all && untouched[f]
		}
		if all {
			zero[name] = "0"
		}
	}
	return zero
}

// Symmetry returns the data that symmetry of some roles needs, or of all roles of several nodes if
// no role is given. Errors among the diagnostics are code that tells nodes of a role apart, and
// roles that the catalog lacks; then there is nothing else.
func (c *Composition) Symmetry(roles []configs.Text) (*modules.Identities, hcl.Diagnostics) {
	rep, diags := c.Interaction()
	if rep == nil || rep.Symmetry == nil {
		if !diags.HasErrors() {
			diags = append(diags, configs.Errorf(CodeNoSystem, "Symmetry cannot be examined", hcl.Range{}, "The code of the composition cannot be analysed. Check it without symmetry."))
		}
		return nil, diags
	}
	var names []string
	for _, r := range roles {
		names = append(names, r.Value)
	}
	ids, findings, unknown := rep.Symmetry.Of(names)
	if unknown != "" {
		return nil, c.unknownRole(unknown, roles[slices.Index(names, unknown)].Range)
	}
	if diags = diagnosticsOf(c.source, findings); diags.HasErrors() {
		return nil, diags
	}
	return ids, nil
}

// unknownRole reports a name that is none of a role of several nodes.
func (c *Composition) unknownRole(name string, at hcl.Range) hcl.Diagnostics {
	var names []string
	for _, r := range c.examined.Report.Symmetry.Roles {
		names = append(names, r.Name)
	}
	return hcl.Diagnostics{configs.Errorf(CodeUnknownRole, "Unknown role", at,
		"The composition has no role %q of several nodes. Symmetry can be over these roles: %s.%s", name, strings.Join(names, ", "), configs.Hint(name, names))}
}

// Footprints returns those of the composition's actions, with their rules, and of the properties
// that see its states, without places in the code.
func (c *Composition) Footprints() (actions, seen []modules.Footprint, diags hcl.Diagnostics) {
	key, err := c.source.Key("footprints", c.Constants, c.Choice.Grains, c.Choice.Invariants, c.Choice.Except, c.Choice.Constraints)
	if err != nil {
		return nil, nil, hcl.Diagnostics{c.source.Env.CacheError(err)}
	}
	out, diags := gocmd.Cached(c.source.Env, "footprints", key, func() (f found, diags hcl.Diagnostics) {
		p, diags := c.load()
		if diags.HasErrors() {
			return f, diags
		}
		return c.footprintsIn(p, diags)
	})
	return out.Actions, out.Seen, diags
}

// found are the footprints of a composition without places in the code.
type found struct{ Actions, Seen []modules.Footprint }

// footprintsIn computes the footprints in what was loaded with the composition's constants.
func (c *Composition) footprintsIn(p *interaction.Program, diags hcl.Diagnostics) (f found, _ hcl.Diagnostics) {
	composed, findings := p.Footprints(c.Choice)
	if diags = append(diags, diagnosticsOf(c.source, findings)...); diags.HasErrors() {
		return f, diags
	}
	f.Actions = composed.Actions
	f.Seen = slices.Concat(composed.Invariants, composed.Constraints, composed.Goals)
	for _, list := range [][]modules.Footprint{f.Actions, f.Seen} {
		for k := range list {
			withoutPlaces(&list[k])
		}
	}
	return f, diags
}

// withoutPlaces takes places in the code out of a footprint: most of what it is, as text.
func withoutPlaces(f *modules.Footprint) {
	bare := func(list []modules.Access) {
		for k := range list {
			list[k].At, list[k].In = modules.Position{}, nil
		}
	}
	bare(f.Guard)
	for k := range f.Writes {
		w := &f.Writes[k]
		bare(w.Data)
		bare(w.Control)
		bare(w.Indices)
		w.At = nil
	}
}

// lastLoad is the specification as it was loaded last for analysis, with the constants that it
// had then. A run asks several questions about the same code: interactions, footprints, and the
// views of a comparison with its two compositions. The answers share footprints, which are what
// takes time.
type lastLoad struct {
	constants map[string]string
	sides     map[string][2]string
	program   *interaction.Program
	diags     hcl.Diagnostics
	listing   *interaction.Listing
}

// load loads the specification with the composition's constants, unless that was done last.
func (c *Composition) load() (*interaction.Program, hcl.Diagnostics) {
	l := c.loaded
	if l.program == nil || !maps.Equal(l.constants, c.Constants) || !maps.Equal(l.sides, c.sides) {
		files, diags := c.overlay()
		if diags.HasErrors() {
			return nil, diags
		}
		p, more := loadProgram(c.source, files, l.listing)
		*l = lastLoad{maps.Clone(c.Constants), c.sides, p, append(diags, more...), l.listing}
	}
	return l.program, l.diags
}

// forget frees what was loaded: an exploration may need the memory.
func (c *Composition) forget() { *c.loaded = lastLoad{} }
