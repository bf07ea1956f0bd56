// Command write writes the schema of results to docs/reference/result.schema.json. Go generate
// runs it in the folder of package schema.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/schema"
)

func main() {
	root := filepath.Join("..", "..", "..", "..")
	comments, err := schema.Comments(root)
	if err == nil {
		folder := filepath.Join(root, "docs", "reference")
		if err = os.MkdirAll(folder, 0o755); err == nil {
			err = os.WriteFile(filepath.Join(folder, "result.schema.json"), schema.Of(comments), 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
