package tap_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/taptest"
)
