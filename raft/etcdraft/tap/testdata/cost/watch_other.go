//go:build !linux

package main

import (
	"context"
	"errors"
)

// startWatch sees no pauses where threads cannot be given what they need.
func startWatch(context.Context) (func() ([]gap, error), error) {
	return func() ([]gap, error) { return nil, nil }, nil
}

func watchPauses() error { return errors.ErrUnsupported }
