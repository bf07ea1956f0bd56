// Package trace decides whether a log of a running system is a behaviour of a specification: trace
// validation.
//
// A log is a sequence of events of all nodes, in one order. A Mapping says what each event stands
// for: which actions, with which parameters, and what must be true before and after them. The
// search is depth-first for one behaviour that matches. It remembers pairs of a position in the log
// and a state that lead nowhere. Sources: Cirstea, Kuppe, Loillier and Merz, "Validating Traces of
// Distributed Programs Against TLA+ Specifications", 2024. "Smart Casual Verification of the
// Confidential Consortium Framework", section 6.
//
//   - Parameters are bound from the event. Fields that an event does not give are enumerated from
//     the action's domain.
//   - What a log does not say is not checked: a condition on a field that the event lacks holds.
//     Conditions that were never decided are reported, so that a misspelt field does not pass for a
//     match.
//   - One event may stand for several actions, and several events for one: an event without an
//     action leaves the state as it is and is checked all the same.
//   - Unlogged actions may happen between events, as often as they are declared to.
//   - After a mismatch the events can be judged on their own, see JudgeWindows.
//   - A log may end anywhere: what is asked is whether some behaviour begins like it.
//
// A match says that one behaviour of the specification looks like the log. It is not a proof that
// the system did this: what the log leaves out is free.
package trace
