package testdata

import (
	"os"
	"testing"
)

func full() bool { return os.Getenv("MULTIGRAIN_SLOW") != "" }

func TestDirect(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("long")
	}
}

func TestThroughFunction(t *testing.T) {
	if !full() {
		t.Skip("long")
	}
}

func TestShort(t *testing.T) { t.Log("mentions MULTIGRAIN_SLOW=1 in a sentence") }
