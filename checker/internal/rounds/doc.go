// Package rounds draws walks that are uniform executions: servers run in lock-step rounds, and in
// each round a set of servers is isolated from all others. The method is that of "Testing
// Consensus Implementations Using Communication Closure" (OOPSLA 2020), sections 4 to 6, for
// compositions instead of implementations.
//
// # A round
//
// Round t has a kernel, the servers that are not isolated, and four parts:
//
//	repair    A step of the environment that spends no budget, and names servers of the kernel
//	          only, is taken while it is enabled, at most once: a crashed server starts, a link
//	          heals.
//	faults    Any number of steps of the environment that spend a budget: of an isolated server
//	          (a crash), or of a link with an isolated end (a loss), but none that adds messages.
//	          An instance is repeated only if it took a message out.
//	deliver   Every message that was sent before round t, from a server of the kernel to one of
//	          the kernel, is received while a step that receives it is enabled.
//	internal  Any number of steps that receive no message, each instance at most once. An
//	          isolated server takes steps of its own, too. A step that touches variables of
//	          several servers needs all of them in the kernel.
//
// What is sent in round t can be received from round t+1 on. A message that isolation kept from
// its receiver in the round after it was sent is lost, or, with late delivery, received once both
// ends are in a kernel again. A message that could have been received, but that no enabled step
// receives, stays where it is and is not late in the next round.
//
// # Which servers are isolated
//
// Rounds are divided into phases of k rounds. In a phase a server is isolated from some round to
// the phase's end, or not at all. A schedule says which server is isolated from which round; it
// counts one isolation for each server and phase. Schedules of at most d isolations are drawn
// uniformly (schedule.go), so each has probability 1/S where S is their number. The choices within
// a round, such as the order of deliveries, are drawn in addition: the bound says nothing about
// them.
//
// # What steps are
//
// A Plan (plan.go) derives from footprints which channels a step receives from, which servers it
// touches, and what steps of the environment do. It refuses a composition for which this is not
// clear.
package rounds
