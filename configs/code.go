package configs

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs/internal/diagnostic"
)

// Code identifies one kind of mistake. A code is never given a second meaning,
// so that scripts and searches can rely on it. The ranges are shared out over
// the packages that report:
//
//	MG0xx  manifests: reading, syntax, values (this package)
//	MG1xx  names and numbers held against the catalog (compose)
//	MG2xx  interaction preservation
//	MG3xx  assembling and building
//	MG4xx  rules for specifications (speclint)
//	MG5xx  the command: flags, files, results
type Code = diagnostic.Code

// The codes of this package.
const (
	// CodeUnreadable: a manifest or a file of values cannot be read.
	CodeUnreadable Code = "MG001"
	// CodeNotUTF8: a file contains bytes that are not UTF-8.
	CodeNotUTF8 Code = "MG002"
	// CodeSyntax: a file is not HCL.
	CodeSyntax Code = "MG003"
	// CodeUnknownBlock: a block of this type has no place here.
	CodeUnknownBlock Code = "MG004"
	// CodeUnknownAttribute: an attribute of this name has no place here.
	CodeUnknownAttribute Code = "MG005"
	// CodeMissingAttribute: a block lacks an attribute that it must have.
	CodeMissingAttribute Code = "MG006"
	// CodeMissingBlock: the manifest lacks a block that it must have.
	CodeMissingBlock Code = "MG007"
	// CodeDuplicate: something that must occur once occurs twice.
	CodeDuplicate Code = "MG008"
	// CodeLabel: a block has too few, too many or malformed labels.
	CodeLabel Code = "MG009"
	// CodeExtends: the value of extends is not a plain text.
	CodeExtends Code = "MG010"
	// CodeExtendsCycle: a manifest extends itself, perhaps through others.
	CodeExtendsCycle Code = "MG011"
	// CodeEvaluation: an expression cannot be evaluated.
	CodeEvaluation Code = "MG013"
	// CodeUnknownReference: an expression refers to something not declared.
	CodeUnknownReference Code = "MG014"
	// CodeLocalCycle: a local value depends on itself.
	CodeLocalCycle Code = "MG015"
	// CodeWrongType: a value has another type than the one required.
	CodeWrongType Code = "MG016"
	// CodeBadValue: a value has the right type and is not one of those allowed.
	CodeBadValue Code = "MG017"
	// CodeBadNumber: a number is not whole, or out of range.
	CodeBadNumber Code = "MG018"
	// CodeVariableType: the type of a variable is not a type.
	CodeVariableType Code = "MG020"
	// CodeUndeclaredVariable: a value is given to a variable that no manifest
	// declares.
	CodeUndeclaredVariable Code = "MG021"
	// CodeVariableValue: a value given to a variable does not parse, or is not
	// of the variable's type.
	CodeVariableValue Code = "MG022"
	// CodeMissingVariable: a variable has no default and was given no value.
	CodeMissingVariable Code = "MG023"
	// CodeInvalidVariable: the value of a variable fails a validation rule.
	CodeInvalidVariable Code = "MG024"
	// CodeAssignment: a -var option is not of the form name=value.
	CodeAssignment Code = "MG025"
)

// Related is [diagnostic.Related].
type Related = diagnostic.Related

// Errorf is [diagnostic.Errorf].
func Errorf(code Code, summary string, subject hcl.Range, format string, args ...any) *hcl.Diagnostic {
	return diagnostic.Errorf(code, summary, subject, format, args...)
}

// Warnf is [diagnostic.Warnf].
func Warnf(code Code, summary string, subject hcl.Range, format string, args ...any) *hcl.Diagnostic {
	return diagnostic.Warnf(code, summary, subject, format, args...)
}

// WithContext is [diagnostic.WithContext].
func WithContext(d *hcl.Diagnostic, context hcl.Range) *hcl.Diagnostic {
	return diagnostic.WithContext(d, context)
}

// WithRelated is [diagnostic.WithRelated].
func WithRelated(d *hcl.Diagnostic, at hcl.Range, format string, args ...any) *hcl.Diagnostic {
	return diagnostic.WithRelated(d, at, format, args...)
}

// WithCode is [diagnostic.WithCode].
func WithCode(code Code, diags hcl.Diagnostics) hcl.Diagnostics {
	return diagnostic.WithCode(code, diags)
}

// CodeOf is [diagnostic.CodeOf].
func CodeOf(d *hcl.Diagnostic) Code { return diagnostic.CodeOf(d) }

// RelatedOf is [diagnostic.RelatedOf].
func RelatedOf(d *hcl.Diagnostic) []Related { return diagnostic.RelatedOf(d) }

// Suggest is [diagnostic.Suggest].
func Suggest(given string, known []string) string { return diagnostic.Suggest(given, known) }

// Hint is [diagnostic.Hint].
func Hint(given string, known []string) string { return diagnostic.Hint(given, known) }
