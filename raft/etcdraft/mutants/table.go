package mutants

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsimple"
)

// The library whose lines the table has.
const (
	Module  = "go.etcd.io/raft/v3"
	Version = "v3.7.0"
)

// Mutant is one mistake in one line of the library.
type Mutant struct {
	Name string `hcl:"name,label"`
	// Mistake says in words what the mutant does.
	Mistake string `hcl:"mistake"`
	// File is a path in the module, with slashes. Method is one of its functions, or one of its
	// methods with the type of its receiver, as raft.Step.
	File   string `hcl:"file"`
	Method string `hcl:"method"`
	// Line is a line of the method, Becomes what takes its place. Spaces around them do not count.
	Line    string `hcl:"line"`
	Becomes string `hcl:"becomes"`
	// Manifest is the name of a manifest in configs/raft whose walks can reach the mistake: etcd
	// where the table says nothing.
	Manifest string `hcl:"manifest,optional"`
}

//go:embed mutants.hcl
var table []byte

// All returns the mutants of the table. The error is that of a table with a mistake.
func All() ([]Mutant, error) { return parse("mutants.hcl", table) }

// Manifest returns the path of a manifest that has a mutant by its variable mutant. It extends the
// one of configs/raft with this name. Repository is the folder of multigrain.
func Manifest(repository, name string) string {
	return filepath.Join(repository, "raft", "etcdraft", "mutants", name+".hcl")
}

// Named returns the mutant with a name. It returns an error if the table has none.
func Named(name string) (Mutant, error) {
	all, err := All()
	if err != nil {
		return Mutant{}, err
	}
	k := slices.IndexFunc(all, func(m Mutant) bool { return m.Name == name })
	if k < 0 {
		return Mutant{}, fmt.Errorf("there is no mutant %q: mutants.hcl has all of them", name)
	}
	return all[k], nil
}

func parse(file string, text []byte) ([]Mutant, error) {
	var all struct {
		Mutants []Mutant `hcl:"mutant,block"`
	}
	if err := hclsimple.Decode(file, text, nil, &all); err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for k := range all.Mutants {
		m := &all.Mutants[k]
		if m.Manifest == "" {
			m.Manifest = "etcd"
		}
		if names[m.Name] {
			return nil, fmt.Errorf("%s has two mutants %q: give one another name", file, m.Name)
		}
		names[m.Name] = true
		if strings.TrimSpace(m.Line) == strings.TrimSpace(m.Becomes) {
			return nil, fmt.Errorf("%s: mutant %q replaces its line with the same line: change becomes", file, m.Name)
		}
	}
	return all.Mutants, nil
}
