// Package configs reads manifests: HCL files that choose a grain for every module of a system and
// state what to check. Load returns a manifest as typed structs. Each has its source range, so that
// a later error about a name or a number can point at the line. Names of modules, grains, bounds,
// options and invariants are not judged here: they belong to the catalog of the system, with which
// package compose compares the manifest.
//
// # The language
//
//	extends = "mspec-3.hcl"              a literal path, relative to this file
//	system "zab" { source = "../zab" }   an import path, or relative to the file
//	variable "servers" { type default description validation { condition error_message } }
//	locals { name = expression ... }
//	module "election" { grain target accept { action variable reason missed views digest } }
//	bounds  { name = whole number ... }
//	options { name = value ... }
//	check   { invariants except stop constraints properties unused vacuous deadlock strict slice symmetry por }
//	interaction { level max_states timeout unchanged equal_bounds against { ... } accept { ... } bounds { ... } }
//	refines "system" { map = function or { variable = formula } variables actions { ... } }
//	implementation "name" { adapter version lines packages ignore settings { ... } bounds { ... }
//	                        models { module = functions ... } unmodelled "pattern" { policy }
//	                        walks { as simulate }
//	                        constraints symptom "word" { versions ... } schedule { insert before }
//	                        control { without insert before }
//	                        difference "name" { action variable when ticket deviation versions } }
//	simulate { depth number timeout seed weights { ... }
//	           strategy "name" { parameter = number ... roles { Action = "role" } waypoints } }
//	expect  { verdict invariant instance kind depth distinct generated distinct_at interaction level }
//
// Every value may be an expression over var.NAME, local.NAME and the functions of package
// functions. Only extends must be a plain string: it is needed before anything can be evaluated.
// Locals may refer to each other in any order. Where a list of texts is required, one text stands
// for a list of one.
//
// # Extending
//
// A manifest that extends another one is laid over it block by block. Blocks of the same type and
// labels become one block. In it an attribute of the extending manifest replaces the one of the
// same name; nested blocks are merged by the same rule. So a variable block with nothing but a
// default changes the default and keeps type and validation. There are three exceptions. Validation
// blocks replace those of the extended manifest all together, since they have no names to tell them
// apart. A trace block may have several blocks event or unlogged with the same label. Those of the
// extending manifest replace all with this label; blocks with other labels are kept. And expect is
// not inherited, since a changed composition has a result of its own.
//
// A grain may set options and bounds of its own. They hold wherever the grain is
// chosen, so a manifest leaves them out; another value contradicts the choice of
// the grain, and package compose reports that. An option may also be a switch of a
// grain: with a value of it, a block that names the grain gets another one.
//
// An attribute that evaluates to null counts as not written. That takes back
// what an extended manifest wrote; a module whose grain is null is left out of
// the composition.
//
// # Variables
//
// A variable takes its value from the last of these that gives one: its default, the environment
// (MULTIGRAIN_VAR_name), the -var and -var-file options in the order of the command line. Text from
// the environment and from -var is taken as it stands where the variable is a string, and parsed as
// an HCL expression otherwise. A variable without a type takes the type of its default where that
// is a string, a number or a bool. With a default of another type it takes any value, and without a
// default it is a string. A name that no variable has is an error on the command line and in a
// file. It is ignored in the environment, which other manifests share.
//
// # Diagnostics
//
// Load continues after a mistake and reports as many as it can in one pass, in the order of the
// files and lines. Each diagnostic carries a stable code; see Code and CodeOf, and package
// diagnostic. A value that failed to evaluate is treated as unknown and is not reported a second
// time where it is used.
package configs
