package gocmd

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

// The go command reports a fault of the machine among its messages about packages, and a build
// that ran out of disk looks like one that does not compile. A fault decides: it has a code of
// its own, and the exit code of a system failure.

// fault is a fault of the machine, as system calls and the go command word it.
type fault struct {
	code            configs.Code
	summary, remedy string
	says            []string
}

var faults = []fault{
	{CodeRoom, "No room on disk", "Free some, or name other folders with MULTIGRAIN_CACHE, GOCACHE and GOTMPDIR.",
		[]string{"no space left on device", "disk quota exceeded", "not enough space on the disk", "There is not enough space"}},
	{CodeRoom, "Limit of file size reached", "Raise the limit: see ulimit -f.",
		[]string{"file too large", "file size limit exceeded", "SIGXFSZ"}},
	{CodeRoom, "Limit of open files reached", "Raise the limit: see ulimit -n.",
		[]string{"too many open files", "EMFILE", "netpollinit failed",
			// what os/exec says where the pipe to its child could not be made
			"/go: bad file descriptor"}},
	{CodeRoom, "Not enough memory or processes", "Free memory, or raise the limits: see ulimit -v and ulimit -u.",
		[]string{"cannot allocate memory", "fork/exec: resource temporarily unavailable", "resource temporarily unavailable", "failed to create new OS thread"}},
	{CodeNetwork, "Modules cannot be fetched", "Check the network and GOPROXY, or fetch the modules with go mod download.",
		[]string{"module lookup disabled by GOPROXY=off", "dial tcp", "no such host", "connection refused", "network is unreachable",
			"TLS handshake timeout", "proxyconnect", "i/o timeout", "server misbehaving", "checksum database disabled"}},
}

// machineFault returns the diagnostic of the fault of the machine that a message names; nil if it
// names none.
func machineFault(at hcl.Range, message string) *hcl.Diagnostic {
	before := ""
	for line := range strings.Lines(message) {
		if strings.HasPrefix(line, "\t") { // continues the line before it
			line = strings.TrimSpace(before) + " " + strings.TrimSpace(line)
		}
		before = line
		for _, f := range faults {
			for _, s := range f.says {
				if strings.Contains(line, s) {
					return configs.Errorf(f.code, f.summary, at, "%s. %s", strings.TrimSuffix(strings.TrimSpace(line), "."), f.remedy)
				}
			}
		}
	}
	return nil
}

// MachineFault returns the diagnostic of the fault of the machine that an error names, such as a
// full disk; nil if it names none. It is for packages that run the go command by themselves.
func MachineFault(at hcl.Range, err error) *hcl.Diagnostic { return machineFault(at, err.Error()) }
