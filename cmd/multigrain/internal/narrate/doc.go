// Package narrate turns traces into what people and pages read: steps with what they change, the
// parts of states, and a sequence diagram.
//
// It imports checker/itf, which knows how values are written, and package result.
package narrate
