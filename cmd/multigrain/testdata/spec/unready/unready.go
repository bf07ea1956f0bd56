// Package unready is a counter whose initialisation and domain do what a specification
// should not do. The environment variable UNREADY and the option domain say what.
package unready

import (
	"fmt"
	"os"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// State is the counter.
type State struct{ N, Pad uint8 }

// Most is a constant that a manifest sets.
const Most = 3

func init() {
	fmt.Println(`{"report":{"verdict":"violated"}}`)
	fmt.Print("no line end")
	switch os.Getenv("UNREADY") {
	case "panic":
		panic("no configuration")
	case "index":
		fmt.Println(os.Args[len(os.Args)])
	case "overflow":
		fmt.Println(deeper(1))
	case "endless":
		endless()
	case "exit":
		os.Exit(0)
	}
}

func deeper(n int) int { return deeper(n+1) + n }

// endless is not inlined: the compiler can give an inlined loop the line of another
// statement of the caller.
//
//go:noinline
func endless() {
	for {
		steps++
	}
}

var steps int

// Count counts.
var Count = modules.Action[State, modules.One[uint8]]{
	Name:   "Count",
	Params: domain,
	Guard:  func(s *State, _ modules.One[uint8]) bool { return s.N < Most },
	Effect: func(s, n *State, _ modules.One[uint8]) { n.N++ },
}

// domain has one value, or no end.
func domain(yield func(modules.One[uint8]) bool) {
	for n := 0; ; n++ {
		if Domain == "mute" {
			n = next(n)
			continue
		}
		if !yield(modules.One[uint8]{I: uint8(n)}) || Domain != "endless" {
			return
		}
	}
}

// next is not inlined, like endless.
//
//go:noinline
func next(n int) int {
	for k := range 1 << 20 {
		n ^= k
	}
	return n + 1
}

// Domain is a constant that a manifest sets.
const Domain = "one"

// System is the catalog.
var System = grains.System[State]{
	Name:    "unready",
	Doc:     "A counter.",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "counter", Doc: "counts"}},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Doc: "One at a time.", Covers: []string{"counter"}, Actions: []modules.AnyAction[State]{&Count}},
	},
	Options: []grains.Option{
		{Name: "domain", Doc: "the values of the parameter", Values: []string{"one", "endless", "mute"}, Default: "one", Const: "Domain"},
	},
	Invariants: []modules.Invariant[State]{{ID: "Few", Doc: "It stays small.", State: func(s *State) bool { return s.N <= Most }}},
}
