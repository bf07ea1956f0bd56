package compose

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
)

// comparisonVersion is the version of the code that compares compositions and finds bounds. Raise
// it if the same composition can have another result than before. All digests change with it, so
// all entries of lock files become stale.
const comparisonVersion = 1

// bagVersion is the same for systems that have a modules.Bag. Only their digests change with it.
// Version 2: a label has the message at a position, not the position.
const bagVersion = 2

// The names of parts of a ComparisonDigest that are no declarations.
const (
	// PartChoice is the part of what the manifest sets.
	PartChoice = "choice"
	// PartVersion is the part of the versions of the code that compares.
	PartVersion = "version"
)

// ComparisonDigest identifies a comparison of levels L1 and L2 on every machine. It covers what can
// matter to the result: see package interaction/internal/normal for the code of the specification.
// Liveness properties count where the manifest asks for them: see Endings. Names of grains, accept
// blocks and the limits of a run cannot.
func (c *Composition) ComparisonDigest() (*interaction.Digests, hcl.Diagnostics) {
	if diags := c.checkCompared(); diags.HasErrors() {
		return nil, diags
	}
	bounds := c.comparisonSettings()
	b, diags := c.within(bounds)
	if diags.HasErrors() {
		return nil, diags
	}
	key, err := c.source.Key("digest", b.Constants, b.Choice, b.Targets(), c.compared(), b.written(), len(bounds) > 0)
	if err != nil {
		return nil, hcl.Diagnostics{c.source.Env.CacheError(err)}
	}
	return gocmd.Cached(c.source.Env, "digests", key, func() (*interaction.Digests, hcl.Diagnostics) {
		return b.digests(c.compared(), len(bounds) == 0 && len(c.Manifest.Bounds) > 0)
	})
}

// digests computes the ComparisonDigest of a composition within the bounds of its comparison, or
// from which bounds are found.
func (c *Composition) digests(against []grains.Ref, found bool) (*interaction.Digests, hcl.Diagnostics) {
	q := interaction.Compared{Choice: c.Choice, Targets: c.Targets(), Against: against, Endings: c.Endings(), Set: slices.Collect(maps.Keys(c.Constants))}
	if found {
		for _, x := range c.Catalog.Bounds {
			if x.Const != "" {
				q.Open = append(q.Open, x.Const)
			}
		}
	}
	p, diags := c.load()
	if diags.HasErrors() {
		return nil, diags
	}
	fine := &Composition{Manifest: c.Manifest, Catalog: c.Catalog}
	fine.Choice.Grains = p.Fine(c.Choice, against)
	sides, diags := c.differing(fine)
	if diags.HasErrors() { // nothing can be compared, which is reported where that is asked for
		sides = nil
	}
	if len(sides) > 0 {
		varying := *c
		varying.sides = sides
		if p, diags = varying.load(); diags.HasErrors() {
			return nil, diags
		}
	}
	var err error
	if q.Whole, err = c.source.Whole(); err != nil {
		return nil, hcl.Diagnostics{configs.CannotRead(c.source.At, err, err.Error()+".")}
	}
	d, err := p.Digests(q)
	if err != nil { // nothing is known about what is reached, so everything is
		former, diags := c.FormerDigest()
		if diags.HasErrors() {
			return nil, diags
		}
		d = &interaction.Digests{Whole: former, Parts: map[string]string{"package " + c.source.Path: former[:8]}}
	}
	of := []any{comparisonVersion, d.Whole, sides, c.grown(found, d)}
	bags, err := c.source.Mentions("modules", "Bag")
	if err != nil {
		return nil, hcl.Diagnostics{configs.CannotRead(c.source.At, err, err.Error()+".")}
	}
	if bags {
		of = append(of, bagVersion)
	}
	d.Whole = digestOf(of...)[:32]
	d.Parts[PartChoice] = digestOf(c.Choice.Grains, q.Targets, against, c.written())[:8]
	d.Parts[PartVersion] = fmt.Sprintf("%d.%d", comparisonVersion, bagVersion)
	return d, nil
}

// digestOf returns 64 hexadecimal digits.
func digestOf(of ...any) string {
	text, err := json.Marshal(of)
	if err != nil {
		panic(err) // strings, numbers and lists of them
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// grown returns what decides how bounds grow, of those that the manifest sets, and of others that
// are constants of the code.
func (c *Composition) grown(found bool, d *interaction.Digests) (out [][]any) {
	for _, b := range c.Catalog.Bounds {
		s, set := c.Manifest.Bounds.Get(b.Name)
		if found && (set || slices.Contains(d.Constants, b.Const)) {
			n, _ := s.Int()
			out = append(out, []any{b.Name, b.Min, b.Max, b.Default, b.Const != "", set, n})
		}
	}
	return out
}

// written returns what the manifest sets, as it is written.
func (c *Composition) written() (out []string) {
	m := c.Manifest
	for _, list := range []configs.Settings{m.Bounds, m.Options} {
		for _, s := range list {
			out = append(out, s.Name+"="+text(s.Value))
		}
		out = append(out, "")
	}
	return slices.Concat(out, c.Choice.Invariants, []string{""}, c.Choice.Except, []string{""}, c.Choice.Constraints)
}

// FormerDigest returns the digest of earlier versions, which covers all code of the specification:
// entries with it are still about this composition.
func (c *Composition) FormerDigest() (string, hcl.Diagnostics) {
	bounds := c.comparisonSettings()
	b, diags := c.within(bounds)
	if diags.HasErrors() {
		return "", diags
	}
	choice := b.Choice
	choice.Properties = nil // earlier versions compared no liveness properties
	of := []any{1, b.Constants, choice, b.Targets(), c.unchanged(), len(bounds) > 0}
	if against := c.Against(); len(against) > 0 {
		of = append(of, against)
	}
	bags, err := c.source.Mentions("modules", "Bag")
	if err == nil && bags {
		of = append(of, 2)
	}
	var digest string
	if err == nil {
		digest, err = c.source.Digest(of...)
	}
	if err != nil {
		return "", hcl.Diagnostics{configs.CannotRead(c.source.At, err, err.Error()+".")}
	}
	return digest, nil
}
