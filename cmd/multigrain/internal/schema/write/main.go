// Command write writes the schemas of results and of the protocol of drivers to docs/reference. Go
// generate runs it in the folder of package schema.
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
			if err == nil {
				err = os.WriteFile(filepath.Join(folder, "driver.schema.json"), schema.Driver(comments), 0o644)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
