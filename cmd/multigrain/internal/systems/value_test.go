package systems_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/scaffold"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
)

const (
	module  = "github.com/multigrain/multigrain/"
	program = "cmd/multigrain/internal/systems/testdata/value"
)

// written are systems that are not packages of this project: their files by the name of a folder.
func written(t *testing.T, root string) map[string]map[string]string {
	t.Helper()
	fresh, err := scaffold.System{Name: "fresh", Module: "example.org/fresh"}.Files()
	if err != nil {
		t.Fatal(err)
	}
	docs := func(names ...string) map[string]string {
		out := map[string]string{}
		for _, name := range names {
			maps.Copy(out, filesOf(t, filepath.Join(root, "docs", name)))
		}
		return out
	}
	return map[string]map[string]string{
		"fresh": fresh,
		"lock":  docs("tutorial/1-lock-service.md", "tutorial/2-coarse-grain.md"),
		"term":  docs("explanation/interaction.md"),
	}
}

// filesOf returns the files that a document has a reader write: a line with a name in backquotes
// announces the next code block.
func filesOf(t *testing.T, document string) map[string]string {
	t.Helper()
	f, err := os.Open(document)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]string{}
	name, inside := "", false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "```"):
			if inside {
				name = ""
			} else if name != "" {
				out[name] = ""
			}
			inside = !inside
		case inside && name != "":
			out[name] += line + "\n"
		case len(line) > 2 && line[0] == '`' && line[len(line)-1] == '`' && !strings.Contains(line, " "):
			name = strings.Trim(line, "`")
		}
	}
	return out
}

// shipped returns the folders of the packages of this project that declare a System.
func shipped(t *testing.T, root string) (out []string) {
	t.Helper()
	for _, folder := range []string{"zab", "raft", "configs/examples"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
				return err
			}
			text, err := os.ReadFile(path)
			if rel, relErr := filepath.Rel(root, filepath.Dir(path)); relErr == nil && strings.Contains(string(text), "\nvar System = grains.System[") {
				out = append(out, filepath.ToSlash(rel))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestCatalogIsTheValue compares each catalog that is read from the code with the value in a
// running program. The systems are the shipped ones, those of the documents and that of the verb
// new.
func TestCatalogIsTheValue(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	folders := shipped(t, root)
	if len(folders) < 10 {
		t.Fatalf("only the systems of %q were found", folders)
	}
	folders = append(folders, "cmd/multigrain/testdata/spec/registry")
	overlay := map[string][]byte{}
	for name, files := range written(t, root) {
		folder := program + "/" + name
		for file, text := range files {
			if strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") && !strings.Contains(file, "/") {
				overlay[filepath.Join(root, folder, file)] = []byte(text)
			}
		}
		folders = append(folders, folder)
	}
	values := run(t, root, folders, overlay)
	for _, folder := range folders {
		t.Run(folder, func(t *testing.T) {
			p, findings, err := interaction.Load(interaction.Config{Dir: root, Package: module + folder, Overlay: overlay})
			if err != nil || interaction.HasErrors(findings) {
				t.Fatal(err, findings)
			}
			cat, findings := p.Catalog()
			if interaction.HasErrors(findings) {
				t.Fatal(findings)
			}
			compare(t, "System", tree(t, values[module+folder]), tree(t, readOf(cat, values[module+folder])))
		})
	}
}

// run builds the program for the systems of the folders and returns what it prints.
func run(t *testing.T, root string, folders []string, overlay map[string][]byte) map[string]*grains.Catalog {
	t.Helper()
	var imports, calls strings.Builder
	for k, folder := range folders {
		fmt.Fprintf(&imports, "\ts%d %q\n", k, module+folder)
		fmt.Fprintf(&calls, "\tadd(%q, &s%d.System),\n", module+folder, k)
	}
	dir := t.TempDir()
	replace := map[string]string{}
	place := func(path string, text []byte) {
		file := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		replace[path] = file
	}
	for path, text := range overlay {
		place(path, text)
	}
	place(filepath.Join(root, program, "imports.go"), []byte("package main\n\nimport (\n"+imports.String()+")\n\nvar _ = []bool{\n"+calls.String()+"}\n"))
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), list, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "-overlay", filepath.Join(dir, "overlay.json"), "./"+program)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*grains.Catalog{}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// readOf returns the catalog without what a value does not show. These are actions that the System
// does not lead to, names of constants, quorums, and where the code stands.
func readOf(cat, value *grains.Catalog) *grains.Catalog {
	c := *cat
	c.Package, c.Var, c.State, c.Enums, c.Sized, c.Messages, c.Meetings, c.Actions = "", "", "", nil, nil, nil, nil, nil
	for _, a := range cat.Actions {
		if slices.ContainsFunc(value.Actions, func(v grains.ActionDecl) bool { return v.Name == a.Name }) {
			a.Var, a.Param = "", ""
			c.Actions = append(c.Actions, a)
		}
	}
	return &c
}

// tree returns a catalog as JSON has it, with its actions in the order of their names.
func tree(t *testing.T, c *grains.Catalog) (out any) {
	t.Helper()
	if c == nil {
		t.Fatal("the program has no such System")
	}
	slices.SortFunc(c.Actions, func(a, b grains.ActionDecl) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.Marshal(c)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// compare reports the fields that differ. An absent one is an empty one.
func compare(t *testing.T, path string, value, read any) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		r, ok := read.(map[string]any)
		if !ok {
			break
		}
		keys := maps.Clone(v)
		maps.Copy(keys, r)
		for k := range keys {
			if k != "place" { // of a function that has no name it is compared
				compare(t, path+"."+k, v[k], r[k])
			}
		}
		if isFunction(v) && v["name"] == nil {
			compareLines(t, path, v["place"], r["place"])
		}
		return
	case []any:
		r, ok := read.([]any)
		if !ok || len(r) != len(v) {
			break
		}
		for k := range v {
			name := fmt.Sprint(k)
			if m, ok := v[k].(map[string]any); ok && m["name"] != nil {
				name = fmt.Sprint(m["name"])
			}
			compare(t, path+"["+name+"]", v[k], r[k])
		}
		return
	}
	empty := func(x any) bool { l, ok := x.([]any); return x == nil || ok && len(l) == 0 }
	if !reflect.DeepEqual(value, read) && !(empty(value) && empty(read)) {
		t.Errorf("%s is %v, and the code reads as %v", path, value, read)
	}
}

// isFunction reports whether a tree is a grains.Function: nothing but a name and a place.
func isFunction(v map[string]any) bool {
	for k := range v {
		if k != "name" && k != "place" {
			return false
		}
	}
	return true
}

func compareLines(t *testing.T, path string, value, read any) {
	t.Helper()
	at := func(x any) string {
		p, _ := x.(map[string]any)
		return fmt.Sprint(filepath.Base(fmt.Sprint(p["file"])), ":", p["line"])
	}
	if at(value) != at(read) {
		t.Errorf("%s is the function at %s, and the code reads as that at %s", path, at(value), at(read))
	}
}
