// Package search runs one search in several programs, which are its parts: see package explore. It
// starts the programs, carries their frames, and begins again when a program is lost.
package search
