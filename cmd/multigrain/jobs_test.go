package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/jobs"
)

// TestJobFlags: each flag that a job may have is one of its verb, by its name of today. It names
// no file or folder, since what reaches a worker comes over a network. The flags of a check that
// the verb test takes are those that it has.
func TestJobFlags(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(commandReference)
	if err != nil {
		t.Fatal(err)
	}
	of := func(verb string) map[string]string { // the argument of each flag
		_, section, found := strings.Cut(string(text), "\n## "+verb+"\n")
		if !found {
			t.Fatalf("%s has no section on %s", commandReference, verb)
		}
		section, _, _ = strings.Cut(section, "\n## ")
		out := map[string]string{}
		for _, m := range regexp.MustCompile("(?m)^\\| `-([a-z-]+) ?([^`]*)`").FindAllStringSubmatch(section, -1) {
			out[m[1]] = m[2]
		}
		return out
	}
	flags, whole := jobs.Flags()
	place := regexp.MustCompile(`(?i)DIR|FILE|TRACE|ADDR|URL`)
	for verb, names := range flags {
		have := of(verb)
		for _, name := range names {
			if argument, ok := have[name]; !ok {
				t.Errorf("%s has no flag -%s", verb, name)
			} else if place.MatchString(argument) {
				t.Errorf("-%s of %s takes %s, so a job cannot have it", name, verb, argument)
			}
		}
	}
	tests := of("test")
	for _, name := range flags["check"] {
		if _, ok := tests[name]; ok != slices.Contains(whole, name) {
			t.Errorf("the verb test has -%s: %v, and jobs say %v", name, ok, !ok)
		}
	}
}
