package compose

import (
	"maps"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/interaction"
)

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
