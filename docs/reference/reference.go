// Package reference holds pages of the reference that the command shows as well.
package reference

import _ "embed"

// Manifest is the page about manifests. It is the only source of what blocks and attributes mean:
// the language server shows its sentences.
//
//go:embed manifest.md
var Manifest string
