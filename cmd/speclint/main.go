// Speclint holds specifications to the subset of Go that can be checked: package speclint of
// interaction says how.
//
//	speclint ./zab ./raft                     on packages
//	go vet -vettool=$(which speclint) ./...   as go vet's tool, which caches results
//	speclint help speclint                    the rules
//
// Files of tests are not looked at. It exits with 0 where nothing was found, and with 3 (as go
// vet's tool with 1) where something was; with 1 where a package could not be loaded.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/multigrain/multigrain/interaction/speclint"
)

func main() { multichecker.Main(speclint.Analyzer) }
