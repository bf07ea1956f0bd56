package explorer

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// tested answers with a Go test that takes the steps of the path.
func (x *explorer) tested(_ context.Context, q *asked) (any, error) {
	v, err := x.lookAt(q.place)
	if err != nil {
		return nil, err
	}
	return x.test(v), nil
}

// test returns a Go test that takes the steps of a path and evaluates what the state breaks at its
// end. It runs the command of this module, so the module with the test has to require it.
func (x *explorer) test(v *view) string {
	var lines strings.Builder
	if v.Init > 0 {
		fmt.Fprintf(&lines, "init %d\n", v.Init)
	}
	for _, call := range v.Path[:v.Taken] {
		fmt.Fprintf(&lines, "do %s\n", call)
	}
	for _, name := range v.broken() {
		fmt.Fprintf(&lines, "expect violates %s\n", name)
	}
	name := "Explored"
	for _, part := range strings.FieldsFunc(words.FileName(x.run.Manifest.Name()), func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		name += strings.ToUpper(part[:1]) + part[1:]
	}
	return fmt.Sprintf(`package explored_test

import (
	"os/exec"
	"strings"
	"testing"
)

// Test%s takes the steps of a path that was explored. It fails if one of them is not possible
// any more, and prints the condition that refuses it.
func Test%s(t *testing.T) {
	const manifest = %s // next to this file
	const steps = %s
	cmd := exec.Command("go", "run", "github.com/multigrain/multigrain/cmd/multigrain", "explore", "-terminal", manifest)
	cmd.Stdin = strings.NewReader(steps)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%%v\n%%s", err, out)
	}
}
`, name, name, strconv.Quote(filepath.Base(x.run.Manifest.Path)), "`"+lines.String()+"`")
}
