//go:build multigrain_sets32 && !multigrain_sets64

package modules

// MaxSet is the number of identities that a Set distinguishes in this build: 0 to MaxSet-1.
const MaxSet = 32
