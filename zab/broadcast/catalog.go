package broadcast

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Prefix is a server and the length of a prefix, from 0.
type Prefix struct {
	I int8
	N uint8
}

// Fault is the servers that lead no longer, and those that start again.
type Fault struct{ Lead, Start Set }

func eachTxn(yield func(Txn) bool) {
	for e := range int8(MaxEpochs) {
		for c := range int8(MaxLength) {
			for v := range int8(MaxRequests) {
				if !yield(Txn{e + 1, c + 1, v}) {
					return
				}
			}
		}
	}
}

func eachPrefix(yield func(Prefix) bool) {
	for i := range int8(Servers) {
		for n := range uint8(MaxLength + 1) {
			if !yield(Prefix{i, n}) {
				return
			}
		}
	}
}

func eachFault(yield func(Fault) bool) {
	for lead := range Set(1 << Servers) {
		for start := range Set(1 << Servers) {
			if !yield(Fault{lead, start}) {
				return
			}
		}
	}
}

var baseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "Transactions are chosen and delivered, and primaries follow each other.",
	Covers:  []string{"broadcast"},
	Actions: []modules.AnyAction[State]{&Choose, &Deliver, &Lead, &Stop, &Resume},
}

// System is the catalog.
var System = grains.System[State]{
	Name:    "atomic-broadcast",
	Doc:     "An atomic broadcast: each server delivers a prefix of one sequence, and a primary knows all of it.",
	Init:    Init,
	Modules: []grains.Module{{Name: "broadcast", Doc: "The sequence, and what servers deliver of it."}},
	Grains:  []grains.Grain[State]{baseline},
	Invariants: []modules.Invariant[State]{
		{ID: "Agreement", Doc: "What a server has delivered is a prefix of the sequence.", State: agreement},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the ensemble.", Min: 1, Max: 5, Default: Servers, Const: "Servers"},
		{Name: "transactions", Doc: "Length of the longest sequence.", Min: 0, Max: 16, Default: MaxTransactions, Const: "MaxTransactions"},
		{Name: "requests", Doc: "Requests of clients.", Min: 0, Max: 100, Default: MaxRequests, Const: "MaxRequests"},
		{Name: "epochs", Doc: "The last epoch.", Min: 1, Max: 60, Default: MaxEpochs, Const: "MaxEpochs"},
	},
}
