package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/multigrain/multigrain/grains"
)

const (
	// checkCommand is the command of the code lens. Its argument is the path of the manifest.
	checkCommand = "multigrain.check"
	// checkTime is the limit of the check that a code lens runs.
	checkTime = "10m"
	// patience is the time from an interrupt to the end of a check.
	patience = 20 * time.Second
)

// lenses returns the code lens at the system block, or at the first line.
func (s *server) lenses(_ context.Context, p opening) (any, error) {
	text, ok := s.text(p.TextDocument.URI)
	path := pathOf(p.TextDocument.URI)
	if !ok || path == "" {
		return []lens{}, nil
	}
	at := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "system ") {
			return []lens{{rangeOf(text, at, at), ran{"check", checkCommand, []string{path}}}}, nil
		}
		at += len(line)
	}
	return []lens{{Command: ran{"check", checkCommand, []string{path}}}}, nil
}

// execute begins a check in a process of its own. Its result is shown when it is there.
func (s *server) execute(_ context.Context, p ran) (any, error) {
	if p.Command != checkCommand || len(p.Arguments) != 1 || !filepath.IsAbs(p.Arguments[0]) {
		return nil, fmt.Errorf("the command must be %s, with the path of a manifest", checkCommand)
	}
	path := p.Arguments[0]
	if s.unsaved(path) {
		return nil, errors.New("the manifest is not saved, and check reads the file: save it first")
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s.work.Go(func() { s.check(program, path) })
	return nil, nil
}

// check runs check and shows its result.
func (s *server) check(program, path string) {
	cmd := exec.CommandContext(s.ctx, program, "check", "-quiet", "-timeout="+checkTime, path)
	cmd.Dir, cmd.Env = filepath.Dir(path), append(s.env.Environ, "NO_COLOR=1")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	kind := 3
	err := cmd.Run()
	if err != nil {
		kind = 1
		fmt.Fprintf(&out, "%v\n", err)
	}
	_ = s.rpc.Notify(s.ctx, "window/showMessage", message{kind, filepath.Base(path) + "\n" + out.String()})
}

// references returns the places of a name: its declaration, its uses in the package that declares
// it, and those in open manifests, by URI.
func references(n *name, open map[string]string) []location {
	out := []location{}
	if at := n.declared(); at.File != "" {
		out = append(out, locationOf(at))
		out = append(out, inGo(n, at)...)
	}
	for uri, text := range open {
		tokens, _ := hclsyntax.LexConfig([]byte(text), "", hcl.InitialPos)
		for _, t := range tokens {
			if (t.Type == hclsyntax.TokenQuotedLit || t.Type == hclsyntax.TokenIdent) && string(t.Bytes) == n.text {
				out = append(out, location{uri, rangeOf(text, t.Range.Start.Byte, t.Range.End.Byte)})
			}
		}
	}
	return out
}

// declared returns the place of the declaration. The constant of a bound or an option is searched
// for, since a catalog does not have its place.
func (n *name) declared() (at grains.Place) {
	if n.place.File != "" || n.variable == "" {
		return n.place
	}
	inPackage(n.folder, func(set *token.FileSet, x ast.Node) {
		if spec, ok := x.(*ast.ValueSpec); ok {
			for _, id := range spec.Names {
				if p := set.Position(id.Pos()); id.Name == n.variable && at.File == "" {
					at = grains.Place{File: p.Filename, Line: p.Line, Column: p.Column}
				}
			}
		}
	})
	return at
}

// inGo returns the uses of a name in the package that declares it: of its variable, or of its text
// as a literal. The place of its declaration is left out.
func inGo(n *name, but grains.Place) (out []location) {
	inPackage(filepath.Dir(but.File), func(set *token.FileSet, x ast.Node) {
		same := false
		switch x := x.(type) {
		case *ast.Ident:
			same = n.variable != "" && x.Name == n.variable
		case *ast.BasicLit:
			text, err := strconv.Unquote(x.Value)
			same = x.Kind == token.STRING && err == nil && text == n.text
		}
		if !same {
			return
		}
		p := set.Position(x.Pos())
		if place := (grains.Place{File: p.Filename, Line: p.Line, Column: p.Column}); place != but {
			at := locationOf(place)
			at.Range.End.Character += int(x.End() - x.Pos())
			out = append(out, at)
		}
	})
	return out
}

// inPackage visits the syntax of the Go files in a folder. Files that do not parse are left out.
func inPackage(folder string, visit func(*token.FileSet, ast.Node)) {
	found, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, file := range found {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		ast.Inspect(tree, func(x ast.Node) bool {
			visit(set, x)
			return true
		})
	}
}
