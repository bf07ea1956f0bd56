package compose

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

// comparisonVersion is the version of the code that compares compositions and finds bounds. Raise
// it if the same composition can have another result than before. All digests change with it, so
// all entries of lock files become stale.
const comparisonVersion = 1

// bagVersion is the same for systems that have a modules.Bag. Only their digests change with it.
// Version 2: a label has the message at a position, not the position.
const bagVersion = 2

// ComparisonDigest identifies a comparison of levels L1 and L2 on every machine. It covers the code
// of the specification, the choice of grains, the modules under test, options, and bounds. It does
// not cover comments, layout, accept blocks and the limits of a run.
func (c *Composition) ComparisonDigest() (string, hcl.Diagnostics) {
	if diags := c.checkCompared(); diags.HasErrors() {
		return "", diags
	}
	bounds := c.comparisonSettings()
	b, diags := c.within(bounds)
	if diags.HasErrors() {
		return "", diags
	}
	choice := b.Choice
	choice.Properties = nil // they are about infinite behaviours, which are not compared
	of := []any{comparisonVersion, b.Constants, choice, b.Targets(), c.unchanged(), len(bounds) > 0}
	if against := c.Against(); len(against) > 0 {
		of = append(of, against)
	}
	bags, err := c.source.Mentions("modules", "Bag")
	if err != nil {
		return "", hcl.Diagnostics{configs.CannotRead(c.source.At, err, err.Error()+".")}
	}
	if bags {
		of = append(of, bagVersion)
	}
	digest, err := c.source.Digest(of...)
	if err != nil {
		return "", hcl.Diagnostics{configs.CannotRead(c.source.At, err, err.Error()+".")}
	}
	return digest, nil
}
