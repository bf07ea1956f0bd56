package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/multigrain/multigrain/.ci/random/oracle"
)

// write writes the specification and its manifests into a folder.
//
//	main.hcl       every baseline, every invariant
//	reduced.hcl    without step properties, which partial-order reduction refuses
//	bounded.hcl    with the state constraints
//	live.hcl       with the liveness properties
//	coarse0.hcl    a coarse grain, and so on
func write(s *oracle.Spec, dir string) error {
	text, err := source(s)
	if err != nil {
		return err
	}
	files := map[string]string{
		"spec.go":     text,
		"main.hcl":    mainManifest(s),
		"reduced.hcl": extended(fmt.Sprintf("invariants = [%s]", quoted(s, oracle.State, oracle.Assert))),
		"live.hcl":    extended(`properties = ["*"]`),
	}
	if len(s.Constraints) > 0 {
		var ids []string
		for _, c := range s.Constraints {
			ids = append(ids, fmt.Sprintf("%q", c.ID))
		}
		files["bounded.hcl"] = extended("constraints = [" + strings.Join(ids, ", ") + "]")
	}
	for k, c := range s.Coarse {
		files[fmt.Sprintf("coarse%d.hcl", k)] = coarseManifest(s, &c)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// quoted lists the invariants of some kinds. Those of a kind are not empty.
func quoted(s *oracle.Spec, kinds ...string) string {
	var ids []string
	for _, p := range s.Properties {
		for _, kind := range kinds {
			if p.Kind == kind {
				ids = append(ids, fmt.Sprintf("%q", p.ID))
			}
		}
	}
	return strings.Join(ids, ", ")
}

func extended(check string) string {
	return fmt.Sprintf("extends = \"main.hcl\"\n\ncheck {\n  %s\n}\n", check)
}

func bounds(s *oracle.Spec) string {
	text := fmt.Sprintf("bounds {\n  servers = %d\n", s.Nodes)
	for _, b := range s.Budgets {
		if len(b.Actions) > 0 {
			text += fmt.Sprintf("  %s = %d\n", b.Name, b.Limit)
		}
	}
	return text + "}\n"
}

func mainManifest(s *oracle.Spec) string {
	text := fmt.Sprintf("system %q {\n  source = \".\"\n}\n\n", s.Name)
	for _, m := range s.Modules {
		text += fmt.Sprintf("module %q {\n  grain  = \"baseline\"\n", m.Name)
		if m.Target {
			text += "  target = true\n"
		}
		text += "}\n\n"
	}
	return text + bounds(s) + fmt.Sprintf("\ncheck {\n  deadlock = %v\n}\n", s.Deadlock)
}

func coarseManifest(s *oracle.Spec, c *oracle.Coarse) string {
	text := fmt.Sprintf("extends = \"reduced.hcl\"\n\nmodule %q {\n  grain = %q\n}\n\n", s.Modules[c.Module].Name, c.Name)
	return text + "interaction {\n" + bounds(s) + "}\n"
}
