package lsp

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// frame is an open block, or an open bracket of another kind.
type frame struct {
	kind   string // the type of a block; "" for brackets
	labels []string
	around statement // that in which it was opened
}

// statement is the part of the current statement that was read.
type statement struct {
	first  string   // the identifier at its start
	labels []string // those that are closed
	value  bool     // an equals sign follows the first identifier
}

// cursor says where in a manifest a position is.
type cursor struct {
	blocks []frame // the open blocks, the outermost first
	nested bool    // in brackets that are no block, after blocks
	statement
	quoted   bool
	word     string // around the position; "" between words
	from, to int    // bytes of the word
}

// path returns the types of the open blocks as the headings of the reference have them.
func (c *cursor) path() string {
	var kinds []string
	for _, f := range c.blocks {
		kinds = append(kinds, f.kind)
	}
	return strings.Join(kinds, " / ")
}

// block returns the innermost open block; the zero frame at the top.
func (c *cursor) block() frame {
	if len(c.blocks) == 0 {
		return frame{}
	}
	return c.blocks[len(c.blocks)-1]
}

// cursorAt returns where in a text a byte is. Text after the word at the position is not read.
func cursorAt(text string, offset int) cursor {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	around := func(chars string) (from, to int) {
		from, to = offset, offset
		for from > 0 && strings.IndexByte(chars, text[from-1]) >= 0 {
			from--
		}
		for to < len(text) && strings.IndexByte(chars, text[to]) >= 0 {
			to++
		}
		return from, to
	}
	from, to := around(letters + ".*") // names of invariants have dots
	c := scan(text[:from])
	if !c.quoted {
		from, to = around(letters)
		c = scan(text[:from])
	}
	c.from, c.to, c.word = from, to, text[from:to]
	return c
}

// scan returns the state after a text.
func scan(text string) (c cursor) {
	tokens, _ := hclsyntax.LexConfig([]byte(text), "", hcl.InitialPos)
	var open []frame
	var s statement
	quotes, label := 0, ""
	for _, t := range tokens {
		inBody := len(open) == 0 || open[len(open)-1].kind != ""
		switch t.Type {
		case hclsyntax.TokenNewline:
			if inBody {
				s, quotes = statement{}, 0
			}
		case hclsyntax.TokenIdent:
			if s.first == "" {
				s.first = string(t.Bytes)
			}
		case hclsyntax.TokenEqual:
			s.value = s.value || s.first != ""
		case hclsyntax.TokenOQuote:
			quotes, label = quotes+1, ""
		case hclsyntax.TokenQuotedLit:
			label = string(t.Bytes)
		case hclsyntax.TokenCQuote:
			if quotes = max(0, quotes-1); !s.value {
				s.labels = append(s.labels, label)
			}
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp:
			f := frame{around: s}
			if t.Type == hclsyntax.TokenOBrace && inBody && !s.value {
				f.kind, f.labels = s.first, s.labels
				s = statement{}
			}
			open = append(open, f)
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
			if len(open) > 0 {
				f := open[len(open)-1]
				open = open[:len(open)-1]
				if s = f.around; f.kind != "" {
					s = statement{}
				}
			}
		}
	}
	c.statement, c.quoted = s, quotes > 0
	for _, f := range open {
		if f.kind == "" {
			c.nested = true
			continue
		}
		c.blocks = append(c.blocks, f)
	}
	return c
}
