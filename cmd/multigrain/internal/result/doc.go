// Package result is the document that a verb makes: exactly what -json prints. Texts, pages, pictures,
// SARIF logs and JUnit files are all made from it.
//
// Names of fields never change, and none is removed. A field that does not apply is absent.
//
// It imports checker/wire, modules and grains, whose types parts of the document are, and package words.
package result
