package compose

import (
	"errors"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
)

// readCatalog reads the catalog from the package's code, or finds it in the cache. Where it loads
// the package, it fills the listing.
func readCatalog(s *gocmd.Source, listing *interaction.Listing) (*grains.Catalog, hcl.Diagnostics) {
	key, err := s.Key("catalog")
	if err != nil {
		return nil, hcl.Diagnostics{configs.CannotRead(s.At, err, err.Error()+".")}
	}
	return gocmd.Cached(s.Env, "catalogs", key, func() (*grains.Catalog, hcl.Diagnostics) {
		p, diags := loadProgram(s, nil, listing)
		if diags.HasErrors() {
			return nil, diags
		}
		cat, findings := p.Catalog()
		return cat, append(diags, diagnosticsOf(s, findings)...)
	})
}

// loadProgram loads the package for analysis, with the overlay.
func loadProgram(s *gocmd.Source, overlay map[string][]byte, listing *interaction.Listing) (*interaction.Program, hcl.Diagnostics) {
	p, findings, err := interaction.Load(interaction.Config{Dir: s.Dir, Package: s.Path, Overlay: overlay, Env: s.Environ, Listing: listing})
	diags := diagnosticsOf(s, findings)
	if err != nil {
		if d := gocmd.MachineFault(s.At, err); d != nil {
			return p, append(diags, d)
		}
		diags = append(diags, configs.Errorf(CodeNoPackage, "Source not found", s.At, "%v.", err))
	}
	return p, diags
}

// summaries are the kinds of problems that findings report, as a diagnostic's summary says them.
var summaries = map[interaction.Kind]string{
	interaction.NoToolchain:      "Go toolchain not found",
	interaction.NotFound:         "Source not found",
	interaction.NotCompiling:     "Specification does not compile",
	interaction.BadCatalog:       "Catalog cannot be read",
	interaction.BadAction:        "Action cannot be read",
	interaction.CannotAnalyse:    "Specification cannot be analysed",
	interaction.NotFlat:          "State not flat",
	interaction.Unsized:          "Integer without a size",
	interaction.Padded:           "Padding in State",
	interaction.KindNotFirst:     "Message without its kind first",
	interaction.RaisedMisplaced:  "Raised field misplaced",
	interaction.ParamNotPlain:    "Parameter not a plain value",
	interaction.CatalogAssigned:  "Catalog changed at run time",
	interaction.SharedSlice:      "Append to a shared slice",
	interaction.RangeOverFunc:    "Range over a function",
	interaction.FloatingPoint:    "Floating point in a step",
	interaction.NoVariable:       "Action not a package-level variable",
	interaction.NoName:           "Action name empty or computed",
	interaction.NameTaken:        "Action name used twice",
	interaction.Incomplete:       "Action incomplete",
	interaction.UnknownFunction:  "Function not found",
	interaction.ReaderWrites:     "Guard or property writes",
	interaction.WritesBefore:     "State before is written",
	interaction.VariableRead:     "Package variable read",
	interaction.VariableWritten:  "Package variable written",
	interaction.CaptureWritten:   "Captured variable written",
	interaction.Concurrency:      "Concurrency in a step",
	interaction.Unwinding:        "Unwinding in a step",
	interaction.MapUsed:          "Map in a step",
	interaction.Dispatch:         "Interface in a step",
	interaction.UnknownCall:      "Unknown function called",
	interaction.Foreign:          "Foreign code in a step",
	interaction.KindUnknown:      "Message kind not constant",
	interaction.Unrelated:        "Grain without relation",
	interaction.Unlisted:         "Action in no grain",
	interaction.LostUpdate:       "Interaction not preserved",
	interaction.LostForInvariant: "Invariant loses its variable",
	interaction.InventedUpdate:   "Interaction not preserved",
	interaction.WrongConstant:    "Interaction not preserved",
	interaction.StaleRead:        "Interaction not preserved",
	interaction.NoReceiver:       "Interaction not preserved",
	interaction.LostSource:       "Interaction not preserved",
	interaction.OtherElement:     "Interaction not preserved",
	interaction.LostReceive:      "Interaction not preserved",
	interaction.ForeignRead:      "Interaction not preserved",
	interaction.LostStep:         "Property of a replaced step",
	interaction.UndecidedUpdate:  "Update may be lost",
	interaction.HeadOfLine:       "Order of messages not preserved",
	interaction.FalseBehaviour:   "Behaviour is false",
	interaction.MissedBehaviour:  "Gap is not accepted",
	interaction.ChangedGap:       "Accepted gap has changed",
	interaction.Asymmetric:       "Nodes are not symmetric",
}

// diagnosticsOf returns findings as the manifest's user sees them: about the specification's
// source, with the manifest's source attribute related.
func diagnosticsOf(s *gocmd.Source, findings []interaction.Finding) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, f := range findings {
		if d := gocmd.MachineFault(s.At, errors.New(f.Message)); d != nil && f.Kind == interaction.NotFound {
			return hcl.Diagnostics{d} // the go command did not look
		}
		if f.Severity != interaction.Note {
			diags = append(diags, diagnosticOf(s, f))
		}
	}
	return diags
}

func diagnosticOf(s *gocmd.Source, f interaction.Finding) *hcl.Diagnostic {
	report := configs.Errorf
	if f.Severity == interaction.Warning {
		report = configs.Warnf
	}
	detail := f.Message + "."
	if f.Remedy != "" {
		detail += " " + upper(f.Remedy)
		if !strings.HasSuffix(f.Remedy, "}") { // a block of a manifest
			detail += "."
		}
	}
	at := s.At
	if f.File != "" {
		at = rangeOf(f.Place)
	}
	d := report(configs.Code(f.Code), summaries[f.Kind], at, "%s", detail)
	for _, r := range f.Related {
		configs.WithRelated(d, rangeOf(r.Place), "%s", r.Message)
	}
	return d
}

// rangeOf returns a place in Go source as a diagnostic's subject.
func rangeOf(p grains.Place) hcl.Range {
	pos := hcl.Pos{Line: p.Line, Column: p.Column}
	return hcl.Range{Filename: p.File, Start: pos, End: pos}
}

// upper is s with a capital first letter, where that is ASCII.
func upper(s string) string {
	if s != "" && 'a' <= s[0] && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}
