//go:build !multigrain_sets16 && !multigrain_sets32 && !multigrain_sets64

package sets

// Max is the number of identities that a set distinguishes in this build.
const Max = 8
