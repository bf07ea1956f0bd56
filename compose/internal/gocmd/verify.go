package gocmd

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/configs"
)

// What the cache holds is used only if nobody else could have put it there and if it is as it was
// written. The first is checked once for each process, by owners and modes: see package private.
// Then nobody else can change an entry between its check and its use, either. The second is checked
// for each use, by a SHA-256 hash that is stored with the entry: it finds what a full disk, a crash
// or an unfinished copy has left. An entry that fails the check is made again.

// checkedFolders are the results of checking cache folders, by path: functions that return an
// error.
var checkedFolders sync.Map

// private returns why the cache folder is not the user's alone. It makes the folder unless it
// exists.
func (e Env) private() error {
	check, _ := checkedFolders.LoadOrStore(e.CacheDir, sync.OnceValue(func() error {
		if err := host.Private(e.CacheDir); err != nil {
			return err
		}
		if host.MkdirAll(e.CacheDir, 0o755) != nil {
			return nil // users of the folder report that
		}
		return host.Private(e.CacheDir) // somebody else may have been faster
	}))
	return check.(func() error)()
}

// refusal returns the diagnostic for a cache folder that is not the user's alone; nil for one that
// is.
func (e Env) refusal() *hcl.Diagnostic {
	err := e.private()
	if err == nil {
		return nil
	}
	return configs.Errorf(CodeCache, "Cache folder unusable", hcl.Range{},
		"%v. Programs in the cache are run, so nobody else may be able to write them. Correct the owner or the mode, "+
			"or name another folder with the environment variable MULTIGRAIN_CACHE.", err)
}

// sumOf returns the name of the file with the hash of a program.
func sumOf(program string) string { return program + ".sha256" }

// sumLine returns the hash of a program as sha256sum prints it. It has the name, too, so that the
// hash of one program is none of another.
func sumLine(program, name string) (string, error) {
	h := sha256.New()
	if err := addFile(h, program); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s  %s\n", hex.EncodeToString(h.Sum(nil)), name), nil
}

// intact reports whether a program is as it was built.
func intact(program string) bool {
	if !host.Regular(program) || !host.Regular(sumOf(program)) {
		return false
	}
	want, err := host.ReadFile(sumOf(program))
	if err != nil {
		return false
	}
	have, err := sumLine(program, filepath.Base(program))
	return err == nil && have == string(want)
}

// entry is a file of the cache: a value in JSON with its hash.
type entry struct {
	Sum   string          `json:"sha256"`
	Value json.RawMessage `json:"value"`
}

// sum returns the hash of a value under a folder and a key.
func (x entry) sum(folder, key string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s/%s\n%s", folder, key, x.Value)
	return hex.EncodeToString(h.Sum(nil))
}

// Load returns what Save has stored under a folder and a key; nil if nothing is stored, or if it is
// not as it was stored.
func (e Env) Load(folder, key string) json.RawMessage {
	path := filepath.Join(e.CacheDir, folder, key+".json")
	if e.private() != nil || !host.Regular(path) {
		return nil
	}
	var x entry
	if b, err := host.ReadFile(path); err != nil || json.Unmarshal(b, &x) != nil || x.Sum != x.sum(folder, key) {
		return nil
	}
	return x.Value
}

// Save stores a value in JSON under a folder and a key. A cache that cannot be written costs time
// and nothing else.
func (e Env) Save(folder, key string, value json.RawMessage) {
	value, err := json.Marshal(value) // without blanks, as the entry will have it
	if err != nil {
		return
	}
	x := entry{Value: value}
	x.Sum = x.sum(folder, key)
	if b, err := json.Marshal(x); err == nil && e.private() == nil {
		_ = e.Store(filepath.Join(e.CacheDir, folder, key+".json"), b)
	}
}
