// Package diagram draws the sequence diagram of a behaviour as SVG and in the language of
// Mermaid.
//
// It imports package result and what that may import.
package diagram
