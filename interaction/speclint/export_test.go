package speclint

import "maps"

// Entries returns how a specification gives functions to checkers and monitors: by a field, as
// Action.Guard, or by an argument, as LeadsTo 1.
func Entries() (names []string) {
	for f := range maps.Keys(fields) {
		names = append(names, f.typ+"."+f.name)
	}
	for name, args := range constructors {
		for k := range args {
			names = append(names, argument(name, k))
		}
	}
	return names
}
