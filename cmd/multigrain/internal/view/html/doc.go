// Package html makes pages of a result and of its counterexamples. A page is one file and needs
// no network.
//
// It imports the packages result, view/text and view/diagram.
package html
