// Package explorer is the verb explore: it shows single states of a composition, takes steps, and
// says what refuses others. It has a page on loopback and a terminal. Both ask the same engine,
// which runs the assembled programs: see package checker/wire.
package explorer
