package zookeeper

import (
	"bytes"
	"flag"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

//go:generate go test . -run TestFiles -update

var update = flag.Bool("update", false, "write the files that are made from the table")

const constantsFile = "../versions.go"

// TestFiles: the files that are made from the table are current.
func TestFiles(t *testing.T) {
	constants, err := constantsOf()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{constantsFile: constants, "../../docs/reference/versions.md": referenceOf()} {
		if *update {
			if err := os.WriteFile(name, want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if have, err := os.ReadFile(name); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not current (%v): run go generate ./zab/zookeeper", name, err)
		}
	}
}

// TestTable: names are known and in order, no release has two variants, and each difference has
// its places in a version with it and in one without it.
func TestTable(t *testing.T) {
	var names, releases []string
	for _, v := range Versions {
		names = append(names, v.Name)
		releases = append(releases, v.Releases...)
	}
	slices.Sort(releases)
	if len(slices.Compact(slices.Clone(releases))) != len(releases) {
		t.Errorf("a release has two variants: %v", releases)
	}
	place := regexp.MustCompile(`^[A-Za-z]+\.java:\d[^@]*@\d`)
	for k := range Differences {
		d := &Differences[k]
		if !place.MatchString(d.With) || !place.MatchString(d.Without) || d.Change == "" || d.Doc == "" {
			t.Errorf("%s: a place, the change or the text is missing", d.Const)
		}
		last := -1
		for _, v := range d.In {
			at := slices.Index(names, v)
			if at <= last {
				t.Errorf("%s: %s is no version, or out of order", d.Const, v)
			}
			last = at
		}
		if len(d.In) == 0 || len(d.In) == len(Versions) {
			t.Errorf("%s tells no versions apart", d.Const)
		}
	}
}

// TestConstants evaluates the constants of package zab as the compiler does, for each version.
func TestConstants(t *testing.T) {
	file, err := os.ReadFile(constantsFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range Versions {
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, constantsFile, file, 0)
		if err != nil {
			t.Fatal(err)
		}
		// Only the constants are of interest: the variables need another package.
		parsed.Decls = slices.DeleteFunc(parsed.Decls, func(d ast.Decl) bool {
			g, ok := d.(*ast.GenDecl)
			return !ok || g.Tok != token.CONST
		})
		chosen, err := parser.ParseFile(fset, "sizes.go", "package zab\nconst Variant = \""+v.Name+"\"\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := new(types.Config).Check("zab", fset, []*ast.File{parsed, chosen}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k := range Differences {
			d := &Differences[k]
			c, ok := pkg.Scope().Lookup(d.Const).(*types.Const)
			if !ok || constant.BoolVal(c.Val()) != d.Has(v.Name) {
				t.Errorf("%s: constant %s is not %v", v.Name, d.Const, d.Has(v.Name))
			}
		}
	}
}

// TestColumns: the table of methods in docs/reference/actions.md has a column for each version that
// results compare.
func TestColumns(t *testing.T) {
	const file = "../../docs/reference/actions.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head := regexp.MustCompile(`(?m)^\| method \| (.*) \|$`).FindSubmatch(text)
	if head == nil {
		t.Fatalf("%s has no table of methods", file)
	}
	columns := strings.Split(string(head[1]), " | ")
	for _, v := range Compared() {
		if !slices.Contains(columns, v.Name) {
			t.Errorf("%s: version %s has no column", file, v.Name)
		}
	}
}
