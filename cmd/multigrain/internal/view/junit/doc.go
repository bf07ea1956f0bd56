// Package junit writes a result as JUnit XML, which test reporters read.
//
// It imports the packages result and view/text.
package junit
