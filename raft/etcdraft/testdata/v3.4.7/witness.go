// Code generated from raft/etcdraft/witness.go by go test ./raft/etcdraft -run TestTranslated -update; DO NOT EDIT.

//go:build !multigrain_runtime

package etcdraft

import (
	"fmt"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/raft"
)

// Symptoms is the vocabulary of symptom blocks: a word, its settings in brackets, and what is seen.
const Symptoms = `
stale-read: a client got an older value than one that was written or read before it asked
`

// Watch implements conform.Witness. It returns an error for a word that Symptoms lacks.
func (a *adapter) Watch(all []conform.Symptom) error {
	a.watched = all
	for _, s := range all {
		if s.Word != "stale-read" {
			return fmt.Errorf("the adapter knows no symptom %q", s.Word)
		}
	}
	return nil
}

// Look implements conform.Witness. The value of a read is that of the register of the server which
// answered it. What a client knew comes from the commands that the library gave to leaders to
// apply.
func (a *adapter) Look() (out []conform.Sighting) {
	for _, s := range a.watched {
		seen := conform.Sighting{Word: s.Word, Judged: true, Text: "no client got an older value than it knew"}
		for k := range a.own.Reads {
			r, floor := &a.own.Reads[k], a.clients.floors[:][k]
			if r.Phase == raft.Answered && r.Value < floor {
				seen.Seen = true
				seen.Text = fmt.Sprintf("read %d at server %d got the value of index %d, and the command at index %d was done before "+
					"the read began", k, r.Server, r.Value, floor)
			}
		}
		out = append(out, seen)
	}
	return out
}
