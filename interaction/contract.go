package interaction

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	golint "golang.org/x/tools/go/analysis"

	"github.com/multigrain/multigrain/interaction/speclint"
)

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
		panic(err) // it returns none
	}
	return out
}

// kindWith returns the kind of findings that has a code of speclint. Each has one: a test holds that.
func kindWith(code string) Kind {
	for kind, c := range codes {
		if c == code {
			return kind
		}
	}
	return ""
}

// broken returns breaches of the contract with findings of the catalog or of a composition. It
// leaves out findings that the contract has with the same code, and what follows from a breach:
// what cannot be read or analysed because of it.
func (p *Program) broken(others []Finding) []Finding {
	contract := p.contract()
	if len(contract) == 0 {
		return others
	}
	out := slices.Clone(contract)
	for _, f := range others {
		same := slices.ContainsFunc(contract, func(x Finding) bool { return x.Code == f.Code })
		if !same && f.Kind != CannotAnalyse && !f.unread {
			out = append(out, f)
		}
	}
	return out
}
