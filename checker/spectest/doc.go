// Package spectest is for the tests of specifications and adapters. It has an obvious search to
// compare with (Naive), and what such tests need of engines that are internal to checker. Package
// explore searches, and package mgtest runs manifests. Only tests import this package.
//
// # Transcripts
//
// CheckTranscript compares short runs of a protocol with text. A file has the steps of a run, and
// below each step the parts of the state that it changes:
//
//	# Server 0 hears of no leader.
//	Timeout 0
//	  Term[0] = 2
//	  Role[0] = Candidate
//	Timeout 0
//	  is not enabled
//
// Lines that begin with # explain, and empty lines separate. The indented lines are written by the
// test: go test -run TestTranscript -transcripts.
package spectest
