// Package diagnostic makes the diagnostics of this project: those of HCL with a stable code,
// related positions and suggestions. Package configs offers all of it under the same names.
package diagnostic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/hcl/v2"
)

// Code identifies one kind of mistake. A code is never given a second meaning,
// so that scripts and searches can rely on it.
type Code string

// Related is a second position that belongs to a diagnostic, such as the first
// of two declarations of one name.
type Related struct {
	// At is the position. Its file is among the sources of the manifest, or a
	// Go file of the specification.
	At hcl.Range
	// Message says what is there, in a few words without a period.
	Message string
}

// extra holds what this project attaches to a diagnostic.
type extra struct {
	code    Code
	related []Related
	inner   any
}

// DiagnosticCode returns the code of the diagnostic.
func (e *extra) DiagnosticCode() Code { return e.code }

// DiagnosticRelated returns the further positions of the diagnostic.
func (e *extra) DiagnosticRelated() []Related { return e.related }

// UnwrapDiagnosticExtra returns what HCL itself had attached, or nil.
func (e *extra) UnwrapDiagnosticExtra() any { return e.inner }

// Errorf returns an error with a code. The summary names the kind of problem
// in at most six words without a period. The detail, formatted from format and
// args, says in whole sentences what was found and what to do about it. The
// subject is the tightest range that is wrong; a zero range stands for a
// mistake that has no place in a file.
func Errorf(code Code, summary string, subject hcl.Range, format string, args ...any) *hcl.Diagnostic {
	return diagnose(hcl.DiagError, code, summary, subject, format, args...)
}

// Warnf is Errorf for something that does not prevent further progress.
func Warnf(code Code, summary string, subject hcl.Range, format string, args ...any) *hcl.Diagnostic {
	return diagnose(hcl.DiagWarning, code, summary, subject, format, args...)
}

func diagnose(sev hcl.DiagnosticSeverity, code Code, summary string, subject hcl.Range, format string, args ...any) *hcl.Diagnostic {
	d := &hcl.Diagnostic{
		Severity: sev,
		Summary:  summary,
		Detail:   fmt.Sprintf(format, args...),
		Extra:    &extra{code: code},
	}
	if subject != (hcl.Range{}) {
		d.Subject = &subject
	}
	return d
}

// WithContext sets the wider range of d, which must contain its subject, and
// returns d. A range of another file is ignored.
func WithContext(d *hcl.Diagnostic, context hcl.Range) *hcl.Diagnostic {
	if d.Subject != nil && d.Subject.Filename == context.Filename {
		context = hcl.RangeOver(*d.Subject, context)
		d.Context = &context
	}
	return d
}

// WithRelated adds a second position to d and returns d. A zero range is
// ignored. d must come from Errorf, Warnf or WithCode.
func WithRelated(d *hcl.Diagnostic, at hcl.Range, format string, args ...any) *hcl.Diagnostic {
	if e, ok := d.Extra.(*extra); ok && at != (hcl.Range{}) {
		e.related = append(e.related, Related{At: at, Message: fmt.Sprintf(format, args...)})
	}
	return d
}

// WithCode gives a code to the diagnostics of diags that have none, which are
// those that HCL itself produces, and returns diags.
func WithCode(code Code, diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		if CodeOf(d) == "" {
			d.Extra = &extra{code: code, inner: d.Extra}
		}
	}
	return diags
}

// CodeOf returns the code of d, or "" if it has none.
func CodeOf(d *hcl.Diagnostic) Code {
	if e, ok := hcl.DiagnosticExtra[interface{ DiagnosticCode() Code }](d); ok {
		return e.DiagnosticCode()
	}
	return ""
}

// RelatedOf returns the further positions of d, in the order they were added.
func RelatedOf(d *hcl.Diagnostic) []Related {
	if e, ok := hcl.DiagnosticExtra[interface{ DiagnosticRelated() []Related }](d); ok {
		return e.DiagnosticRelated()
	}
	return nil
}

// longest is the length in bytes of the longest name that Suggest compares.
const longest = 200

// Suggest returns the name among known that given was probably meant to be, or
// "" if none is close. That is the name with the smallest edit distance, letter
// case aside. The distance is at most three, and at most a third of the length
// of given plus one. Otherwise it is the only name that starts with given. Of
// equally close names the first wins. Names of more than 200 bytes are not compared: the time grows
// with the product of the lengths.
func Suggest(given string, known []string) string {
	if len(given) > longest {
		return ""
	}
	low := strings.ToLower(given)
	best, distance := "", 1+min(3, len(low)/3+1)
	for _, name := range known {
		if len(name) > longest {
			continue
		}
		if d := levenshtein.Distance(low, strings.ToLower(name), nil); d < distance && d < max(len(name), 2) {
			best, distance = name, d
		}
	}
	if best != "" || len(low) < 2 {
		return best
	}
	for _, name := range known {
		if strings.HasPrefix(strings.ToLower(name), low) {
			if best != "" {
				return ""
			}
			best = name
		}
	}
	return best
}

// Hint returns a sentence, with a blank in front of it, for a reader who wrote
// given where one of known is required. It names what was probably meant, or
// else all of known if that is not too much to read. It is "" where there is
// nothing to say.
func Hint(given string, known []string) string {
	const readable = 12
	if name := Suggest(given, known); name != "" {
		return fmt.Sprintf(" Did you mean %q?", name)
	}
	switch sorted := slices.Sorted(slices.Values(known)); {
	case len(sorted) == 0 || len(sorted) > readable:
		return ""
	case len(sorted) == 1:
		return fmt.Sprintf(" The only one is %q.", sorted[0])
	default:
		return fmt.Sprintf(" Those that exist: %s.", strings.Join(sorted, ", "))
	}
}
