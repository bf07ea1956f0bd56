package command

import (
	"bytes"
	"strings"
	"testing"
)

// TestDumb compares what terminals get: one that calls itself dumb gets no colours.
func TestDumb(t *testing.T) {
	for _, c := range []struct {
		environ []string
		colours bool
	}{
		{nil, true},
		{[]string{"TERM=xterm"}, true},
		{[]string{"TERM=dumb"}, false},
		{[]string{"TERM=dumb", "MULTIGRAIN_COLOR=always"}, true},
		{[]string{"TERM=xterm", "NO_COLOR=1"}, false},
	} {
		painted := &Verb{Name: "paint", Options: func() Options {
			return Plain(func(c *Call) int {
				c.Print(c.Painter(c.OutWidth).In("31", "red"))
				return 0
			})
		}}
		var out, err bytes.Buffer
		environ := append([]string{"MULTIGRAIN_CONFIG=", "HOME=" + t.TempDir()}, c.environ...)
		a := &App{Verbs: Verbs{painted}, In: strings.NewReader(""), Out: &out, Err: &err, Environ: environ, OutWidth: 80, ErrWidth: 80}
		if code := a.Run([]string{"paint"}); code != 0 {
			t.Fatalf("%v: exit code %d: %s", c.environ, code, err.String())
		}
		if have := out.String() != "red"; have != c.colours {
			t.Errorf("%v: printed %q, colours %t", c.environ, out.String(), c.colours)
		}
	}
}
