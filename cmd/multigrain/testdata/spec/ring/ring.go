// Package ring is an implementation of package buffer, a slice, and its adapter.
package ring

import (
	"errors"
	"fmt"
	"io"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/cmd/multigrain/testdata/spec/buffer"
	"github.com/multigrain/multigrain/modules"
)

// Implementation is the slice. Its setting last makes the item of that number its last: it panics when it is asked for another one.
var Implementation = conform.Implementation[buffer.State]{Name: "ring", Open: open}

type ring struct {
	last        string
	made, taken uint8
	items       []uint8
	had         [buffer.Consumers]uint8
	full        [buffer.Consumers]bool
	out         io.Writer
}

func open(s conform.Setup) (conform.Adapter[buffer.State], error) {
	if s.Version == "v0" {
		return nil, errors.New("version v0 has no adapter")
	}
	return &ring{last: s.Settings["last"]}, nil
}

func (r *ring) Variables() []string { return []string{"Made", "Taken", "Queue", "Last", "Moods"} }

func (r *ring) Start(*buffer.State) error {
	*r = ring{last: r.last, out: r.out}
	return nil
}

func (r *ring) Log(w io.Writer) { r.out = w }

func (r *ring) Stop() error { return nil }

func (r *ring) Perform(s conform.Step[buffer.State]) error {
	if r.out != nil {
		fmt.Fprintf(r.out, "  ring %v\n", r.items)
	}
	p, _ := s.Params.(modules.One[buffer.Consumer])
	switch s.Action {
	case "Put":
		if r.last == fmt.Sprint(r.made) {
			panic("the ring is worn out")
		}
		r.made++
		r.items = append(r.items, r.made)
	case "Take":
		r.had[p.I], r.full[p.I] = r.items[0], true
		r.items = r.items[1:]
		r.taken++
	case "Rest":
		r.full[p.I] = false
	default:
		return fmt.Errorf("a ring cannot do %s", s.Action)
	}
	return nil
}

func (r *ring) Observe(s *buffer.State) error {
	s.Made, s.Taken, s.Last = r.made, r.taken, r.had
	s.Queue.Clear()
	for _, x := range r.items {
		s.Queue.Append(x)
	}
	for k := range s.Moods {
		s.Moods[k] = buffer.Hungry
		if r.full[k] {
			s.Moods[k] = buffer.Full
		}
	}
	return nil
}
