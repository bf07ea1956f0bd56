// Package jobs reads job files and expands them, with flags, into the jobs of a fleet. A job is
// one verb on one manifest with values of variables and at most one seed.
package jobs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Job is one call of a verb. Equal jobs have equal results on equal sources.
type Job struct {
	Name     string `json:"name"`     // of the block, or of the verb
	Verb     string `json:"verb"`     // one of Verbs
	Manifest string `json:"manifest"` // relative to the root of the sources, with slashes
	// Vars are name=value as -var takes them, and Sets as -set does.
	Vars []string `json:"vars,omitempty"`
	Sets []string `json:"sets,omitempty"`
	// Environ are variables of the environment, NAME=value, that give variables of the manifest
	// their values.
	Environ []string `json:"environ,omitempty"`
	Flags   []string `json:"flags,omitempty"` // -name or -name=value
	Seed    *uint64  `json:"seed,omitempty"`
	Expects Expects  `json:"expects,omitzero"`
}

// Expects are the parts of a manifest's expect block that jobs are compared with; empty where the
// block says nothing.
type Expects struct {
	Verdict     string `json:"verdict,omitempty"`
	Invariant   string `json:"invariant,omitempty"`
	Interaction string `json:"interaction,omitempty"`
	Level       string `json:"level,omitempty"`
	Block       bool   `json:"block,omitempty"` // there is one
}

// EnvironPrefix starts the names of environment variables that give variables of manifests
// values.
const EnvironPrefix = "MULTIGRAIN_VAR_"

// flags are the flags that a job may have, by verb. No flag here names a file or a folder: what
// reaches a worker comes over a network.
var flags = map[string][]string{
	"check":       {"allow-broken", "closure", "finer", "fingerprint", "max-states", "mem", "por", "slice", "stop", "strict", "symmetry", "timeout", "workers"},
	"simulate":    {"allow-broken", "closure", "depth", "explain", "learned", "max-states", "mem", "number", "processor-time", "seeds", "strategy", "strict", "timeout", "weight", "workers"},
	"conform":     {"branches", "cover", "depth", "impl", "max-states", "processor-time", "seeds", "stop", "strategy", "timeout", "walks", "weight", "workers"},
	"interaction": {"again", "level", "max-states", "mem", "mutants", "timeout"},
}

// tested are the flags of a check that the verb test has, too.
var tested = []string{"max-states", "mem", "strict", "timeout", "workers"}

// Flags returns the names of the flags that a job may have, and of those of a check that is
// compared with all of its expect block.
func Flags() (byVerb map[string][]string, whole []string) { return flags, tested }

// Verbs are the verbs that a job may have.
var Verbs = []string{"check", "simulate", "conform", "interaction"}

// seeded are the verbs that make random choices; interaction draws mutants.
var seeded = []string{"simulate", "conform", "interaction"}

// Check returns an error unless a worker may run the job.
func (j Job) Check() error {
	if !slices.Contains(Verbs, j.Verb) {
		return fmt.Errorf("the verb %q cannot be a job. Use one of %s", j.Verb, strings.Join(Verbs, ", "))
	}
	if j.Seed != nil && !slices.Contains(seeded, j.Verb) {
		return fmt.Errorf("%s makes no random choices, so it takes no seeds. Leave them out, or use %s", j.Verb, strings.Join(seeded, ", "))
	}
	for _, f := range j.Flags {
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(f, "-"), "-"), "=")
		if !strings.HasPrefix(f, "-") || !slices.Contains(flags[j.Verb], name) {
			return fmt.Errorf("%q cannot be a flag of a job with %s. Write -name or -name=value with one of %s", f, j.Verb, strings.Join(flags[j.Verb], ", "))
		}
	}
	if !filepath.IsLocal(filepath.FromSlash(j.Manifest)) || filepath.Ext(j.Manifest) != ".hcl" {
		return fmt.Errorf("%q is no manifest below the root of the sources", j.Manifest)
	}
	for _, e := range j.Environ {
		if !strings.HasPrefix(e, EnvironPrefix) {
			return fmt.Errorf("%q gives no variable of a manifest a value", e)
		}
	}
	return nil
}

// flag returns the value of a flag of a job.
func (j Job) flag(name string) (value string, ok bool) {
	for _, f := range j.Flags {
		n, v, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if n == name {
			value, ok = v, true
		}
	}
	return value, ok
}

// Title names a job for people: no other job of a run has the same title.
func (j Job) Title() string {
	words := slices.Concat([]string{j.Name + ":", j.Verb, j.Manifest}, j.Vars, j.Sets, j.Flags)
	if j.Seed != nil {
		words = append(words, "seed="+strconv.FormatUint(*j.Seed, 10))
	}
	return strings.Join(words, " ")
}

// Family is the title without the seed.
func (j Job) Family() string { j.Seed = nil; return j.Title() }

// Tested reports whether a job is a check that runs as the verb test does, which compares all of
// the expect block. Flags that test has not change what is explored, so that counts and levels of
// the block would not fit. Test is always strict, so a job with -strict=false is none.
func (j Job) Tested() bool {
	for _, f := range j.Flags {
		if name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "="); !slices.Contains(tested, name) {
			return false
		}
	}
	if value, given := j.flag("strict"); given && value != "" {
		if strict, err := strconv.ParseBool(value); err == nil && !strict {
			return false
		}
	}
	return j.Verb == "check" && j.Expects.Block
}

// Args returns the arguments of the command that runs a job. Traces is a folder for
// counterexamples.
func (j Job) Args(traces string) []string {
	args := []string{j.Verb, "-json", "-quiet"}
	if j.Tested() {
		args[0] = "test"
	}
	args = append(args, "-traces", traces)
	if _, given := j.flag("workers"); !given && slices.Contains(flags[j.Verb], "workers") {
		args = append(args, "-workers", "1")
	}
	if level := j.Level(); level != "" {
		args = append(args, "-level", level)
	}
	args = append(args, j.Flags...)
	for _, v := range j.Vars {
		args = append(args, "-var", v)
	}
	for _, v := range j.Sets {
		args = append(args, "-set", v)
	}
	if j.Seed != nil {
		args = append(args, "-seed", strconv.FormatUint(*j.Seed, 10))
	}
	return append(args, "--", filepath.FromSlash(j.Manifest))
}

// Level returns the level of the manifest's expect block, for the verb interaction without
// another one; "" otherwise.
func (j Job) Level() string {
	if _, given := j.flag("level"); given || j.Verb != "interaction" {
		return ""
	}
	return j.Expects.Level
}

// Identity returns the name of a run: 16 hexadecimal digits of the jobs and the digest of their
// sources. The same call on the same sources continues the same run.
func Identity(list []Job, digest string) string {
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // jobs hold texts and numbers
	}
	sum := sha256.Sum256(append(text, digest...))
	return hex.EncodeToString(sum[:8])
}
