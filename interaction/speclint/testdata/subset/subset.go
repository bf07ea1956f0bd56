// Package subset leaves the subset of Go.
package subset

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"math/rand"
	"os"
	"reflect"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

type State struct{ Clock, Epoch uint8 }

type Action = modules.Action[State, modules.None]

type shape interface{ area(s *State) int }

type square uint8

func (q square) area(s *State) int { return int(s.Clock) * int(q) }

func wait() {}

func external()

func total[T shape](s *State, x T) int { return x.area(s) } // want `MG436: area is a method of the interface T`

func each(yield func(int) bool) { yield(1) }

type caller struct{ f func() }

func (c caller) call() { c.f() } // want `MG437: a function value is called; what it touches is unknown`

func twice(f func()) { f(); f() }

func double(s *State) func() { return func() { _ = s.Clock } }

var Step = Action{
	Name:   "Step",
	Params: modules.Once,
	Guard: func(s *State, _ modules.None) bool {
		go wait()           // want `MG431: a goroutine is started; an action is one atomic step`
		c := make(chan int) // want `MG431: a channel is made`
		c <- 1              // want `MG431: something is sent to a channel`
		<-c                 // want `MG431: something is received from a channel`
		select {}           // want `MG431: select waits for channels`
	},
	Effect: func(s, n *State, _ modules.None) {
		defer wait() // want `MG432: a call is deferred; raise an assertion`
		recover()    // want `MG432: recover is called`
		if s.Clock > 3 {
			panic("overflow") // want `MG432: panic is called; raise an assertion in the Raised field`
		}
	},
}

var Maps = Action{
	Name:   "Maps",
	Params: modules.Once,
	Effect: func(s, n *State, _ modules.None) {
		m := map[uint8]uint8{1: 2} // want `MG433: a value of type map\[uint8\]uint8 is made; its order is random`
		o := make(map[uint8]bool)  // want `MG433: a value of type map\[uint8\]bool is made`
		for k := range m {         // want `MG433: m is a map and iterated over`
			n.Clock = k
		}
		n.Clock = m[1]                   // want `MG433: a value of type map\[uint8\]uint8 is used`
		delete(o, 1)                     // want `MG433: a value of type map\[uint8\]bool is used`
		_ = slices.Collect(maps.Keys(m)) // want `MG438: slices.Collect is not known` `MG438: maps.Keys is not known`
	},
}

var Loops = Action{
	Name:   "Loops",
	Params: modules.Once,
	Effect: func(s, n *State, _ modules.None) {
		for range each { // want `MG434: the loop ranges over the function each; use a plain loop`
		}
		for range modules.Each[int8](3) { // want `MG434`
		}
		ratio := float64(s.Clock) / 2 // want `MG435: ratio has type float64; its results depend on the machine` `MG435: float64\(s.Clock\) / 2 has type float64`
		n.Clock = uint8(ratio)        // want `MG435: ratio has type float64`
		n.Clock = uint8(2.0)          // a constant is exact
	},
}

var Calls = Action{
	Name:   "Calls",
	Params: modules.Once,
	Effect: func(s, n *State, _ modules.None) {
		var x shape = square(1)
		x.area(s)         // want `MG436: area is a method of the interface shape; what it touches is unknown`
		_, _ = x.(square) // want `MG436: the type of x decides at run time`
		switch x.(type) { // want `MG436`
		}
		total(s, square(2))
		caller{}.call()
		twice(func() { n.Clock++ })
		double(s)()
		var f func()
		f()                                  // want `MG437: a function value is called`
		n.Clock = uint8(time.Now().Second()) // want `MG438: time.Now is not known to the analysis; use this package` `MG438: \(time.Time\).Second is not known`
		n.Clock = uint8(rand.Intn(3))        // want `MG438: math/rand.Intn is not known`
		_ = reflect.TypeOf(s)                // want `MG438: reflect.TypeOf`
		_ = fmt.Sprint(s)                    // want `MG438: fmt.Sprint`
		_ = os.Args                          // want `MG423: Args is a package variable`
		_ = *(*uint8)(unsafe.Pointer(s))     // want `MG438: unsafe.Pointer goes around the types`
		_ = unsafe.Slice(&s.Clock, 2)        // want `MG438: unsafe.Slice goes around the types`
		_ = unsafe.Sizeof(*s)
		var mu sync.Mutex
		mu.Lock()                  // want `MG438: \(\*sync.Mutex\).Lock`
		slices.Sort([]int{1})      // want `MG438: slices.Sort`
		println(1)                 // want `MG438: println writes to the terminal`
		external()                 // want `MG438: external has no body in Go`
		_ = modules.ViewOf(s, nil) // want `MG438: .*modules.ViewOf`
		_ = bits.Len8(s.Clock) + math.MaxInt8 + slices.Index([]uint8{1}, s.Clock)
		modules.Below[int8](2).Has(1)
	},
}

// What runs at the start only: Init and domains.

var System = grains.System[State]{Name: "subset", Init: initial}

var seed uint8 = 1

func initial(yield func(State) bool) {
	for range each { // allowed at the start
	}
	for range modules.Once {
	}
	yield(State{Clock: seed})                       // want `MG423: seed is a package variable`
	yield(State{Clock: uint8(time.Now().Second())}) // want `MG438` `MG438`
}

var Some = modules.Domain[modules.One[int8]](func(yield func(modules.One[int8]) bool) {
	for k := range map[int8]bool{1: true, 2: true} { // want `MG433` `MG433`
		yield(modules.One[int8]{I: k})
	}
})

var Choose = modules.Action[State, modules.One[int8]]{
	Name:   "Choose",
	Params: Some,
	Effect: func(s, n *State, p modules.One[int8]) {},
}

// free is reached from nowhere.
func free() { fmt.Println(time.Now(), map[int]int{}, seed) }
