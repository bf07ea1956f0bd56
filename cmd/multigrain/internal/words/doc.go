// Package words puts numbers, names and lists into words: counts with their units, sizes, rates,
// times, sentences. All texts of the command use it, so that they agree.
//
// It imports no other package of this project.
package words
