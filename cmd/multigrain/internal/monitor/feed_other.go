//go:build !unix

package monitor

import "fmt"

func feed(source string) (path string, remove func(), err error) {
	return "", nil, fmt.Errorf("%s cannot be passed on here; name a file or a socket", source)
}
