// Package capacities has constants of every sort.
package capacities

// Set is set by a manifest; Used is read by code; Slots and Depth are only capacities.
const (
	Set   = 2
	Used  = 3
	Slots = Set
	Depth = Used + 1
)

type list [Depth]uint8

// State has fields that share constants.
type State struct {
	Log   [Set]uint8
	Votes [Used]uint8
	Queue [Slots]list
	Inbox [Slots]uint8
}

// Last reads a constant.
func (s *State) Last() uint8 { return s.Votes[Used-1] }
