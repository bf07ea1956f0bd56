package setting

import (
	"strings"
	"testing"
)

// TestChosen: a constant has the value whose expression is given, and none without it.
func TestChosen(t *testing.T) {
	texts := []string{`"udp"`, `"tcp"`}
	if got := chosen(map[string]string{"Network": `"tcp"`}, "Network", texts, []string{"udp", "tcp"}); got != "tcp" {
		t.Errorf("%q", got)
	}
	for _, given := range []map[string]string{nil, {"Network": "tcp"}, {"Other": `"tcp"`}} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "constant Network") {
					t.Errorf("%v panics with %q", given, text)
				}
			}()
			chosen(given, "Network", texts, []string{"udp", "tcp"})
		}()
	}
}
