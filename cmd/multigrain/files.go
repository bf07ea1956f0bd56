package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// keep writes what a report of a fault needs into the cache folder and returns its path.
func (c *call) keep(name, text string) (string, error) {
	folder := c.settings.Cache
	if folder == "" {
		folder = shell.DefaultCache()
	}
	path := filepath.Join(folder, "crashes", fmt.Sprintf("%s-%s-%d.txt", words.FileName(name), time.Now().Format("20060102-150405"), os.Getpid()))
	return path, files.WriteFile(path, []byte(text), 0o600)
}
