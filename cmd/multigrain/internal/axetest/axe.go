// Package axetest checks pages in a browser with axe-core, which knows the rules of WCAG for names,
// landmarks, contrast, headings and the keyboard. Only tests use it.
package axetest

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/host"
)

// version is the version of axe-core that the pages are checked with. A newer one may have other
// rules.
const version = "4.14.1"

// source returns the script of axe-core. npm gets it once for a test program.
var source = sync.OnceValues(func() (string, error) {
	dir, err := host.MkdirTemp("", "multigrain-axe-*")
	if err != nil {
		return "", err
	}
	defer host.RemoveAll(dir)
	install := exec.Command("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", dir, "axe-core@"+version)
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm cannot get axe-core %s: %w\n%s", version, err, out)
	}
	text, err := host.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	return string(text), err
})

// violation is a rule that a page does not keep.
type violation struct {
	ID, Impact, Help string
	Nodes            []string // the elements
}

// begin runs all rules on the page and leaves the violations as JSON in a variable of the page.
const begin = `window.axed = "";
axe.run(document, {resultTypes: ["violations"]}).then(
	r => window.axed = JSON.stringify(r.violations.map(v => ({id: v.id, impact: v.impact, help: v.help, nodes: v.nodes.map(n => n.html)}))),
	e => window.axed = "failed: " + e);
""`

// Check reports each rule that the page does not keep as an error. The page is the one in which
// evaluate evaluates an expression whose value is text. The test is skipped where npm does not get
// axe-core.
func Check(t *testing.T, where string, evaluate func(expression string) string) {
	t.Helper()
	script, err := source()
	if err != nil {
		t.Skip(err)
	}
	evaluate(script + "\n;''")
	evaluate(begin)
	found := ""
	for range 600 {
		if found = evaluate("window.axed"); found != "" {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	var violations []violation
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		t.Fatalf("%s: axe: %v: %s", where, err, found)
	}
	for _, v := range violations {
		t.Errorf("%s: %s (%s): %s\n\t%s", where, v.ID, v.Impact, v.Help, strings.Join(v.Nodes[:min(len(v.Nodes), 5)], "\n\t"))
	}
}
