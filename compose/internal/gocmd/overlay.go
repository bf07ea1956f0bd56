package gocmd

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/configs"
)

// writeOverlay writes the files into work and returns the path of the overlay's description.
func writeOverlay(work string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for path, text := range files {
		at := filepath.Join(work, fmt.Sprintf("%d.go", len(replace)))
		if err := host.WriteFile(at, text, 0o644); err != nil {
			return "", err
		}
		replace[path] = at
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(work, "overlay.json")
	return path, host.WriteFile(path, b, 0o644)
}

// buildErrors turns the go command's messages into diagnostics, with their places where it gives
// them.
func buildErrors(stderr string, err error) hcl.Diagnostics {
	var diags hcl.Diagnostics
	if d := machineFault(hcl.Range{}, fmt.Sprintf("%s\n%v", stderr, err)); d != nil {
		return hcl.Diagnostics{d}
	}
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
