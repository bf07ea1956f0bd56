//go:build !multigrain_runtime

package raft

import "github.com/multigrain/multigrain/modules"

// Number is a term, an index, a command, or a count of them. It is one byte wide where behaviours
// are explored, whose bounds are small, and eight bytes next to a running node; see
// width_node.go.
type Number = uint8

// Log is a log; the position of an entry is its index after what is folded away.
type Log = modules.Seq[Entry, [MaxLog]Entry]

// Ends are the ends of appends in flight to one server: tracker.Inflights.
type Ends = modules.Seq[Number, [maxEnds]Number]

// maxEnds is the number of appends that have room. Servers that may have hundreds in flight rarely
// do.
const maxEnds = min(MaxInflight, 64)

// lastTerm is the last term in which a leader is elected.
const lastTerm = MaxTerm

// liveNode says that the specification runs next to one node.
const liveNode = false

const nodeSlots = 0

// transfers are from a leader to another server: one to itself does no more than a time-out may.
var transfers = eachPair

// skip makes a log begin after index k; here an empty one does.
func skip(l *Log, _ Number) { l.Clear() }
