// Package state breaks the State contract in every way.
package state

import "github.com/multigrain/multigrain/modules"

type (
	Server int8
	Kind   uint8
	Fault  uint8
)

type Txn struct { // want `MG403: Txn has 1 byte of padding at its end; keep the order and fill the end, as with Unused \[1\]uint8`
	Zxid  uint16
	Value uint8
}

type Msg struct {
	From Server
	Kind Kind
}

type Channel = modules.Channel[Msg, [1]Msg]

type Node struct {
	Names  []Server                       // want `MG401: State.Nodes\[\].Names has type \[\]Server; a state is its bytes`
	Leader *Server                        // want `MG401: State.Nodes\[\].Leader has type \*Server`
	Epoch  int                            // want `MG402: State.Nodes\[\].Epoch has type int, whose size depends on the machine; give it a size`
	Raised modules.Raised[Fault]          // want `MG405: State.Nodes\[\].Raised lies inside another field`
	Old    modules.Records[Txn, [2]Txn]   // want `MG403: State.Nodes\[\].Old has 1 byte of padding at its end; elements of one byte`
	Seq    modules.Seq[string, [1]string] // want `MG401: State.Nodes\[\].Seq\[\] has type string`
}

type State struct {
	Up      bool
	Epoch   uint32
	Index   map[Server]Server // want `MG401: State.Index has type map\[Server\]Server`
	Next    func()            // want `MG401: State.Next has type func\(\)`
	Done    chan bool         // want `MG401: State.Done has type chan bool`
	Any     any               // want `MG401: State.Any has type any`
	Load    float64           // want `MG401: State.Load has type float64`
	Clock   uintptr           // want `MG402: State.Clock has type uintptr`
	Nodes   [2]Node
	Msgs    modules.Bag[Server, Kind, Msg, [1]Msg, [1]Channel, [1][1]Channel] // want `MG404: State.Msgs carries Msg, which does not begin with its kind, of type Kind; make the kind the first field`
	Raised  modules.Raised[Fault]
	Again   modules.Raised[Fault] // want `MG405: State.Again is the second Raised field, after State.Raised; keep one`
	Nothing [0]uint64
}

// Wide has gaps, and a field without size that must not come last.
type Wide struct {
	Up      bool
	Epoch   uint32 // want `MG403: Wide has 3 bytes of padding before Epoch; order the fields Nothing, Clock, Epoch, Up, Tail and fill the end, as with Unused \[2\]uint8`
	Clock   uint64
	Tail    [1]uint8
	Nothing [0]uint64
}

type Padded struct { // want `MG403: Padded has 2 bytes of padding at its end; order the fields Ready, Clock, Up, Last$`
	Clock uint16
	Up    bool
	Last  [3]bool
	Ready [0]uint16
}

var Grow = modules.Action[Wide, modules.None]{Name: "Grow", Params: modules.Once, Effect: func(s, n *Wide, _ modules.None) {}}

var Shrink = modules.Action[Padded, modules.None]{Name: "Shrink", Params: modules.Once, Effect: func(s, n *Padded, _ modules.None) {}}

type Param struct {
	I    Server
	Name string
}

var Step = modules.Action[State, Param]{ // want `MG406: Param, the parameter type of action Step, holds a string`
	Name:   "Step",
	Params: func(yield func(Param) bool) {},
	Effect: func(s, n *State, p Param) { n.Nodes[0].Seq.Append("") }, // it follows from the type of Seq
}

type Number int8 // want `MG401: Number is not a struct whose fields are the variables`

var Count = modules.Action[Number, modules.None]{
	Name:   "Count",
	Params: modules.Once,
	Effect: func(s, n *Number, _ modules.None) { *n++ },
}

var Anonymous = modules.Action[struct{ Up bool }, modules.None]{ // want `MG401: the state has type struct\{Up bool\} and not a named struct`
	Name:   "Anonymous",
	Params: modules.Once,
	Effect: func(s, n *struct{ Up bool }, _ modules.None) {},
}
