//go:build torture

package host

import (
	"fmt"
	"os"
)

// Variable is the environment variable with the plan of faults. No variable, no faults.
const Variable = "MULTIGRAIN_TORTURE"

func init() {
	text := os.Getenv(Variable)
	if text == "" {
		return
	}
	plan, err := ParsePlan(text)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", Variable, err)
		os.Exit(2)
	}
	if plan.Concerns(os.Args[0]) {
		current = NewFaulty(operating{}, plan)
	}
}
