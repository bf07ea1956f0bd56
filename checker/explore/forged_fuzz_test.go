package explore_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker/explore"
)

// forgeSize is the number of bytes that one change of a checkpoint takes: the number of the record,
// the place in it, what is done there, and a value.
const forgeSize = 6

// forge changes records as the bytes say. It returns which ones it changed.
func forge(frames []frame, changes []byte) (out []frame, touched map[int]bool) {
	out, touched = slices.Clone(frames), map[int]bool{}
	for ; len(changes) >= forgeSize; changes = changes[forgeSize:] {
		k := int(changes[0]) % len(out)
		at := int(binary.LittleEndian.Uint16(changes[1:]))
		body := slices.Clone(out[k].body)
		switch place := at % (len(body) + 1); changes[3] % 5 {
		case 0:
			body = slices.Insert(body, place, changes[5])
		case 1:
			body = slices.Delete(body, place, min(place+1+int(changes[4]), len(body)))
		case 2:
			if place < len(body) {
				body[place] = changes[5]
			}
		case 3:
			if place < len(body) {
				body[place] ^= changes[5]
			}
		case 4:
			out[k].kind = changes[5]
		}
		out[k].body = body
		touched[k] = true
	}
	return out, touched
}

// FuzzCheckpoint continues from checkpoints that are changed, with right checksums. Whatever is
// changed, the run ends, with an error or a result. If one record is changed, the result is right.
func FuzzCheckpoint(f *testing.F) {
	of := newForgery(f, counted(), explore.Options{Workers: 1}, 120)
	f.Add([]byte{})
	for k := range len(of.frames) {
		for op := range byte(5) {
			f.Add([]byte{byte(k), 7, 0, op, 1, 'V'})
		}
	}
	f.Add([]byte{0, 40, 0, 3, 0, 1, byte(len(of.frames) - 1), 40, 0, 3, 0, 1})
	f.Fuzz(func(t *testing.T, changes []byte) {
		frames, touched := forge(of.frames, changes)
		wrong, refused := of.resume(t, frames)
		if len(touched) > 1 {
			return
		}
		if refused != nil && !refusal(refused) {
			t.Error(refused)
		}
		if wrong != "" {
			t.Error(wrong)
		}
	})
}
