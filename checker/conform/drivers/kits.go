// Package drivers holds the kits for drivers: a few files in each language that an author copies.
// They have the protocol of package driver, and a network of controlled channels.
package drivers

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
)

//go:embed c java python rust
var kits embed.FS

// Kit returns the files of a language's kit, and false if there is none.
func Kit(language string) (fs.FS, bool) {
	kit, err := fs.Sub(kits, language)
	if err != nil {
		return nil, false
	}
	if list, err := fs.ReadDir(kit, "."); err != nil || len(list) == 0 {
		return nil, false
	}
	return kit, true
}

// Hash returns a hash of all kits: 32 hexadecimal digits. What is built from one of them depends on
// it.
func Hash() string {
	h := sha256.New()
	err := fs.WalkDir(kits, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(kits, path)
		fmt.Fprintf(h, "%q %q ", path, text)
		return err
	})
	if err != nil {
		panic(err) // they are in this program
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
