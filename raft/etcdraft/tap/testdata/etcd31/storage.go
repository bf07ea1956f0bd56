package main

import (
	"io"
	"log"

	"github.com/coreos/etcd/raft"
	"github.com/coreos/etcd/raft/raftpb"
)

// voters is a Storage with the configuration of three nodes.
type voters struct{ *raft.MemoryStorage }

func (v voters) InitialState() (raftpb.HardState, raftpb.ConfState, error) {
	h, _, err := v.MemoryStorage.InitialState()
	return h, raftpb.ConfState{Nodes: []uint64{1, 2, 3}}, err
}

func silent() *log.Logger { return log.New(io.Discard, "", 0) }
