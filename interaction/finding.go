package interaction

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	golint "golang.org/x/tools/go/analysis"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/footprint"
	"github.com/multigrain/multigrain/interaction/internal/merging"
	"github.com/multigrain/multigrain/interaction/speclint"
)

// Finding is something that the analysis has to say about a place of a specification.
type Finding struct {
	Code     string   `json:"code"` // MG2xx: stable, one meaning each
	Severity Severity `json:"severity"`
	Kind     Kind     `json:"kind"`
	Message  string   `json:"message"`          // what was found, in one sentence
	Remedy   string   `json:"remedy,omitempty"` // what to do about it, in one sentence
	Variable string   `json:"variable,omitempty"`
	Action   string   `json:"action,omitempty"`
	Grain    string   `json:"grain,omitempty"` // as module/grain
	grains.Place
	Related []Related `json:"related,omitempty"`

	unread bool // a value of the catalog is not known, which may follow from something else
}

// Related is a second place of a finding.
type Related struct {
	Message string `json:"message"`
	grains.Place
}

// Severity says whether a finding stops what was asked.
type Severity string

// The severities. A Note is an obligation that another level of checking has to meet.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Kind is the kind of mistake that a finding reports.
type Kind string

// Kinds of findings while loading and reading the catalog.
const (
	NoToolchain   Kind = "no-toolchain" // the go command cannot be run
	NotFound      Kind = "not-found"    // there is no such package
	NotCompiling  Kind = "does-not-compile"
	BadCatalog    Kind = "catalog"        // the catalog cannot be read, or contradicts itself
	BadAction     Kind = "action"         // an action, or its actor, does not exist
	CannotAnalyse Kind = "cannot-analyse" // code that the analysis cannot follow
	// a grain replaces others and does not say whether it coarsens or refines them
	Unrelated Kind = "unrelated"
	Unlisted  Kind = "unlisted" // an action stands in no grain
)

// Kinds of findings that speclint reports as well, with the same codes.
const (
	NotFlat         Kind = "not-flat"    // the State has a part that is not its bytes
	Unsized         Kind = "unsized"     // an integer of the State has the machine's size
	Padded          Kind = "padding"     // the State has bytes that belong to no field
	NoVariable      Kind = "no-variable" // an action is not a package-level variable
	NoName          Kind = "no-name"     // an action has no constant name
	NameTaken       Kind = "name-taken"  // two actions have one name
	Incomplete      Kind = "incomplete"  // an action has no Params or no Effect
	UnknownFunction Kind = "no-function" // a guard or effect is not one known function
	// a part of the catalog depends on whether slices share their elements
	SharedSlice     Kind = "shared-slice"
	ReaderWrites    Kind = Kind(footprint.ReaderWrites)
	WritesBefore    Kind = Kind(footprint.WritesBefore)
	VariableRead    Kind = Kind(footprint.VariableRead)
	VariableWritten Kind = Kind(footprint.VariableWritten)
	CaptureWritten  Kind = Kind(footprint.CaptureWritten)
	Concurrency     Kind = Kind(footprint.Concurrency)
	Unwinding       Kind = Kind(footprint.Unwinding)
	MapUsed         Kind = Kind(footprint.MapUsed)
	Dispatch        Kind = Kind(footprint.Dispatch)
	UnknownCall     Kind = Kind(footprint.UnknownCall)
	Foreign         Kind = Kind(footprint.Foreign)
	KindUnknown     Kind = Kind(footprint.KindUnknown)
)

// Kinds of findings of the static preservation check, L0.
const (
	LostUpdate Kind = "lost-update" // a kept variable is no longer updated
	// a kept variable that only a property reads is no longer updated
	LostForInvariant Kind = "lost-for-invariant"
	// a variable is updated that the finer grain does not update
	InventedUpdate Kind = "invented-update"
	// a value is assigned that the finer grain never assigns
	WrongConstant Kind = "wrong-constant"
	StaleRead     Kind = "stale-read" // a variable is read whose updates were dropped
	// messages of a kind are left that nobody takes out
	NoReceiver Kind = "no-receiver"
	// messages of a dropped kind may stand before kept ones
	HeadOfLine   Kind = "head-of-line"
	LostSource   Kind = "lost-source"   // a variable lost one of its sources
	OtherElement Kind = "other-element" // the finer grain updates another element
	LostReceive  Kind = "lost-receive"  // a kind of messages is no longer received
	LostStep     Kind = "lost-step"     // a property is about steps that the grain replaces
	ForeignRead  Kind = "foreign-read"  // a guard reads what the finer grain does not
	// some mergings of finer steps change what a property reads, and the coarse action does not
	UndecidedUpdate Kind = "undecided-update"
)

