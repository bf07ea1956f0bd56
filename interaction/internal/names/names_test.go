package names

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

const source = `package p

const (
	Clients = 2
	Nodes   = Clients + 1
)

type Node int8

const (
	Server Node = 0
	Nobody Node = -1
	Last        = Node(Nodes) - 1
	Past   Node = Nodes
)

type Kind uint8

const (
	ACQUIRE Kind = iota + 1
	GRANT
	RELEASE
	FREE = RELEASE
)

type Msg struct {
	Kind  Kind
	Grant uint8
	From  Node
	Extra bool
	Late  bool
	Other bool
}

type Net[M any] struct{ m M }

// Vote is another type of messages, on a network of its own.
type Vote struct {
	Kind  VoteKind
	For   Node
	Round uint8
}

type VoteKind uint8

const (
	ASK VoteKind = iota + 1
	ANSWER
	SILENCE
)

type State struct {
	Msgs  Net[Msg]
	Votes Net[Vote]
}

func vote(k VoteKind) []Vote {
	return []Vote{{Kind: k, Round: 1}, {Kind: ASK, For: Server}, {Kind: ANSWER}}
}

func send(m Msg) Msg {
	m.Extra = true
	_ = Msg{Kind: ACQUIRE}
	_ = Msg{GRANT, 1, Server, false, false, false}
	_ = []Msg{{Kind: RELEASE, Grant: 2}}
	return m
}

func later() {
	a := Msg{Kind: ACQUIRE}
	a.Late = true
	b := &Msg{Kind: RELEASE}
	b = &a
	b.Other = true
}
`

func read(t *testing.T) []Source {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Instances: map[*ast.Ident]types.Instance{}}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	return []Source{{Syntax: []*ast.File{f}, Info: info, Types: pkg}}
}

// TestEnums: a constant that follows from a size has a value of its own in each composition. The
// first of two constants of one value stands.
func TestEnums(t *testing.T) {
	fixed, sized := Enums(read(t), map[string]bool{"Clients": true})
	if got := fmt.Sprint(fixed); got != "map[Kind:map[1:ACQUIRE 2:GRANT 3:RELEASE] Node:map[-1:Nobody 0:Server] VoteKind:map[1:ASK 2:ANSWER 3:SILENCE]]" {
		t.Errorf("%s are fixed", got)
	}
	if got := fmt.Sprint(sized); got != "[{Node Last ((Clients + 1) - 1)} {Node Past (Clients + 1)}]" {
		t.Errorf("%s follow from sizes", got)
	}
	if fixed, sized = Enums(read(t), nil); fixed["Node"][2] != "Last" || len(sized) > 0 {
		t.Errorf("without sizes: %v, %v", fixed, sized)
	}
}

// TestMessages: a literal says which fields its kind carries. An assignment counts for all kinds,
// unless the variable holds nothing but the message of one literal. What counts for all kinds of
// one type of messages does not count for another type.
func TestMessages(t *testing.T) {
	want := "map[ACQUIRE:[Extra Late Other] ANSWER:[Round] ASK:[For Round] GRANT:[Extra From Grant Late Other] RELEASE:[Extra Grant Other]]"
	if got := fmt.Sprint(Messages(read(t), "p")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
