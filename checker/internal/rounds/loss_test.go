package rounds_test

import (
	"math"
	"testing"

	"github.com/multigrain/multigrain/checker/internal/rounds"
	"github.com/multigrain/multigrain/checker/internal/simulate"
)

// TestLoss counts how often the first message of a walk can be received: with probability 1-p, up
// to four standard deviations.
func TestLoss(t *testing.T) {
	t.Parallel()
	c, o := zabProtocol(t)
	x := c.strategy(t, rounds.NewSpace(2, 1, 1, 0), false)
	for _, p := range []float64{0, 0.125, 0.5, 1} {
		d := rounds.NewLoss(x, p).Drawer()
		const walks = 4000
		received, all := 0, 0.0
		for walk := range int64(walks) {
			s := initial(c.spec)
			d.Begin(walk, simulate.Source(3, walk+1), &s)
			// UpdateLeader, FollowLeader, and the connection, which sends CEPOCH.
			var sent int
			for sent = -1; sent < 0; {
				var calm []int32
				for k := range c.spec.Instances {
					if o.parts[c.spec.Actions[c.spec.Instances[k].Action].Name] != "fault" && c.spec.Enabled(&s, k) {
						calm = append(calm, int32(k))
					}
				}
				k := d.Draw(&s, calm)
				if k < 0 { // two leaders: nobody connects
					break
				}
				n := s
				c.spec.Apply(&s, &n, k)
				d.Took(k, &s, &n)
				s = n
				if s.State.Msgs.Len(0, 1)+s.State.Msgs.Len(1, 0) == 1 {
					sent = k
				}
			}
			if sent < 0 {
				continue
			}
			all++
			for k := range c.spec.Instances {
				if c.spec.Actions[c.spec.Instances[k].Action].Name == "LeaderProcessCEPOCH" && c.spec.Enabled(&s, k) {
					if d.Draw(&s, []int32{int32(k)}) == k {
						received++
					}
				}
			}
		}
		want := (1 - p) * all
		if math.Abs(float64(received)-want) > 4*math.Sqrt(all*p*(1-p)) || all < walks/4 {
			t.Errorf("p = %g: the message can be received in %d of %g walks", p, received, all)
		}
	}
}
