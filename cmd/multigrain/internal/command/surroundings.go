package command

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
)

// keep writes what a report of a fault needs into the cache folder and returns its path.
func (c *Call) keep(name, text string) (string, error) {
	if err := host.Private(c.Cache()); err != nil {
		return "", err
	}
	path := filepath.Join(c.madeCache(), "crashes", fmt.Sprintf("%s-%s-%d.txt", words.FileName(name), host.Now().Format("20060102-150405"), os.Getpid()))
	return path, files.WriteFile(path, []byte(text), 0o600)
}

// Cache returns the cache folder.
func (c *Call) Cache() string { return cmp.Or(c.settings.Cache, shell.DefaultCache()) }

// madeCache returns the cache folder. It makes the folder and its marker unless it exists, or could
// be changed by others. A user of the folder reports a failure.
func (c *Call) madeCache() string {
	if host.Private(c.Cache()) == nil {
		_ = files.MakeOwn(c.Cache(), nil)
	}
	return c.Cache()
}

// UseCache makes the verb clean leave what this process has in the cache by its path.
func (c *Call) UseCache() {
	if host.Private(c.Cache()) == nil {
		files.Use(c.Cache())
	}
}

// showing returns what shows the progress of a run, or nil with -quiet.
func (c *Call) showing(req wire.Request) *shell.Progress {
	if c.Quiet && c.progress != "json" || c.progress == "none" {
		return nil
	}
	p := &shell.Progress{To: c.rewritten, Width: c.ErrWidth, JSON: c.progress == "json"}
	if s := req.Options.Simulate; s != nil {
		p.Walks = s.Number
	}
	if p.Width == 0 && !p.JSON {
		p.Next = host.Now().Add(shell.Every) // short runs stay silent
	}
	return p
}

// Env returns the surroundings of a run, until in is released.
func (c *Call) Env(in shell.Interrupts) *session.Env {
	return &session.Env{Environ: c.Environ, Input: c.In, Cache: c.madeCache(), Building: c.Composing().Building, Keep: c.keep, Soft: in.Soft, Hard: in.Hard,
		Watch: func(req wire.Request) (func(wire.Progress), func()) {
			if bar := c.showing(req); bar != nil {
				return bar.Show, bar.End
			}
			return nil, func() {}
		}}
}

// Composing returns the settings that package compose needs.
func (c *Call) Composing() compose.Env {
	e := compose.Env{CacheDir: c.madeCache()}
	if c.ErrWidth > 0 { // somebody waits at a terminal
		e.Building = func() { c.Note("building the program of this composition, which is kept for the next time") }
	}
	return e
}

// Resolve resolves the manifest that the first argument names.
func (c *Call) Resolve(in shell.Interrupts) *session.Run {
	return c.Env(in).Resolve(c.Args[0], c.Vars)
}
