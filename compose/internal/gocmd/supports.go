package gocmd

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

// supports is the constant in which a package declares which versions of an implementation it
// connects: the path of the Go module first, if there is one.
//
//	const Supports = "go.etcd.io/raft/v3 v3.7.0"
const supports = "Supports"

// Supports returns what the package's constant of this name says; "" if there is none.
func (s *Source) Supports() string { return Constant(s.Files(), supports) }

// Constant returns the text that a package declares as a constant, from its source; "" if there is
// none that is written as a literal.
func Constant(files []string, name string) (text string) {
	declares(files, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			return false
		}
		for _, spec := range g.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			for k, id := range v.Names {
				if id.Name != name || k >= len(v.Values) {
					continue
				}
				if lit, ok := v.Values[k].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					text, _ = strconv.Unquote(lit.Value)
				}
			}
		}
		return text != ""
	})
	return text
}

// Unsupported adds to errors of a build which versions the package supports and which one is used.
// what names the package's role, as "adapter".
func (s *Source) Unsupported(what string, diags hcl.Diagnostics) hcl.Diagnostics {
	text := s.Supports()
	if !diags.HasErrors() || text == "" || configs.CodeOf(diags[0]) != CodeSpecInvalid {
		return diags
	}
	used := ""
	if m := s.moduleNamed(text); m != nil {
		used = fmt.Sprintf(" The build uses %s.", m)
	}
	return append(diags, configs.Errorf(CodeBuild, "Version not supported", s.At,
		"The %s %s does not compile. It supports %s.%s Use a supported version, or write a %s for the one that you have.", what, s.Path, text, used, what))
}

// moduleNamed returns the module of the build whose path is a word of a text; nil if there is none.
func (s *Source) moduleNamed(text string) *goModule {
	for word := range strings.FieldsSeq(text) {
		for _, p := range s.deps {
			if p.Module != nil && p.Module.Path == word {
				return p.Module
			}
		}
	}
	return nil
}

// String returns the path and the version of a module, or the folder that replaces it.
func (m *goModule) String() string {
	switch r := m.Replace; {
	case r != nil && r.Version != "":
		return r.Path + " " + r.Version
	case r != nil:
		return m.Path + " from " + r.Path
	}
	return strings.TrimSpace(m.Path + " " + m.Version)
}
