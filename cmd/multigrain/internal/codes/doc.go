// Package codes lists the codes of the diagnostics that the command itself reports: MG5xx.
//
// It imports package configs, which defines what a code is.
package codes
