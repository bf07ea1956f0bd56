package mutants

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Library returns the folder of the library in the module cache. Repository is the folder of
// multigrain, whose go.mod requires the library.
func Library(repository string) (string, error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Version}} {{.Dir}}", Module)
	cmd.Dir = repository
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s: %w", Module, err)
	}
	version, dir, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if version != Version {
		return "", fmt.Errorf("go.mod requires %s %s, and mutants.hcl has lines of %s", Module, version, Version)
	}
	if dir == "" {
		return "", fmt.Errorf("%s is not in the module cache: run go mod download %s", Module, Module)
	}
	return dir, nil
}

// Make writes a copy of the library with a mutant into a folder, and a workspace file that uses the
// copy. It returns the path of the workspace file, for GOWORK. A mutant without a name leaves the
// library as it is.
func Make(m Mutant, repository, folder string) (workspace string, err error) {
	library, err := Library(repository)
	if err != nil {
		return "", err
	}
	if repository, err = filepath.Abs(repository); err != nil {
		return "", err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return "", err
	}
	to := filepath.Join(folder, "raft")
	if err := copyLibrary(library, to); err != nil {
		return "", err
	}
	if m.Name != "" {
		path := filepath.Join(to, filepath.FromSlash(m.File))
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		if text, err = m.Change(text); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return "", err
		}
	}
	workspace = filepath.Join(folder, "go.work")
	text := fmt.Sprintf("go 1.26.0\n\nuse %q\n\nreplace %s => %q\n", repository, Module, to)
	return workspace, os.WriteFile(workspace, []byte(text), 0o644)
}

// copyLibrary copies the files of a module, which are read-only in the module cache. Tests are left
// out.
func copyLibrary(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rest, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rest), 0o755)
		case strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rest), text, 0o644)
	})
}

// Change returns the text of the mutant's file with the mistake. The line must occur in the method
// exactly once.
func (m *Mutant) Change(text []byte) ([]byte, error) {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("mutant %q: %s", m.Name, fmt.Sprintf(format, args...))
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, m.File, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, wrong("%v", err)
	}
	first, last := 0, 0
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && nameOf(f) == m.Method {
			first, last = fset.Position(f.Pos()).Line, fset.Position(f.End()).Line
		}
	}
	if first == 0 {
		return nil, wrong("%s has no method %s: name another file or method", m.File, m.Method)
	}
	lines := bytes.Split(text, []byte("\n"))
	at := 0
	for n := first; n <= last; n++ {
		if string(bytes.TrimSpace(lines[n-1])) != strings.TrimSpace(m.Line) {
			continue
		}
		if at > 0 {
			return nil, wrong("the line is in %s twice, in lines %d and %d: choose another line", m.Method, at, n)
		}
		at = n
	}
	if at == 0 {
		return nil, wrong("the line is not in %s of %s: copy it from the version that go.mod requires", m.Method, m.File)
	}
	lines[at-1] = []byte(m.Becomes)
	return bytes.Join(lines, []byte("\n")), nil
}

// nameOf returns the name of a function, after the type of its receiver if it has one.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}
