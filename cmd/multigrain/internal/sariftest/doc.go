// Package sariftest checks SARIF logs in tests, against the schema of SARIF 2.1.0 and against
// what the standard requires beyond it.
package sariftest
