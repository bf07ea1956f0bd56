package main

import (
	"flag"
	"strings"
	"testing"
)

// TestTimes: each flag that takes a duration refuses zero, less, and numbers without a unit. It
// takes the shortest time there is.
func TestTimes(t *testing.T) {
	t.Parallel()
	found := 0
	for _, v := range verbs() {
		if v.Options == nil {
			continue
		}
		for _, name := range []string{"timeout", "time"} {
			fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
			v.Options().Flags(fs)
			f := fs.Lookup(name)
			if f == nil || !strings.Contains(f.Usage, "`duration`") {
				continue
			}
			found++
			for _, text := range []string{"0", "0s", "-1s", "5", "0.1ns", "", "1e9s", "99999999h"} {
				if fs.Set(name, text) == nil {
					t.Errorf("%s -%s %q is accepted", v.Name, name, text)
				}
			}
			if err := fs.Set(name, "1ns"); err != nil {
				t.Errorf("%s -%s 1ns: %v", v.Name, name, err)
			}
		}
	}
	if found < 8 {
		t.Errorf("only %d flags were found", found)
	}
}
