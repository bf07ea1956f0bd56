// Package rank is the verb rank: it orders the configurations of a manifest by what short random
// walks cover in each. It is algorithm 1 of SandTable (EuroSys 2024, section 3.3).
//
// A grid names variables of the manifest, bounds or options, each with several values. A
// configuration is one choice of a value for every name. Walks with the same seed are taken in
// each configuration, and configurations are sorted by three keys:
//
//  1. branches of guards, effects and rules that walks took, most first;
//  2. actions that walks took at least once, most first;
//  3. steps of the longest walk, fewest first, since a smaller depth means fewer states to search.
//
// Configurations that are equal in all three stay in the order of the grid, whose first name
// varies slowest.
//
// Properties are not checked: walks measure, and check searches. The order is a heuristic. It
// says which configuration to search first, and nothing about what a search would find.
//
// A configuration is a manifest of a few lines that extends the one that is ranked. The same
// text is loaded for the walks and written for check and compare, so these search what was ranked.
package rank
