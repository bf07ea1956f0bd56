// Package gaps judges the differences that levels L1 and L2 found. Some a manifest accepts. For
// the others it says which action of a coarse grain is to blame. It also names the chosen grains
// that are compared with nothing.
package gaps
