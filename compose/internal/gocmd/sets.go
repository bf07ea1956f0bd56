package gocmd

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// setSizes are the numbers of identities that a Set of package modules can distinguish, ascending.
// The first needs no build tag.
var setSizes = []int{8, 16, 32, 64}

// ForIdentities returns the source as it is built for sets of n identities, 0 to
// modules.LargestSet. It is the source itself if its sets have that size already. Sets of more than
// eight identities are a build tag of package modules, which goes to the go command through the
// environment. So the analysis and the program see the same types, also where the framework is in
// the module cache.
func (s *Source) ForIdentities(n int) (*Source, *hcl.Diagnostic) {
	k := slices.IndexFunc(setSizes, func(size int) bool { return n <= size })
	return s.withSets(setSizes[k])
}

// Like returns the source as it is built with the sets of another one.
func (s *Source) Like(other *Source) (*Source, *hcl.Diagnostic) {
	return s.withSets(max(other.sets, setSizes[0]))
}

// withSets returns the source as it is built with sets of one of setSizes.
func (s *Source) withSets(size int) (*Source, *hcl.Diagnostic) {
	if size == max(s.sets, setSizes[0]) {
		return s, nil
	}
	wide := *s
	wide.sets, wide.deps, wide.sum = size, nil, nil
	if wide.plain == nil {
		if wide.plain = s.Environ; wide.plain == nil {
			wide.plain = os.Environ()
		}
	}
	wide.Environ = wide.plain
	if tag := setsTag(size); tag != "" {
		wide.Environ = withTag(wide.plain, tag)
	}
	return &wide, wide.list(s.Path)
}

// WideSets reports whether sets distinguish more than eight identities: then they are no numbers.
func (s *Source) WideSets() bool { return s.sets > setSizes[0] }

// setsTag returns the build tag of package modules for a size of sets; "" for the smallest.
func setsTag(size int) string {
	if size <= setSizes[0] {
		return ""
	}
	return fmt.Sprintf("multigrain_sets%d", size)
}

// withTag returns an environment in which the go command builds with one more tag.
func withTag(environ []string, tag string) []string {
	const flags = "GOFLAGS="
	have := valueOf(environ, flags)
	if _, tags, ok := strings.Cut(have, "-tags="); ok {
		tags, _, _ = strings.Cut(tags, " ")
		tag = strings.Trim(tags, `'"`) + "," + tag
	}
	return append(slices.Clone(environ), strings.TrimRight(flags+have, " ")+" -tags="+tag)
}

// valueOf returns the value of a variable of an environment, by its name and an equals sign. Of
// several the last one counts.
func valueOf(environ []string, name string) (value string) {
	for _, e := range environ {
		if v, ok := strings.CutPrefix(e, name); ok {
			value = v
		}
	}
	return value
}

// Tags returns the flag for a build with another tag. The go command does not join it with that in
// GOFLAGS.
func (s *Source) Tags(tag string) string {
	if sets := setsTag(s.sets); sets != "" {
		tag += "," + sets
	}
	return "-tags=" + tag
}
