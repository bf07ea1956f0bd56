// Package footprint computes what the functions of a specification read and write. It interprets
// their SSA form abstractly.
//
// Values carry their provenance. The analysis interprets a call at each place where the code makes
// the call, with the arguments given there. It follows memory through assignments, aliases and
// copies. What decides whether code runs, by control dependence, is a source of what the code
// writes. The analysis does not interpret the value types of package modules, it knows them: see
// operation.go and channel.go.
//
// # Elements
//
// A source is an element of the state: a variable at an index. An index is a list of terms, and a
// term is a constant, a parameter of the action, or *, which stands for any.
//
// An abstract value (type value) has fifteen fields:
//
//	frame    sources whose value this may be, unchanged
//	data     sources from which it is computed
//	control  sources that decided to choose it
//	idx      sources that selected an element
//	consts   constants that it may be
//	top      it may be something computed
//	sym      it is exactly this parameter or constant; * if that is not known
//	sum      it is exactly a parameter and a number; only positions in a Bag use it
//	ptrs     places to which it may point
//	funcs    functions that it may be, each with what the function captured
//	dynamic  types that an interface may hold, each with a value
//	lost     why the analysis does not know what it is; "" if the analysis knows
//	leaves   the parts of a struct or tuple
//	elems    the elements of an array that are known apart from the others
//	full     elems are all elements of the array
//
// The value nil is bottom: the value of code that never runs. There is no single top, and none is
// needed: top and lost say that anything is possible, the sets still say where it comes from.
//
// An element of an array that is known apart holds two values. Own was stored at just this index.
// Rest was stored at an index that may name the same element: after X[p.I] = 1 and X[2] = 5, own of
// X[p.I] is 1 and rest is 5. To read X[p.I] takes both. To read X[p.J] takes the own values of
// X[p.I] and of X[2], and what the other elements hold.
//
// A memory maps objects to the values of their leaves. An object is a state, a package variable or
// an allocation of the code. An object without content is bottom if the code allocates it, and
// holds its first value otherwise.
//
// # Join and order
//
// The function join works field by field:
//
//	frame, data, control, idx, consts, ptrs   union
//	top                                       or
//	sym, sum                                  not known if the two differ
//	funcs, dynamic                            union; captured and held values are joined
//	lost                                      the smaller reason that is not empty
//	leaves                                    leaf by leaf
//	full                                      and
//	elems                                     union; own and rest are joined, and an element that
//	                                          only one side knows apart adds the other side's
//	                                          value at its index to rest
//
// The join of two memories joins the values.
//
// Invariant: join is idempotent, commutative and associative, and nil is its neutral element.
//
// So a <= b, defined as join(a, b) = b, is a partial order, join is the least upper bound in it,
// and join is monotone. Only values of one type are ever joined.
//
// # Transfer functions
//
// The method instr has one case for each SSA instruction. These deserve a word:
//
//   - A store through one pointer to one exact index replaces the value (a strong update). Any
//     other store joins the new value to the old ones (a weak update).
//   - An operation on constants yields a constant if each operand is exactly one constant. An If
//     whose condition is a constant leads one way only.
//   - What selects a pointer, a function or the value of an interface is a source of what comes
//     through it. If such a value has a part that is not known, its use is an issue.
//   - The control sources of a store are those of its block, by control dependence, and those of
//     the calls that lead there.
//
// From a larger state before, an effect has a larger footprint: more writes and more sources, with
// elements that may be named less exactly, and computed values instead of constants. One case
// departs from that: if a parameter that was known becomes *, its weak updates replace strong ones,
// and a stale rest of the smaller result has no counterpart. Neither termination nor soundness
// rests on monotonicity, as the next sections show.
//
// # Fixpoint and widening
//
// The method body interprets the blocks of a function in reverse postorder until nothing changes.
// In a loop it joins each value, and the memory after each block, with those of the round before.
// So they only grow, whatever the transfer functions do. Chains in the order are finite:
//
//   - Sources, places and objects: the code has finitely many variables, index expressions,
//     allocations and call paths. A recursive call shares the frame of the call under way.
//   - Constants: those in the text, and results of arithmetic on values that are exactly one
//     constant. A value that grows to two constants yields something computed.
//   - Nesting: types bound it, except where interfaces and closures hold each other by value. Below
//     maxNesting such a value is lost.
//
// Widening is thus needed in three places. A loop's phi that is not a choice among constants is
// computed at once (function.varies). An allocation in a loop that is still in use stands for all
// objects made there, and no store to it is strong (object.many). Nesting is bounded. An array of
// more than 64 constants of the package keeps no elements apart, for speed. The bound maxRounds
// exists for mistakes of the analysis alone, and reaching it is an issue.
//
// # Why footprints over-approximate
//
// The result is a post-fixpoint: to interpret any block once more adds nothing. Each transfer
// function covers what the instruction does in any run that the state before describes. By
// induction over the steps of a run, the values describe every run. What the analysis cannot
// follow is an issue, and an action with an issue gets no verdict.
//
// The tests check these statements on generated values (TestJoin, TestJoinMemory) and on generated
// programs (TestTransferMonotone, TestFootprintCoversRuns, which runs them).
package footprint
