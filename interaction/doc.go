// Package interaction reads a specification from its code. It loads the package and finds the
// catalog of the system by interpreting the package's initialiser. It computes what every action
// reads and writes by interpreting its SSA form abstractly. From these footprints it computes the
// dependency variables of each module, the interaction variables between modules, what a coarse
// grain may drop, and whether it drops too much.
//
//	program, findings, err := interaction.Load(interaction.Config{Dir: dir, Package: "./lock"})
//	catalog, findings := program.Catalog()
//	composed, findings := program.Footprints(choice)
//	report, findings := program.Analyze(choice, targets)
//
// Definitions 1 to 3 and the rule of interaction preservation are those of section 3.2 and appendix
// B of "Multi-Grained Specifications for Distributed System Model Checking and Verification"
// (Remix).
//
// # What a verdict of this package means
//
// The check is static and holds for all sizes, but it is about footprints only: it is level L0. It
// refuses a coarse grain that loses or invents updates, or leaves a variable stale that somebody
// reads. It does not show that a grain that passes has the same behaviours: an aborted phase that a
// coarse grain leaves out changes no footprint. The levels L1 and L2 compare behaviours, in bounded
// exploration.
//
// Footprints err on one side: what the analysis cannot follow is reported as a finding of kind
// [CannotAnalyse], with its position, and never silently treated as harmless.
package interaction
