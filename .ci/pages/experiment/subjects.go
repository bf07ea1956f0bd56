package experiment

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
)

// Where a mistake is.
const (
	inSpecification = "specification"
	inLibrary       = "library"
)

// subject is a known mistake.
type subject struct {
	Kind     string
	Name     string
	Manifest string          // path
	Mutant   *mutants.Mutant // of a library
}

// folders have manifests with a mistake each. The last one has others, too.
var folders = []string{"configs/zab/bugs", "configs/raft/mistakes", examples}

const examples = "configs/examples"

// subjectsOf returns all mistakes: manifests, and mutants. Of the examples they are those that
// expect a violation.
func subjectsOf(repository string) (all []subject, err error) {
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(repository, folder, "*.hcl"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			m, diags := configs.Load(file, configs.Options{})
			if diags.HasErrors() {
				return nil, fmt.Errorf("%s: %w", file, diags)
			}
			name := strings.TrimSuffix(filepath.Base(file), ".hcl")
			if folder != examples || m.Expect != nil && m.Expect.Verdict.Value == "violated" {
				all = append(all, subject{Kind: inSpecification, Name: name, Manifest: file})
			}
		}
	}
	table, err := mutants.All()
	if err != nil {
		return nil, err
	}
	for k := range table {
		m := &table[k]
		all = append(all, subject{Kind: inLibrary, Name: m.Name, Manifest: filepath.Join(repository, "configs/raft", m.Manifest+".hcl"), Mutant: m})
	}
	return all, nil
}

// heldOut reports whether a mistake belongs to the half by which claims are judged. The other half
// is for tuning. A hash of the name decides.
func (s *subject) heldOut() bool {
	sum := sha256.Sum256([]byte(s.Name))
	return sum[0]&1 == 1
}

// half names the half of a mistake.
func (s *subject) half() string {
	if s.heldOut() {
		return "held out"
	}
	return "tuning"
}

// covering is the strategy of conform that plans its walks: conform -cover edges. It has no random
// choices, so one seed is enough.
const covering = "cover"

// manual is the strategy of weights by hand: 0.1 for failures, and 1 for all else. The paper on CCF
// has such weights.
const manual = "manual"

// The strategies in the order of the tables.
var (
	bySimulate = []string{"weighted", manual, "learned", "learned-instances", "learned-roles", "learned-states", "guided", "rounds:heuristic=1",
		"pct", "delays", "loss", "auto"}
	byConform = []string{"weighted", "guided", "rounds:heuristic=1", "pct", "delays", "loss", "auto", covering}
)

// strategies returns those that are measured for a mistake.
func (s *subject) strategies() []string {
	if s.Kind == inLibrary {
		return byConform
	}
	return bySimulate
}

// seeds returns how many seeds a strategy takes of those that are asked for.
func seeds(strategy string, asked int) int {
	if strategy == covering {
		return min(asked, 1)
	}
	return asked
}

// short returns a strategy without its parameters.
func short(strategy string) string {
	name, _, _ := strings.Cut(strategy, ":")
	return name
}
