//go:build multigrain_tidy

package etcdraft

import _ "github.com/multigrain/multigrain/checker/program" // the program that the adapter is built into
