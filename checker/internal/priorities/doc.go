// Package priorities draws walks by schedules of agents: a server with its own steps is one, and
// so is a channel with the deliveries of its messages. An agent stands for a thread of the
// literature.
//
// # Priorities
//
// PCT is due to Burckhardt, Kothari, Musuvathi and Nagarakatte (ASPLOS 2010). It gives the n
// agents different priorities at random, and always takes a step of the enabled agent with the
// highest one. At d-1 of the walk's k steps, drawn uniformly, a priority changes: the agent whose
// step it is gets one below all others. A bug has depth d if d orderings between steps of
// different agents are enough to show it. A walk shows it with probability at least 1/(n k^(d-1)).
//
// Example, d = 2: agent A publishes an object in step 1 and fills it in step 2, agent B reads it.
// The bug is that B reads between the two. A must have the higher priority (1/2), and the change
// point must be step 2 (1/k).
//
// # Delays
//
// Delay-bounded scheduling (Emmi, Qadeer and Rakamaric, POPL 2011) has a fixed order of agents. It
// stays with an agent until that has no step, and continues with the next one. A delay changes to
// the next agent early. A walk draws d steps at which it delays, each uniformly from k. So each
// choice of d delays has probability at least 1/k^d.
//
// # What the bounds leave out
//
// An agent may have several steps enabled. One of them is drawn uniformly, which the bounds do not
// count: they are about agents whose next step is determined. A walk that ends before k steps
// meets fewer points.
package priorities
