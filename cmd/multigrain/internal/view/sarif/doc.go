// Package sarif writes a result as a SARIF 2.1.0 log, which code scanning services read.
//
// It imports the packages result and view/text.
package sarif