// Kinds of findings of levels L1 and L2.
const (
	// the coarse composition does what the fine one cannot
	FalseBehaviour Kind = "false-behaviour"
	// the fine composition does what the coarse one cannot: a gap
	MissedBehaviour Kind = "missed-behaviour"
	ChangedGap      Kind = "changed-gap" // a gap that the manifest accepts has another extent
)

// CodeOfKind returns the code of a kind of findings.
func CodeOfKind(k Kind) string { return codes[k] }

// codes gives each kind of finding its code. MG2xx is this package's range. A rule that another
// package reports as well has the code of that package: MG3xx of compose, MG4xx of speclint.
var codes = map[Kind]string{
	NoToolchain: "MG301", NotFound: "MG302", NotCompiling: "MG303", BadCatalog: "MG204", BadAction: "MG205",
	CannotAnalyse: "MG206", Unrelated: "MG221", Unlisted: "MG441",
	NotFlat: "MG401", Unsized: "MG402", Padded: "MG403", NoVariable: "MG411", NoName: "MG412", NameTaken: "MG413",
	Incomplete: "MG414", UnknownFunction: "MG416", ReaderWrites: "MG421", WritesBefore: "MG422",
	VariableRead: "MG423", VariableWritten: "MG424", CaptureWritten: "MG425", Concurrency: "MG431", Unwinding: "MG432", MapUsed: "MG433",
	Dispatch: "MG436", UnknownCall: "MG437", Foreign: "MG438", KindUnknown: "MG439",
	LostUpdate: "MG210", LostForInvariant: "MG211", InventedUpdate: "MG212", WrongConstant: "MG213", StaleRead: "MG214",
	LostSource: "MG230", OtherElement: "MG231", LostReceive: "MG232", ForeignRead: "MG233", LostStep: "MG240",
	UndecidedUpdate: "MG243",
	KindNotFirst:    "MG404", RaisedMisplaced: "MG405", ParamNotPlain: "MG406", CatalogAssigned: "MG415", SharedSlice: "MG417",
	RangeOverFunc: "MG434", FloatingPoint: "MG435",
	NoReceiver: "MG215", HeadOfLine: "MG216", FalseBehaviour: "MG218", MissedBehaviour: "MG219", ChangedGap: "MG234",
}

// Error renders the finding in one line, for callers that only have errors.
func (f Finding) Error() string {
	s := f.Message
	if f.File != "" {
		s = fmt.Sprintf("%s:%d: %s", f.File, f.Line, s)
	}
	if f.Remedy != "" {
		s += ": " + f.Remedy
	}
	return s
}

// finding returns an error of the kind.
func finding(kind Kind, at grains.Place, format string, args ...any) Finding {
	return Finding{Code: codes[kind], Severity: Error, Kind: kind, Message: fmt.Sprintf(format, args...), Place: at}
}

func (f Finding) remedy(format string, args ...any) Finding {
	f.Remedy = fmt.Sprintf(format, args...)
	return f
}

// maxRelated bounds the second places of a finding: more tell nothing more.
const maxRelated = 8

// related adds a second place, once.
func (f Finding) related(at grains.Place, format string, args ...any) Finding {
	for _, r := range f.Related {
		if r.Place == at {
			return f
		}
	}
	if at.File != "" && len(f.Related) < maxRelated {
		f.Related = append(f.Related[:len(f.Related):len(f.Related)], Related{fmt.Sprintf(format, args...), at})
	}
	return f
}

// elsewhere is related, of a place that is not that of the finding.
func (f Finding) elsewhere(at grains.Place, format string, args ...any) Finding {
	if at == f.Place {
		return f
	}
	return f.related(at, format, args...)
}

// HasErrors reports whether one of the findings is an error.
func HasErrors(fs []Finding) bool {
	for _, f := range fs {
		if f.Severity == Error {
			return true
		}
	}
	return false
}

func placeOf(p token.Position) grains.Place {
	return grains.Place{File: p.Filename, Line: p.Line, Column: p.Column}
}

// suspect returns the place of the coarse action that lost what some finer steps do, or else that
// of the coarse grain.
func (c *checker) suspect(does func(a *merging.Step) bool) (grains.Place, string) {
	p := c.program()
	p.Compare()
	if b := p.Suspect(does); b != nil {
		for _, pr := range c.unit.actions {
			if pr.name == b.Name {
				return pr.at, pr.name
			}
		}
	}
	return c.where()
}

