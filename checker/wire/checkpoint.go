package wire

import "time"

// ErrorCheckpoint is the kind of error of a checkpoint that cannot be used.
const ErrorCheckpoint = "checkpoint"

// Checkpoint says where an exploration keeps checkpoints, and from which one it continues. Fields
// are those of explore.Options.
type Checkpoint struct {
	Folder   string        `json:"folder,omitempty"`
	Interval time.Duration `json:"interval,omitempty"` // 0: only where the run is ended
	Resume   string        `json:"resume,omitempty"`
	Key      []byte        `json:"key,omitempty"`
	Identity []Fact        `json:"identity,omitempty"`
}

// Fact is something that a run and the checkpoint that it continues from have to share.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Checkpointed reports the checkpoints of a run. Fields are those of checker.Checkpoint.
type Checkpointed struct {
	Folder   string  `json:"folder"`
	Resumed  int64   `json:"resumed,omitempty"`
	Written  int     `json:"written"`
	Distinct int64   `json:"distinct,omitempty"`
	Depth    int     `json:"depth,omitempty"`
	Seconds  float64 `json:"seconds,omitempty"`
	Failure  string  `json:"failure,omitempty"`
}
