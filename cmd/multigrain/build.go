package main

import (
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/configs"
)

// build assembles the program and copies it to path.
func (o *outcome) build(path string) {
	program := o.assembled(o.comp.Assemble)
	if program == "" {
		return
	}
	content, err := os.ReadFile(program)
	if err == nil {
		err = files.WriteFile(filepath.Clean(path), content, 0o755)
	}
	if err != nil {
		o.add(configs.Errorf(codes.Write, "Program cannot be written", hcl.Range{}, "%v. Name another file with -o.", err))
	}
}
