// Package spectest is for the tests of specifications and adapters. It has an obvious search to
// compare with (Naive), and what such tests need of engines that are internal to checker. Package
// explore searches, package transcript compares short runs with text, and package mgtest runs
// manifests.
package spectest
