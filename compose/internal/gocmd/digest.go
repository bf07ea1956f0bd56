package gocmd

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"hash"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/host"
)

// Digest identifies the meaning of the specification's code, and extra, on every machine: 32
// hexadecimal digits. It covers the package and all that it imports, except the standard library
// and the packages of the framework. A Go file counts by its tokens, so comments, layout and the
// place of a checkout change nothing, and an edit of any expression does.
//
// In contrast to a Key it says nothing of the command and the toolchain: results with the same
// digest were computed from the same specification, and perhaps by another version.
func (s *Source) Digest(extra ...any) (string, error) {
	h := sha256.New()
	for _, p := range s.specification() {
		if err := p.add(h); err != nil {
			return "", err
		}
	}
	if err := json.NewEncoder(h).Encode(extra); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// add writes the files of a package.
func (p *goPackage) add(h hash.Hash) error {
	fmt.Fprintf(h, "%q\n", p.ImportPath)
	for _, f := range p.sources() {
		fmt.Fprintf(h, "%q\n", f)
		path := filepath.Join(p.Dir, f)
		var err error
		if slices.Contains(p.GoFiles, f) {
			err = addTokens(h, path)
		} else {
			err = addFile(h, path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Whole returns digests of the packages of the specification whose declarations do not say all, by
// import path: 32 hexadecimal digits. These are packages of other modules, packages with files that
// are not Go, and packages with a directive that may change what the code does. What such a package
// imports is among them.
func (s *Source) Whole() (map[string]string, error) {
	whole := map[string]string{}
	all := s.specification()
	var add func(path string) error
	add = func(path string) error {
		k := slices.IndexFunc(all, func(p *goPackage) bool { return p.ImportPath == path })
		if k < 0 || whole[path] != "" {
			return nil
		}
		h := sha256.New()
		if err := all[k].add(h); err != nil {
			return err
		}
		whole[path] = hex.EncodeToString(h.Sum(nil)[:16])
		for _, i := range all[k].Imports {
			if err := add(i); err != nil {
				return err
			}
		}
		return nil
	}
	for _, p := range all {
		special, err := p.special()
		if err == nil && (special || p.Module == nil || p.Module.Path != s.module.Path) {
			err = add(p.ImportPath)
		}
		if err != nil {
			return nil, err
		}
	}
	return whole, nil
}

// harmless are the directives that do not change what code does.
var harmless = []string{"//go:build", "//go:generate", "//go:noinline", "//go:nosplit", "//go:norace", "//go:nocheckptr", "//go:fix"}

// special reports whether a package has files that are not Go, or a directive that is not harmless.
func (p *goPackage) special() (bool, error) {
	if len(p.sources()) > len(p.GoFiles) {
		return true, nil
	}
	for _, f := range p.GoFiles {
		text, err := host.ReadFile(filepath.Join(p.Dir, f))
		if err != nil {
			return false, err
		}
		for line := range strings.Lines(string(text)) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if strings.HasPrefix(word, "//go:") && !slices.Contains(harmless, word) {
				return true, nil
			}
		}
	}
	return false, nil
}

// Mentions reports whether a Go file of the specification has a qualified identifier, as
// modules.Bag.
func (s *Source) Mentions(pkg, name string) (bool, error) {
	for _, p := range s.specification() {
		for _, f := range p.GoFiles {
			path := filepath.Join(p.Dir, f)
			text, err := host.ReadFile(path)
			if err != nil {
				return false, err
			}
			fset := token.NewFileSet()
			var sc scanner.Scanner
			sc.Init(fset.AddFile(path, fset.Base(), len(text)), text, nil, 0)
			var last [2]string // literals, and a dot between them
			for tok := token.ILLEGAL; tok != token.EOF; {
				var lit string
				if _, tok, lit = sc.Scan(); tok == token.PERIOD {
					lit = "."
				}
				if last == [2]string{pkg, "."} && tok == token.IDENT && lit == name {
					return true, nil
				}
				last = [2]string{last[1], lit}
			}
		}
	}
	return false, nil
}

// addTokens writes the tokens of a Go file. Layout does not count: semicolons are those of the
// language, and a comma or a semicolon before a closing bracket is left out. Of comments only the
// directives of the toolchain count. (Writing to a hash cannot fail.)
func addTokens(h hash.Hash, path string) error {
	text, err := host.ReadFile(path)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	var sc scanner.Scanner
	sc.Init(fset.AddFile(path, fset.Base(), len(text)), text, nil, scanner.ScanComments)
	held := "" // a comma or a semicolon, until the next token is known
	for {
		_, tok, lit := sc.Scan()
		switch tok {
		case token.EOF:
			return nil
		case token.COMMENT:
			if !strings.HasPrefix(lit, "//go:") {
				continue
			}
		case token.SEMICOLON, token.COMMA:
			if held != "" {
				fmt.Fprintln(h, held)
			}
			held = tok.String()
			continue
		case token.RPAREN, token.RBRACE, token.RBRACK:
			held = ""
		}
		fmt.Fprintf(h, "%s\n%s %q\n", held, tok, lit)
		held = ""
	}
}

// framework are the folders of the framework whose packages a specification may import. Which
// version of them computed a result is no part of a specification.
var framework = []string{"modules", "grains", "checker"}

// specification returns the package and what it imports, sorted by import path, without the
// standard library and the framework.
func (s *Source) specification() (out []*goPackage) {
	byPath := map[string]*goPackage{}
	for _, p := range s.deps {
		byPath[p.ImportPath] = p
	}
	var add func(path string)
	add = func(path string) {
		p := byPath[path]
		if p == nil || slices.Contains(out, p) || isFramework(path) {
			return
		}
		out = append(out, p)
		for _, i := range p.Imports {
			add(i)
		}
	}
	add(s.Path)
	slices.SortFunc(out, func(a, b *goPackage) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return out
}

// isFramework reports whether a package is one of the framework's that a specification imports.
func isFramework(path string) bool {
	rest, ok := strings.CutPrefix(path, Framework+"/")
	first, _, _ := strings.Cut(rest, "/")
	return ok && slices.Contains(framework, first)
}
