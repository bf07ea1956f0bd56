package main

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// longTest is a test that does more, or runs at all, only if MULTIGRAIN_SLOW is set.
type longTest struct {
	pkg   string // folder, such as ./zab
	path  string // test, and subtests down to the level that has parts: TestSlice/manifests
	cost  float64
	parts int // in how many parts a sample may take it; 0: no sample does
}

const (
	variable = "MULTIGRAIN_SLOW"
	// unknown is the assumed cost of a test that .ci/costs.txt does not list.
	unknown = 30.0
	scripts = "cmd/multigrain/testdata/script"
)

// longTests finds the long tests in the sources, and looks their costs up.
func longTests() ([]longTest, error) {
	known, err := costs(".ci/costs.txt")
	if err != nil {
		return nil, err
	}
	found := map[[2]string]bool{}
	folders, err := testFolders(".")
	if err != nil {
		return nil, err
	}
	for folder := range folders {
		names, err := longIn(folder)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			found[[2]string{packageOf(folder), name}] = true
		}
	}
	if err := longScripts(found); err != nil {
		return nil, err
	}
	return merged(found, known)
}

// testFolders returns the folders with test files below one.
func testFolders(root string) (map[string]bool, error) {
	folders := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case strings.HasSuffix(path, "_test.go"):
			folders[filepath.Dir(path)] = true
		}
		return nil
	})
	return folders, err
}

// merged gives each test that was found its cost. A listed test that does not exist is an error.
func merged(found map[[2]string]bool, known []longTest) ([]longTest, error) {
	out := slices.Clone(known)
	for _, k := range known {
		name, rest, _ := strings.Cut(k.path, "/")
		switch {
		case found[[2]string{k.pkg, k.path}]:
			delete(found, [2]string{k.pkg, k.path})
		case found[[2]string{k.pkg, name}]:
			delete(found, [2]string{k.pkg, name})
		default:
			return nil, fmt.Errorf(".ci/costs.txt lists %s %s (%s), which is no long test", k.pkg, name, rest)
		}
	}
	for f := range found {
		t := longTest{f[0], f[1], unknown, 1}
		if t.path == snapshotTest {
			t.parts = 0 // the verb manifests takes a sample of it
		}
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b longTest) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.path, b.path))
	})
	return out, nil
}

// longIn returns the tests of a folder that refer to MULTIGRAIN_SLOW, themselves or through
// functions and methods of the package.
func longIn(folder string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	uses := map[string]map[string]bool{} // function -> identifiers in its body
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				uses[fn.Name.Name] = identifiers(fn.Body, uses[fn.Name.Name])
			}
		}
	}
	long := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for fn, ids := range uses {
			if long[fn] || fn == "TestMain" {
				continue
			}
			for id := range ids {
				if id == variable || long[id] {
					long[fn], changed = true, true
				}
			}
		}
	}
	var out []string
	for fn := range long {
		if strings.HasPrefix(fn, "Test") && fn != "TestScripts" {
			out = append(out, fn)
		}
	}
	slices.Sort(out)
	return out, nil
}

// identifiers adds the names that a body refers to, and MULTIGRAIN_SLOW if a literal is equal to
// it.
func identifiers(body ast.Node, ids map[string]bool) map[string]bool {
	if ids == nil {
		ids = map[string]bool{}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			ids[n.Name] = true
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); err == nil && s == variable {
				ids[variable] = true
			}
		}
		return true
	})
	return ids
}

// longScripts adds the scripts that run only under condition [slow].
func longScripts(found map[[2]string]bool) error {
	files, err := filepath.Glob(scripts + "/*.txtar")
	if err != nil {
		return err
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(text), "\n[!slow] ") || strings.Contains(string(text), "\n[slow] ") {
			name := strings.TrimSuffix(filepath.Base(path), ".txtar")
			found[[2]string{"./cmd/multigrain", "TestScripts/" + name}] = true
		}
	}
	return nil
}

// costs reads lines of: processor seconds, package, test, number of parts.
func costs(path string) ([]longTest, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []longTest
	for lines := bufio.NewScanner(f); lines.Scan(); {
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 4 {
			return nil, fmt.Errorf("%s: %q does not have four columns", path, lines.Text())
		}
		t := longTest{pkg: fields[1], path: fields[2]}
		if t.cost, err = strconv.ParseFloat(fields[0], 64); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if t.parts, err = strconv.Atoi(fields[3]); err != nil || t.parts < 0 {
			return nil, fmt.Errorf("%s: %q is no number of parts", path, fields[3])
		}
		out = append(out, t)
	}
	return out, nil
}

// packageOf names the package in a folder for the go command: ./zab, or . for the root.
func packageOf(folder string) string {
	if folder == "." {
		return folder
	}
	return "./" + filepath.ToSlash(folder)
}
