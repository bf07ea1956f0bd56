// Package schematest checks the documents that tests make against the schema of results.
package schematest

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/schema"
)

// compiled is the schema of package schema.
var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.Of(nil)))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("result.schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("result.schema.json")
})

// Check says why a text is no document that -json prints; nil where it is one.
func Check(text []byte) error {
	s, err := compiled()
	if err != nil {
		return fmt.Errorf("the schema cannot be compiled: %w", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}
