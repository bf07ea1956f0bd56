// Package methods reads tables of the methods of an implementation in another language than Go. A
// table says at which lines methods are, which others they call, and which fields they use. It has
// one version of the implementation or several.
package methods
