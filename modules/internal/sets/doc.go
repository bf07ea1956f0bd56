// Package sets has the size of modules.Set, which a build tag chooses.
package sets
