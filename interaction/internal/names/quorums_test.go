package names

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestQuorum reads the numbers of quorums. Constants that a manifest sets stay in them.
func TestQuorum(t *testing.T) {
	t.Parallel()
	const text = `package p

type Quorum struct {
	Members int
	Weights []int
	Least   int
}

const (
	Servers = 5
	Half    = Servers / 2
	Two     = 2
)

var (
	majority  = Quorum{Members: Servers, Least: Half + 1}
	weighted  = Quorum{Members: 2, Weights: []int{Servers, 1}, Least: Two}
	unkeyed   = Quorum{3, nil, 2}
	made      = make1()
	computed  = Quorum{Members: 2, Weights: weights, Least: 1}
	weights   = []int{1}
)

func make1() Quorum { return Quorum{} }
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	s := Source{Syntax: []*ast.File{f}, Info: info, Types: pkg}
	for name, want := range map[string]string{
		"majority": "Servers [] ((Servers / 2) + 1) true",
		"weighted": "2 [Servers 1] 2 true",
		"unkeyed":  "3 [] 2 true",
		"made":     "0 [] 0 false",
		"computed": "2 [] 0 false",
	} {
		q, ok := Quorum(s, map[string]bool{"Servers": true}, name)
		if got := fmt.Sprintf("%s %v %s %v", q.Members, q.Weights, q.Least, ok); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
