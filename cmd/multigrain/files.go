package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
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

// writeTrace writes a trace into a folder, as MANIFEST-PROPERTY.itf.json, and returns its path.
func writeTrace(folder, property string, meta itf.Meta, t *wire.Trace) (string, error) {
	var out bytes.Buffer
	if err := itf.Write(&out, meta, t); err != nil {
		return "", err
	}
	path := filepath.Join(folder, words.FileName(meta.Spec)+"-"+words.FileName(property)+".itf.json")
	return path, files.WriteFile(path, out.Bytes(), 0o644)
}
