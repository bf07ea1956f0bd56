// Package methods reads tables of the methods of an implementation in another language than Go: at
// which lines they are, who calls whom, and which fields methods use, in one version or in several.
package methods
