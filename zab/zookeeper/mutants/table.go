package mutants

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsimple"
)

// Mutant is one mistake in one line of ZooKeeper.
type Mutant struct {
	Name string `hcl:"name,label"`
	// Mistake says in words what the mutant does.
	Mistake string `hcl:"mistake"`
	// Class is below org.apache.zookeeper.server, as quorum.Learner, or common.Class. Method is one
	// of its methods.
	Class  string `hcl:"class"`
	Method string `hcl:"method"`
	// Line is a line of the method, Becomes what takes its place. Spaces around them do not count.
	Line    string `hcl:"line"`
	Becomes string `hcl:"becomes"`
	// Walk is the random walk that a search takes first, 0 for none. See TestMutants.
	Walk int64 `hcl:"walk,optional"`
	// Missing names the action or grain without which no walk can find the mutant; "" if walks can.
	Missing string `hcl:"missing,optional"`
}

//go:embed mutants.hcl
var table []byte

// All returns the mutants of the table.
func All() ([]Mutant, error) { return parse("mutants.hcl", table) }

func parse(file string, text []byte) ([]Mutant, error) {
	var all struct {
		Mutants []Mutant `hcl:"mutant,block"`
	}
	if err := hclsimple.Decode(file, text, nil, &all); err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, m := range all.Mutants {
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

// Version is the version of ZooKeeper whose lines the table has.
const Version = "3.8.0"
