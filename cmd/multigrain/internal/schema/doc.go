// Package schema makes the JSON Schema of the documents that -json prints, from the types of package
// result. docs/reference/result.schema.json holds it.
//
// A document of each verb has a schema of its own: the fields that Document's tag verbs names for it.
// Fields that the schema does not know are errors. A field is required unless its tag says omitempty. A
// list, a map or a pointer that may be nil and is not omitted may be null.
//
// It imports package result and what that may import.
package schema

//go:generate go run ./write
