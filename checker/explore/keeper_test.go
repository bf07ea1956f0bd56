package explore

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/explore/internal/store"
)

// TestOtherFormat: a checkpoint of another format is not read.
func TestOtherFormat(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file, err := os.Create(filepath.Join(folder, imageName))
	if err != nil {
		t.Fatal(err)
	}
	head, err := json.Marshal(meta{Version: imageVersion - 1})
	if err != nil {
		t.Fatal(err)
	}
	w := store.NewImageWriter(file, nil)
	w.Frame(store.FrameHead, head)
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	opt := Options{Resume: folder}
	opt.complete()
	if _, err := newKeeper(&opt, nil); err == nil || !strings.Contains(err.Error(), "has format 5, and this version reads format 6") {
		t.Error(err)
	}
}
