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
	{CodeNoGo, "Go command has no cache", "Set HOME, or GOCACHE and GOMODCACHE, to folders that you can write into.",
		[]string{"failed to initialize build cache at", "build cache is required, but could not be located", "build cache is disabled by GOCACHE=off",
			"GOCACHE is not defined", "could not create module cache", "module cache not found", "failed to create cache directory", "GOPATH entry is relative"}},
	{CodeNoGo, "Go command has no temporary folder", "Set TMPDIR or GOTMPDIR to a folder that exists and that you can write into.",
		[]string{"creating work dir", "creating temporary directory"}},
	{CodeNoGo, "Setting of Go is wrong", "Correct the variable, in the environment or with go env -w.",
		[]string{"parsing $GOFLAGS", "invalid GOTOOLCHAIN", "unsupported GOOS/GOARCH pair", "cannot find GOROOT", "go: cannot find main module provided by GOWORK"}},
	{CodeNoGo, "Go release cannot be had", "Install that release of Go, or set GOTOOLCHAIN=local if the installed one is enough.",
		[]string{"toolchain not available"}},
	{CodeRoom, "Disk is read-only or refuses", "Name other folders with MULTIGRAIN_CACHE, GOCACHE and GOTMPDIR, or mend the permissions.",
		[]string{"read-only file system"}},
	{CodeNetwork, "Modules cannot be fetched", "Check the network and GOPROXY, or fetch the modules with go mod download.",
		[]string{"module lookup disabled by GOPROXY=off", "GOPROXY list is not the empty string, but contains no entries", "dial tcp", "no such host", "connection refused", "network is unreachable",
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
