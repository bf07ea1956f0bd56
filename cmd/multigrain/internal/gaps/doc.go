// Package gaps judges what levels L1 and L2 found: which differences a manifest accepts, which action of a
// coarse grain is to blame for the others, and which chosen grains are compared with nothing.
package gaps
