// Package importpath checks names before they become arguments of the go command.
//
// The go command reads a name that starts with a hyphen as a flag, and some of its flags write
// files or run programs. It also reads "all", "std" and names with three dots as many packages.
// A name that passes Check can be none of these, wherever it stands in a command line.
//
// The package imports no other package of this project.
package importpath

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/module"
)

// reserved are names that mean many packages to the go command.
var reserved = []string{"all", "cmd", "std", "tool", "work"}

// Check returns why a name is not the import path of one package. The error is a part of a
// sentence, such as "it starts with a hyphen".
func Check(name string) error {
	switch {
	case name == "":
		return errors.New("it is empty")
	case strings.HasPrefix(name, "-"):
		return errors.New("it starts with a hyphen")
	case slices.Contains(reserved, name):
		return fmt.Errorf("to the go command, %q means many packages", name)
	case strings.Contains(name, "..."):
		return errors.New("three dots mean many packages")
	}
	var invalid *module.InvalidPathError
	if err := module.CheckImportPath(name); errors.As(err, &invalid) {
		return invalid.Err
	} else if err != nil {
		return err
	}
	return nil
}

// CheckPattern returns why a name is no pattern of packages: an import path, or a path that starts
// with a dot, each perhaps with three dots.
func CheckPattern(name string) error {
	plain := strings.ReplaceAll(name, "...", "x")
	if rest, local := cutLocal(plain); local {
		if rest == "" {
			return nil
		}
		plain = rest
	}
	return Check(plain)
}

// cutLocal cuts the beginning that makes a path relative to a folder: ./ or any number of ../.
func cutLocal(name string) (rest string, local bool) {
	for {
		switch {
		case name == "." || name == "..":
			return "", true
		case strings.HasPrefix(name, "./"):
			name, local = name[2:], true
		case strings.HasPrefix(name, "../"):
			name, local = name[3:], true
		default:
			return name, local
		}
	}
}
