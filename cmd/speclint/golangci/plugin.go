// Package golangci makes speclint a linter of golangci-lint, by its module plugin system. Importing
// the package registers it; golangci-lint custom builds a golangci-lint that imports it, from a
// file .custom-gcl.yml:
//
//	version: v2.5.0
//	plugins:
//	  - module: github.com/multigrain/multigrain
//	    import: github.com/multigrain/multigrain/cmd/speclint/golangci
//	    version: latest
//
// and .golangci.yml switches it on:
//
//	version: "2"
//	linters:
//	  enable: [speclint]
//	  settings:
//	    custom:
//	      speclint:
//	        type: module
//	        description: holds specifications to the subset of Go that can be checked
package golangci

import (
	"fmt"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/multigrain/multigrain/interaction/speclint"
)

// Name is the linter's name in golangci-lint's settings.
const Name = "speclint"

func init() { register.Plugin(Name, New) }

// New makes the linter. It has no settings: the analyses determine the subset, and not taste.
// Settings are an error.
func New(settings any) (register.LinterPlugin, error) {
	if _, err := register.DecodeSettings[struct{}](settings); err != nil {
		return nil, fmt.Errorf("speclint has no settings: %w", err)
	}
	return plugin{}, nil
}

type plugin struct{}

func (plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{speclint.Analyzer}, nil
}

// GetLoadMode asks for types, which the analyzer needs.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
