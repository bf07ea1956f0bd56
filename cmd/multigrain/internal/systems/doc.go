// Package systems finds systems: the catalogs that list shows, and the programs that tap runs.
//
// It imports compose and package codes.
package systems
