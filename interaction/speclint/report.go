package speclint

import (
	"go/token"

	"golang.org/x/tools/go/analysis"
)

// span is a position without extent.
type span token.Pos

func (s span) Pos() token.Pos { return token.Pos(s) }
func (s span) End() token.Pos { return token.NoPos }

// at returns the second place of a finding.
func at(r analysis.Range, message string) []analysis.RelatedInformation {
	return []analysis.RelatedInformation{{Pos: r.Pos(), End: r.End(), Message: message}}
}
