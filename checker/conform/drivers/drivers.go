// Package drivers holds the kits for drivers: a few files in each language that an author copies.
// They have the protocol of package driver, and a network of controlled channels.
package drivers

import (
	"embed"
	"io/fs"
)

//go:embed python
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
