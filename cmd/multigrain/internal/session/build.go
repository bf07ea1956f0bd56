package session

import (
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/configs"
)

// Build assembles the program and copies it to path.
func (o *Run) Build(path string) {
	program := o.assembled(o.Composition.Assemble)
	if program == "" {
		return
	}
	content, err := os.ReadFile(program)
	if err == nil {
		err = files.WriteFile(filepath.Clean(path), content, 0o755)
	}
	if err != nil {
		o.Add(configs.Errorf(codes.Write, "Program cannot be written", hcl.Range{}, "%v. Name another file with -o.", err))
	}
}