// oneForEachFault makes one error of those with one cause. One fault of a coarse action shows in
// many variables: all errors about one action are one, which names the others as related. A
// function that several actions call shows in all of them: then kind and variable are the same.
func (c *checker) oneForEachFault(all []Finding) (out []Finding) {
	for _, f := range all {
		k := -1
		if f.Severity == Error {
			k = slices.IndexFunc(out, func(o Finding) bool {
				same := c.own(f) && o.Action == f.Action || o.Kind == f.Kind && o.Variable == f.Variable
				return o.Severity == Error && same
			})
		}
		if k < 0 {
			out = append(out, f)
			continue
		}
		out[k] = out[k].related(f.Place, "%s", f.Message)
	}
	return out
}

// Kinds of findings of rules that package speclint alone judges: about declarations of the whole
// package, and about code that the footprints of a composition do not show.
const (
	KindNotFirst Kind = "kind-not-first" // a message does not begin with its kind
	// a Raised field is not the only one, or not in the State
	RaisedMisplaced Kind = "raised-misplaced"
	ParamNotPlain   Kind = "param-not-plain"  // a parameter has pointers or the like
	CatalogAssigned Kind = "catalog-assigned" // an action or a part of the catalog is assigned
	RangeOverFunc   Kind = "range-over-func"  // a step ranges over a function
	FloatingPoint   Kind = "floating-point"   // a step computes with floating point
)

func (p *Program) place(pos token.Pos) (at grains.Place) {
	if pos.IsValid() {
		at = placeOf(p.fset.Position(pos))
	}
	return at
}

// contract returns what package speclint reports about the package and those that it imports, and
// computes it once. So what speclint refuses is refused wherever a catalog is read, with the same
// code and at the same place.
func (p *Program) contract() []Finding {
	if p.judged {
		return p.breaches
	}
	p.judged = true
	facts := map[types.Object][]golint.Fact{}
	for _, s := range p.sources { // imports first
		p.breaches = append(p.breaches, p.judge(s, facts)...)
	}
	slices.SortStableFunc(p.breaches, func(a, b Finding) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		return a.Line - b.Line
	})
	return p.breaches
}

// judge runs speclint on one package, and adds to the facts about functions.
func (p *Program) judge(s *source, facts map[types.Object][]golint.Fact) (out []Finding) {
	pass := &golint.Pass{
		Analyzer: speclint.Analyzer, Fset: p.fset, Files: s.syntax, Pkg: s.types, TypesInfo: s.info,
		TypesSizes: s.sizes, Module: &golint.Module{Path: s.module},
		Report: func(d golint.Diagnostic) {
			text, remedy, _ := strings.Cut(strings.TrimPrefix(d.Message, d.Category+": "), "; ")
			f := finding(kindWith(d.Category), p.place(d.Pos), "%s", text).remedy("%s", remedy)
			for _, r := range d.Related {
				f = f.related(p.place(r.Pos), "%s", r.Message)
			}
			out = append(out, f)
		},
		ExportObjectFact: func(o types.Object, fact golint.Fact) { facts[o] = append(facts[o], fact) },
		ImportObjectFact: func(o types.Object, fact golint.Fact) bool {
			for _, have := range facts[o] {
				if reflect.TypeOf(have) == reflect.TypeOf(fact) {
					reflect.ValueOf(fact).Elem().Set(reflect.ValueOf(have).Elem())
					return true
				}
			}
			return false
		},
	}
	if _, err := speclint.Analyzer.Run(pass); err != nil {
		panic(err) // it returns no error
	}
	return out
}

// kindWith returns the kind of findings that has a code of speclint. Each code has one.
func kindWith(code string) Kind {
	for kind, c := range codes {
		if c == code {
			return kind
		}
	}
	return ""
}

// broken returns breaches of the contract with findings of the catalog. It leaves out findings that
// the contract has with the same code, and values that cannot be read, perhaps because of a breach.
func (p *Program) broken(others []Finding) []Finding {
	contract := p.contract()
	if len(contract) == 0 {
		return others
	}
	out := slices.Clone(contract)
	for _, f := range others {
		same := slices.ContainsFunc(contract, func(x Finding) bool { return x.Code == f.Code })
		if !same && !f.unread {
			out = append(out, f)
		}
	}
	return out
}
