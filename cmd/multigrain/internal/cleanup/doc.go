// Package cleanup removes what the command made: traces, programs and analyses.
//
// Invariant: it removes nothing in a folder without the marker of package files, nothing whose name
// the command does not give, and nothing that a link leads to.
package cleanup
