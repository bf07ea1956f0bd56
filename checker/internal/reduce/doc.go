// Package reduce lets a search visit fewer states, or do less for each, without another verdict:
//
//   - symmetry.go: states that differ only in which server is which are one state; equivariance.go
//     tests whether the specification treats servers alike;
//   - slice.go: fields on which neither guards nor properties depend (cone of influence) do not
//     tell states apart;
//   - independence.go: which instances commute, by the footprints of their actions; validate.go
//     tests it on sampled states;
//   - stubborn.go: partial-order reduction by strong stubborn sets;
//   - prune.go: sleep sets, and invariants and lines of large states that a step leaves as they
//     are.
//
// Each writes into a checker.Spec what the strategies then use: Represent, Next or Pruning. What
// cannot be combined is refused or stated there.
package reduce
