// Package itf writes traces as ITF and reads them back. ITF is the JSON format for traces that
// Apalache defines (its ADR 015) and that Quint and its visualisers share; files end in .itf.json.
//
// # Values
//
//	number                {"#bigint": "7"}; plain JSON numbers are read too
//	true, false           the JSON words
//	enumeration           its constant, as "NEWLEADER"
//	record                an object with its fields
//	array (Function)      {"#map": [[0, x], [1, y]]}, from the index, which counts from 0
//	Map (Mapping)         {"#map": [[key, x], ...]}
//	Seq (Sequence)        [x, y]
//	Set, Records          {"#set": [x, y]}
//	channel of a Bag      [x, y], in a fixed order that means nothing
//
// The format does not distinguish an array from a map whose keys happen to be 0, 1, 2. So
// "#meta".mappings of the file lists the maps: the path of a value with a * for each element, as
// "Electors" or "Channels.*.*.Pending". A set of the format has no element twice, so a channel of a
// Bag is a list, and "#meta".multisets lists the paths of these lists.
//
// # Steps
//
// A state carries the action that led to it in two variables, as traces of Quint's --mbt do.
// mbt::actionTaken is the name, "init" in the first state. mbt::nondetPicks is a record of the
// parameters, each {"tag": "Some", "value": x}. What they have no place for stands in the state's
// "#meta": its index, and the action's module and acting server. A parameter that is no record is
// the one pick named "value", and "#meta".bare is true.
//
// # Loops
//
// The behaviour of a trace with the field "loop" has no end: its last state is followed by what
// follows the state of that number, which counts from 0. The last state is written out and equals
// that state, so that the action that closes the loop has its place. A behaviour that stays in its
// last state has that one's number.
//
// Traces of other tools can be read: they have no module and, without --mbt, no action.
package itf
