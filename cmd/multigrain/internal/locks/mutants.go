package locks

import (
	"fmt"
	"math"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// Mutants is the result of level L3 in the entry of a manifest. The entry of the comparison can be
// written again without it, so it has a digest of its own.
type Mutants struct {
	// Digest identifies what was explored: see compose.Composition.MutantsDigest.
	Digest  string `hcl:"digest"`
	Bounds  string `hcl:"bounds,optional"`
	Seconds int    `hcl:"seconds,optional"` // of all explorations of mutants
	Seed    int    `hcl:"seed"`
	// The numbers are those of result.Mutants. Drawn is the sum of the others and of Lost and
	// False.
	Drawn     int `hcl:"drawn"`
	Kept      int `hcl:"kept"`
	Equal     int `hcl:"equal"`
	Undecided int `hcl:"undecided"`
	// Lost and False are names of mutants.
	Lost  []string `hcl:"lost,optional"`
	False []string `hcl:"false,optional"`
	// Reason says why the level is undecided.
	Reason string `hcl:"reason,optional"`
}

// MutantsOf returns a result as an entry has it.
func MutantsOf(digest string, m *result.Mutants) *Mutants {
	x := &Mutants{Digest: digest, Bounds: m.Bounds, Seconds: int(math.Ceil(m.Seconds[0] + m.Seconds[1])), Seed: int(m.Seed), Drawn: m.Drawn,
		Kept: m.Kept, Equal: m.Equal, Undecided: m.Undecided, Reason: m.Reason}
	for _, o := range m.List {
		switch o.Outcome {
		case result.MutantLost:
			x.Lost = append(x.Lost, o.Name)
		case result.MutantFalse:
			x.False = append(x.False, o.Name)
		}
	}
	return x
}

// Result returns the result for documents.
func (m *Mutants) Result() *result.LockedMutants {
	return &result.LockedMutants{Verdict: m.verdict(), Bounds: m.Bounds, Seed: m.Seed, Drawn: m.Drawn, Found: m.Kept + len(m.Lost), Kept: m.Kept,
		Equal: m.Equal, Undecided: m.Undecided, Lost: m.Lost, False: m.False, Reason: m.Reason}
}

// verdict returns the verdict of level L3.
func (m *Mutants) verdict() string {
	switch {
	case len(m.Lost)+len(m.False) > 0:
		return verdicts.Broken
	case m.Undecided > 0 || m.Kept == 0 || m.Reason != "":
		return verdicts.Undecided
	}
	return verdicts.Preserved
}

// damage says which numbers no run writes; "" if there are none.
func (m *Mutants) damage() string {
	if m == nil {
		return ""
	}
	if sum := m.Kept + len(m.Lost) + len(m.False) + m.Equal + m.Undecided; sum != m.Drawn || min(m.Kept, m.Equal, m.Undecided) < 0 {
		return fmt.Sprintf("has %d drawn mutants, and the outcomes of %d", m.Drawn, sum)
	}
	return ""
}

// Mutants returns the result of level L3 with a digest. Without one it returns that of the
// manifest, which is stale. It returns nil if there is none either.
func (f *File) Mutants(manifest, digest string) (m *Mutants, stale bool) {
	for k := range f.Entries {
		if x := f.Entries[k].Mutants; x != nil && x.Digest == digest {
			return x, false
		}
	}
	for k := range f.Entries {
		if e := &f.Entries[k]; e.Manifest == manifest && e.Mutants != nil {
			return e.Mutants, true
		}
	}
	return nil, false
}

// PutMutants replaces the result of level L3 in the entry of a manifest. It returns false if the
// manifest has no entry.
func PutMutants(path, manifest string, m *Mutants) (bool, hcl.Diagnostics) {
	f, diags := Read(path)
	if diags.HasErrors() {
		return false, diags
	}
	for k := range f.Entries {
		if f.Entries[k].Manifest == manifest {
			f.Entries[k].Mutants = m
			diags := f.Write(path)
			return !diags.HasErrors(), diags
		}
	}
	return false, nil
}

// keepMutants takes the result of level L3 over from the entry that e replaces.
func (f *File) keepMutants(e *Entry) {
	for k := range f.Entries {
		if x := &f.Entries[k]; x.Manifest == e.Manifest && e.Mutants == nil {
			e.Mutants = x.Mutants
		}
	}
}

// write adds the block to an entry.
func (m *Mutants) write(body *hclwrite.Body) {
	if m == nil {
		return
	}
	body.AppendNewline()
	b := body.AppendNewBlock("mutants", nil).Body()
	texts(b, "digest", m.Digest, "bounds", m.Bounds)
	number := func(name string, n int) { b.SetAttributeValue(name, cty.NumberIntVal(int64(n))) }
	if m.Seconds > 0 {
		number("seconds", m.Seconds)
	}
	number("seed", m.Seed)
	number("drawn", m.Drawn)
	number("kept", m.Kept)
	number("equal", m.Equal)
	number("undecided", m.Undecided)
	names := func(name string, list []string) {
		var all []cty.Value
		for _, n := range list {
			all = append(all, cty.StringVal(n))
		}
		if len(all) > 0 {
			b.SetAttributeValue(name, cty.TupleVal(all))
		}
	}
	names("lost", m.Lost)
	names("false", m.False)
	texts(b, "reason", m.Reason)
}
