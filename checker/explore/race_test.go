//go:build race

package explore_test

func init() { underRace = true }
