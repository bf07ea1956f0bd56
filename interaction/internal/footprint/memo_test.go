package footprint

import (
	"reflect"
	"testing"
)

// TestMemo: random programs have the same footprints whether calls with unchanged inputs are
// interpreted again or not. Only the number of interpreted instructions differs.
func TestMemo(t *testing.T) {
	t.Parallel()
	saved, steps := 0, 0
	for seed := range int64(1000) {
		x, y := generate(t, seed), generate(t, seed)
		y.a.forgetful = true
		with, without := x.a.Action(x.code), y.a.Action(y.code)
		if with.Steps > without.Steps {
			t.Errorf("program %d: %d instructions were interpreted, and %d without what calls remember", seed, with.Steps, without.Steps)
		}
		saved, steps = saved+without.Steps-with.Steps, steps+without.Steps
		with.Steps, without.Steps = 0, 0
		if !reflect.DeepEqual(with, without) {
			t.Errorf("program %d has the footprint\n%+v\nand, without what calls remember,\n%+v\n%s", seed, with, without, x.text)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d instructions saved", saved, steps)
	if saved == 0 {
		t.Error("no call was remembered: the test says nothing")
	}
}
