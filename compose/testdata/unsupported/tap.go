// Package unsupported is a tap and an adapter that do not compile with the library of this module.
package unsupported

import "go.etcd.io/raft/v3"

// Supports names the versions of the library that the package is written for.
const Supports = "go.etcd.io/raft/v3 v3.9.0"

// Implementation stands for the adapter.
var Implementation = raft.NoSuchThing

// Tap stands for the tap.
func Tap(args []string) int { return raft.NoSuchThing }
