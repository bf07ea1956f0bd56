// Package selftest tests the runtime of a specification on random behaviours: package refine judges
// what each node sees of them, as it judges the stream of a live node.
//
//	model    executes single steps, with code of its own
//	world    a random behaviour of all nodes; weights, with which actions are drawn
//	poset    the orders of events that the network allows
//	encoder  events as lines of a stream
//	mutate   changes a stream
//	judge    the naive judge: an exhaustive search without reductions
//	runner   all of it
//
// A projected behaviour must raise no alarm. A mutated stream must raise one exactly if the naive
// judge finds no legal behaviour. What a specification declares must keep its laws (refine.Laws).
//
// # Limits
//
// The behaviours are those of the composition that runs next to a node, not of the explored one. So
// whether the local actions of a specification cover the explored actions is not tested. Inputs
// that end a connection, and restarts that report the disk, do not occur. Values of inputs are
// small and random. The class of each action and the variables of a row are those that package
// refine derived. Behaviours are a sample, and nothing is known of others.
//
// See docs/decisions/0184-a-runtime-tests-itself-on-random-behaviours.md.
package selftest
