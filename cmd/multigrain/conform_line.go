package main

import (
	"fmt"
	"strings"
)

// differenceLine is a difference in a line.
func differenceLine(x *differenceDoc) string {
	when := "at the start"
	if x.Step > 0 {
		when = fmt.Sprintf("after step %d, %s", x.Step, x.Action)
	}
	switch x.Kind {
	case "variable":
		return fmt.Sprintf("%s %s", x.Variable, when)
	case "panic":
		return fmt.Sprintf("the implementation panics %s: %s", strings.Replace(when, "after", "in", 1), x.Message)
	}
	return fmt.Sprintf("%s: %s", when, x.Message)
}
