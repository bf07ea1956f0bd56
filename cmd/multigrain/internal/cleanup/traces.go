package cleanup

import (
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// Names of files in a folder for traces.
var (
	trace = regexp.MustCompile(`^[^.].*-.*\.itf\.json$`)
	// partial files are left by runs that were killed while they wrote.
	partial = regexp.MustCompile(`^\..+-.*\.(itf\.json|log)-[0-9]+$`)
)

// Traces removes the traces in a folder that the command made for them, with their logs.
// A folder that does not exist has none. The error is a sentence without its period.
func Traces(path string, out *result.Clean) error {
	if _, err := os.Lstat(path); os.IsNotExist(err) {
		return nil
	}
	f, err := open(path, out)
	if err != nil {
		return err
	}
	list, err := f.entries(".")
	if err != nil {
		f.root.Close()
		return err
	}
	traces := map[string]bool{}
	for _, e := range list {
		traces[e.Name()] = isTrace(e)
	}
	for _, e := range list {
		name := e.Name()
		stem, log := strings.CutSuffix(name, ".log")
		switch {
		case name == files.Marker || name == files.Ignore && f.ignores():
		case isTrace(e), e.Type().IsRegular() && (partial.MatchString(name) || log && traces[stem+".itf.json"]):
			err = f.remove(name)
		default:
			f.leave(name, reason(e))
		}
		if err != nil {
			f.root.Close()
			return err
		}
	}
	return f.close()
}

func isTrace(e fs.DirEntry) bool { return e.Type().IsRegular() && trace.MatchString(e.Name()) }
