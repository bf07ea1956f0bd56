package mcp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/configs"
)

// server answers the calls of one client.
type server struct {
	program string   // the path of this command
	root    string   // the folder of manifests and traces, absolute and without symbolic links
	environ []string // NAME=value

	ctx  context.Context // of all runs
	end  func()          // ends all runs and waits for them
	runs sync.WaitGroup
	turn chan struct{} // holds one value while a call with a budget runs

	store store
}

// newServer returns a server, whose runs end with ctx at the latest. Program is the path of this
// command.
func newServer(ctx context.Context, program, root string, environ []string) (*server, error) {
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", root)
	}
	s := &server{program: program, root: abs, environ: environ, turn: make(chan struct{}, 1)}
	var cancel func()
	s.ctx, cancel = context.WithCancel(ctx)
	s.end = func() { cancel(); s.runs.Wait() }
	return s, nil
}

// refusal is a call that is refused, in words for a language model.
func refusal(format string, args ...any) error {
	return fmt.Errorf("["+string(codes.McpCall)+"] "+format, args...)
}

// file returns a file or folder below the root as an argument of the command: relative to the root,
// and never a flag.
func (s *server) file(path string) (string, error) {
	local := filepath.FromSlash(path)
	if filepath.IsAbs(local) {
		if rel, err := filepath.Rel(s.root, local); err == nil {
			local = rel
		}
	}
	if !filepath.IsLocal(local) || strings.ContainsRune(path, 0) {
		return "", s.outside(path)
	}
	real, err := filepath.EvalSymlinks(filepath.Join(s.root, local))
	if err != nil {
		return "", refusal("%s cannot be read: %v. Give a path relative to %s", path, err, s.root)
	}
	if !s.holds(real) {
		return "", s.outside(path)
	}
	return "." + string(filepath.Separator) + filepath.Clean(local), nil
}

// holds reports whether the root is a path or contains it.
func (s *server) holds(real string) bool {
	rel, err := filepath.Rel(s.root, real)
	return err == nil && filepath.IsLocal(rel)
}

func (s *server) outside(path string) error {
	return refusal("the path %q is outside of %s, the folder of this server: start it with -root for another folder", path, s.root)
}

// manifest returns a manifest as an argument. It refuses one whose bases are outside of the root,
// before any of them is read.
func (s *server) manifest(path string) (string, error) {
	argument, err := s.file(path)
	if err != nil {
		return "", err
	}
	var outside error
	// The verb reports the diagnostics.
	_, _ = configs.Load(filepath.Join(s.root, argument), configs.Options{Environ: s.environ, ReadFile: func(name string) ([]byte, error) {
		real, err := filepath.EvalSymlinks(name)
		if err != nil {
			return nil, err
		}
		if !s.holds(real) {
			outside = s.outside(name)
			return nil, outside
		}
		return files.Read(real)
	}})
	return argument, outside
}

// system returns the source of a system as an argument: a folder below the root, an import path or
// a name.
func (s *server) system(source string) (string, error) {
	if strings.HasPrefix(source, "-") || strings.ContainsAny(source, "\n\r\x00") {
		return "", refusal("system cannot be %q: give a folder, an import path, or a name", source)
	}
	slash := filepath.ToSlash(source)
	_, err := os.Lstat(filepath.Join(s.root, source))
	if filepath.IsAbs(source) || strings.HasPrefix(slash, ".") || strings.Contains("/"+slash+"/", "/../") || err == nil {
		return s.file(source)
	}
	return source, nil
}

// budgetOf reads a limit of time. A call that may take long is refused without one.
func budgetOf(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, refusal("this call compiles and runs the specification, so it needs a budget, and timeout is %q: give a duration such as \"60s\" or \"10m\"", text)
	}
	return d, nil
}

// oneLine refuses texts that explore would read as several lines.
func oneLine(all ...string) error {
	for _, text := range all {
		if strings.ContainsAny(text, "\n\r\x00") || strings.TrimSpace(text) == "" {
			return refusal("%q is not one line of text: a step, an action, a formula and a variable are", text)
		}
	}
	return nil
}
