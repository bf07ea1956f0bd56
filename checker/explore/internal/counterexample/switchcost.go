package counterexample

import "math/bits"

// switchCost is the cost of a change from a server to another one. A change to or from a step
// without a server costs 1: it decides between orders with equally many changes of servers.
const switchCost = 1 << 20

// actor is who acted: the server of the last step that has one, and whether the last step has one.
// It starts with none.
type actor struct {
	server int
	last   int
}

var nobody = actor{-1, -2}

// then is who acts after a step of a server, -1 for none, and what the step costs.
func (a actor) then(server int) (actor, int) {
	cost := 0
	if a.last != -2 && a.last != server {
		cost = 1
	}
	if server < 0 {
		return actor{a.server, server}, cost
	}
	if a.server >= 0 && a.server != server {
		cost += switchCost
	}
	return actor{server, server}, cost
}

// servers is a set of servers, in which those from 63 on count as one.
type servers uint64

func of(server int) servers { return 1 << min(server, 63) }

// atLeast returns what steps of these servers cost at least after the acting one.
func (s servers) atLeast(by actor) int {
	if by.server >= 0 {
		s &^= of(by.server)
	} else {
		s &= s - 1 // the first one costs nothing
	}
	return bits.OnesCount64(uint64(s)) * switchCost
}

// cost returns what steps of servers in this order cost.
func cost(servers []int) (sum int) {
	by := nobody
	for _, server := range servers {
		next, cost := by.then(server)
		by, sum = next, sum+cost
	}
	return sum
}
