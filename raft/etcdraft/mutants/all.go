package mutants

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Flag is the flag of package flag that selects a mutant in a library of MakeAll by its name. ""
// is none. A program with the adapter of package etcdraft sets it to the setting "mutant" of the
// implementation block. Other programs set it before they use the library.
const Flag = "multigrain-mutant"

// MakeAll is Make for all mutants in one copy of the library, which is built once. A program
// selects the mutant that it has when it runs with Flag. Without it the library is as it was.
//
// Each method with mutants has a copy for each of them. It begins with a jump into the copy:
//
//	func (l *raftLog) commitTo(tocommit uint64) {
//		if multigrainMutant == 4 {
//			l.multigrainMutant4(tocommit)
//			return
//		}
//		...
//	}
func MakeAll(all []Mutant, repository, folder string) (workspace string, err error) {
	workspace, err = Make(Mutant{}, repository, folder)
	if err != nil {
		return "", err
	}
	library := filepath.Join(folder, "raft")
	files := map[string][]int{} // numbers of mutants
	for k, m := range all {
		files[m.File] = append(files[m.File], k)
	}
	for file, numbers := range files {
		name := filepath.Join(library, filepath.FromSlash(file))
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if text, err = withAll(file, text, all, numbers); err != nil {
			return "", err
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(name), "multigrain_mutants.go"), selection(file, all), 0o644); err != nil {
			return "", err
		}
	}
	return workspace, nil
}

// selection returns a file that declares the flag, or adds a package to the flag of another one.
// The package's name is that of its folder.
func selection(file string, all []Mutant) []byte {
	var b bytes.Buffer
	name := path.Base(path.Dir(file))
	if name == "." {
		name = "raft"
	}
	fmt.Fprintf(&b, selecting, name, Flag)
	for k, m := range all {
		fmt.Fprintf(&b, "\t%q: %d,\n", m.Name, k+1)
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// selecting is the text of that file, without the names and numbers of mutants.
const selecting = `package %[1]s

import (
	"flag"
	"fmt"
)

// multigrainMutant is the number of the mutant that is selected; 0: none.
var multigrainMutant int

// multigrainSelect selects a mutant by its name, here and in packages that were initialised before.
type multigrainSelect struct {
	before flag.Value
	name   *string
}

func (s multigrainSelect) String() string {
	if s.name == nil {
		return ""
	}
	return *s.name
}

func (s multigrainSelect) Set(name string) error {
	number, ok := multigrainNumbers[name]
	if !ok && name != "" {
		return fmt.Errorf("there is no mutant %%q", name)
	}
	multigrainMutant, *s.name = number, name
	if s.before != nil {
		return s.before.Set(name)
	}
	return nil
}

func init() {
	if f := flag.Lookup(%[2]q); f != nil {
		f.Value = multigrainSelect{f.Value, new(string)}
	} else {
		flag.Var(multigrainSelect{nil, new(string)}, %[2]q, "the mutant of the library by its name")
	}
}

var multigrainNumbers = map[string]int{
`

// withAll returns the text of a file with the mutants that have these numbers.
func withAll(file string, text []byte, all []Mutant, numbers []int) ([]byte, error) {
	type insertion struct {
		at   int
		text string
	}
	var inserted []insertion
	for _, k := range numbers {
		changed, err := all[k].Change(text)
		if err != nil {
			return nil, err
		}
		original, fset, err := method(file, text, all[k].Method)
		if err != nil {
			return nil, err
		}
		mutated, other, err := method(file, changed, all[k].Method)
		if err != nil {
			return nil, err
		}
		copied := fmt.Sprintf("multigrainMutant%d", k+1)
		start := other.Position(mutated.Pos()).Offset
		name := other.Position(mutated.Name.Pos()).Offset
		end := other.Position(mutated.End()).Offset
		inserted = append(inserted,
			insertion{fset.Position(original.Body.Lbrace).Offset + 1, jump(original, k+1, copied)},
			insertion{len(text), "\n" + string(changed[start:name]) + copied + string(changed[name+len(mutated.Name.Name):end]) + "\n"})
	}
	slices.SortStableFunc(inserted, func(a, b insertion) int { return b.at - a.at })
	for _, x := range inserted {
		text = slices.Concat(text[:x.at:x.at], []byte(x.text), text[x.at:])
	}
	return text, nil
}

// method returns the declaration of a method in a file.
func method(file string, text []byte, name string) (*ast.FuncDecl, *token.FileSet, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	for _, decl := range parsed.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && nameOf(f) == name {
			return f, fset, nil
		}
	}
	return nil, nil, fmt.Errorf("%s has no method %s", file, name)
}

// jump calls the copy of a method where its mutant is selected.
func jump(f *ast.FuncDecl, number int, copied string) string {
	var arguments []string
	for _, field := range f.Type.Params.List {
		for _, id := range field.Names {
			argument := id.Name
			if _, ok := field.Type.(*ast.Ellipsis); ok {
				argument += "..."
			}
			arguments = append(arguments, argument)
		}
	}
	call := copied + "(" + strings.Join(arguments, ", ") + ")"
	if f.Recv != nil {
		call = f.Recv.List[0].Names[0].Name + "." + call
	}
	if f.Type.Results != nil {
		return fmt.Sprintf("\n\tif multigrainMutant == %d {\n\t\treturn %s\n\t}", number, call)
	}
	return fmt.Sprintf("\n\tif multigrainMutant == %d {\n\t\t%s\n\t\treturn\n\t}", number, call)
}
