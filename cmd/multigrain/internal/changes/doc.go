// Package changes composes for a change of the implementation: it reads what changed, finds the
// modules that the change touches, and puts these under test at their finest grain.
//
// It imports package session, interaction/change, and what they may import.
package changes
