package shell

import (
	"flag"
	"strconv"
	"strings"
)

// Scan reports whether a boolean flag is given anywhere in args, for what has to be known before
// they can be parsed.
func Scan(args []string, name string) bool {
	for _, a := range args {
		if a == "--" {
			return false
		}
		if f, value, has := CutFlag(a); f == name {
			on, err := strconv.ParseBool(value)
			return !has || err == nil && on
		}
	}
	return false
}

// CutFlag splits -name=value and --name=value. The name is empty where a is no flag.
func CutFlag(a string) (name, value string, has bool) {
	if len(a) < 2 || a[0] != '-' {
		return "", "", false
	}
	return strings.Cut(strings.TrimPrefix(a[1:], "-"), "=")
}

// TakesValue reports whether a flag is followed by its value.
func TakesValue(f *flag.Flag) bool {
	if f == nil {
		return false
	}
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}
