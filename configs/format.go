package configs

import (
	"github.com/aymanbagabas/go-udiff"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Format returns a manifest, or a file of values, in the canonical layout. A
// file with syntax errors is returned as it is, with the errors.
func Format(filename string, src []byte) ([]byte, hcl.Diagnostics) {
	if len(src) > maxSize {
		return src, hcl.Diagnostics{CannotRead(hcl.Range{}, errTooLarge, unreadable(filename, errTooLarge))}
	}
	if d := unparsable(filename, src); d != nil {
		return src, hcl.Diagnostics{d}
	}
	if _, diags := hclsyntax.ParseConfig(src, filename, hcl.InitialPos); diags.HasErrors() {
		return src, WithCode(CodeSyntax, diags)
	}
	return hclwrite.Format(src), nil
}

// Diff returns the unified difference between two texts with three lines of
// context, or "" if they are equal.
func Diff(oldName, newName string, oldText, newText []byte) string {
	return udiff.Unified(oldName, newName, string(oldText), string(newText))
}
