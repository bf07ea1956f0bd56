package cleanup

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// Names in the cache. Runs that were killed leave names that match begun.
var (
	digest  = regexp.MustCompile(`^[0-9a-f]{32}$`)
	program = regexp.MustCompile(`^[0-9a-f]{32}(\.sha256)?$`)
	digests = regexp.MustCompile(`^[0-9a-f]{32}\.json$`)
	begun   = regexp.MustCompile(`^\.(build|copy|new)-[0-9]+$`)
)

// areas are the folders of the cache, as package compose and its parts name them, with the form of
// the names in them.
var areas = map[string]*regexp.Regexp{
	"programs": program, "modules": digest, "home": digest, "homes": digests,
	"catalogs": digests, "interactions": digests, "footprints": digests, "views": digests,
	"preservations": digests, "runtimes": digests, "changes": digest, "workspaces": digest, "walks": digests, "journals": begun,
}

// inUse are the folders of the cache that a running command uses by their paths: see files.Use.
var inUse = map[string]bool{"changes": true, "workspaces": true, "programs": true, "journals": true}

// stays are the folders of the cache that nothing can compute again, with the reason to leave them.
var stays = map[string]string{
	"traces":  "it has traces of manifests whose folders cannot be written; name these folders",
	"crashes": "it has reports of crashes",
}

// key is the file of the cache that seals checkpoints: gocmd.SecretFile.
const key = "checkpoint.key"

// Cache removes the programs, catalogs and analyses of a cache folder that the command made. They
// are made again when they are needed. Traces, reports of crashes and the key of checkpoints stay.
// The error is a sentence without its period.
func Cache(path string, out *result.Clean) error {
	if _, err := os.Lstat(path); os.IsNotExist(err) {
		return nil
	}
	f, err := open(path, out)
	if err != nil {
		return err
	}
	release, alone := files.Alone(path, out.Listed)
	list, err := f.entries(".")
	for _, e := range list {
		if err != nil {
			break
		}
		name := e.Name()
		switch {
		case name == files.Marker:
		case name == key && e.Type().IsRegular():
			f.leave(name, "checkpoints that it seals cannot be resumed without it")
		case name == files.Used && e.Type().IsRegular(): // release removes it
		case inUse[name] && e.IsDir() && !alone:
			f.leave(name, "a running command uses it; clean again after it has ended")
		case areas[name] != nil && e.IsDir():
			err = f.area(name, areas[name])
		case stays[name] != "" && e.IsDir():
			err = f.keep(name)
		default:
			f.leave(name, reason(e))
		}
	}
	release()
	if err != nil {
		f.root.Close()
		return err
	}
	return f.close()
}

// keep leaves a folder of the cache unless it is empty.
func (f *folder) keep(area string) error {
	list, err := f.entries(area)
	switch {
	case err != nil:
		return err
	case len(list) > 0:
		f.leave(area, stays[area])
	case !f.out.Listed:
		_ = f.root.Remove(area) // it stays where a run has written something new
	}
	return nil
}

// area removes what the command made in a folder of the cache. It removes the folder, too, if the
// folder is empty then.
func (f *folder) area(area string, made *regexp.Regexp) error {
	list, err := f.entries(area)
	if err != nil {
		return err
	}
	before := f.kept
	for _, e := range list {
		known := made.MatchString(e.Name()) || begun.MatchString(e.Name())
		if !known || e.Type()&fs.ModeSymlink != 0 {
			f.leave(filepath.Join(area, e.Name()), reason(e))
		} else if err := f.remove(filepath.Join(area, e.Name())); err != nil {
			return err
		}
	}
	if f.kept == before && !f.out.Listed {
		_ = f.root.Remove(area) // it stays where a run has written something new
	}
	return nil
}
