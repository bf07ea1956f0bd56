package compose

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

// Assemble builds the composition's program, or finds it in the cache, and returns its path.
func (c *Composition) Assemble(ctx context.Context) (string, hcl.Diagnostics) {
	plain, diags := c.source.rewrite()
	if diags.HasErrors() {
		return "", diags
	}
	zero := c.capacities(plain)
	return c.assemble(ctx, zero, "program", c.Constants, zero, c.Choice.Grains)
}

// assemble builds the program with some capacities, or finds it in the cache, where content is all that it depends on besides
// the sources.
func (c *Composition) assemble(ctx context.Context, zero map[string]string, content ...any) (string, hcl.Diagnostics) {
	s := c.source
	key, err := s.key(content...)
	if err != nil {
		return "", hcl.Diagnostics{s.env.cacheError(err)}
	}
	return s.env.program(key, func(work string) (string, hcl.Diagnostics) {
		files, diags := c.program(zero)
		if diags.HasErrors() {
			return "", diags
		}
		built, more := s.goBuild(ctx, work, files)
		return built, append(diags, more...)
	})
}

// overlay is the specification's package with the manifest's constants, and with the capacities that are not needed.
func (c *Composition) overlay(zero map[string]string) (map[string][]byte, hcl.Diagnostics) {
	r, diags := c.rewritten(zero)
	if diags.HasErrors() {
		return nil, diags
	}
	return r.changed(), diags
}

// program is the overlay with the hoisted functions and the generated files too. The main package has the path "".
func (c *Composition) program(zero map[string]string) (map[string][]byte, hcl.Diagnostics) {
	if c.instrumented {
		return c.instrumentedProgram(zero)
	}
	if c.covering {
		return c.coveringProgram(zero)
	}
	r, diags := c.rewritten(zero)
	if diags.HasErrors() {
		return nil, diags
	}
	next, main, err := c.generate(r)
	if err != nil {
		return nil, append(diags, configs.Errorf(CodeBuild, "Program cannot be generated", hcl.Range{}, "%v.", err))
	}
	files := r.changed()
	files[filepath.Join(c.source.folder, "multigrain_gen.go")] = next
	files[""] = main
	return files, diags
}

func (c *Composition) rewritten(zero map[string]string) (*rewriting, hcl.Diagnostics) {
	r, diags := c.source.rewrite()
	if diags.HasErrors() {
		return nil, diags
	}
	for _, values := range []map[string]string{c.Constants, zero} {
		for name, value := range values {
			if err := r.setConstant(name, value); err != nil {
				diags = append(diags, configs.Errorf(CodeConstant, "Catalog names no constant", hcl.Range{},
					"A bound or an option of the catalog sets it: %v.", err))
			}
		}
	}
	return r, diags
}

// writeOverlay writes the files into work and returns the path of the overlay's description.
func writeOverlay(work string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for path, text := range files {
		at := filepath.Join(work, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(at, text, 0o644); err != nil {
			return "", err
		}
		replace[path] = at
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(work, "overlay.json")
	return path, os.WriteFile(path, b, 0o644)
}

// buildErrors turns the go command's messages into diagnostics, with their places where it gives them.
func buildErrors(stderr string, err error) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at, message := splitPosition(line)
		diags = append(diags, configs.Errorf(CodeSpecInvalid, "Specification does not compile", at, "%s.", message))
	}
	if len(diags) == 0 {
		diags = append(diags, configs.Errorf(CodeBuild, "Program does not build", hcl.Range{}, "go build: %v.", err))
	}
	return diags
}

// splitPosition splits file:line:column: message.
func splitPosition(s string) (hcl.Range, string) {
	parts := strings.SplitN(s, ":", 4)
	var line, column int
	if len(parts) < 4 {
		return hcl.Range{}, s
	}
	if _, err := fmt.Sscan(parts[1], &line); err != nil {
		return hcl.Range{}, s
	}
	if _, err := fmt.Sscan(parts[2], &column); err != nil {
		return hcl.Range{}, s
	}
	pos := hcl.Pos{Line: line, Column: column}
	return hcl.Range{Filename: parts[0], Start: pos, End: pos}, strings.TrimSpace(parts[3])
}
