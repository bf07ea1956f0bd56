package explore_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/naive"
)

// wordsOf is a node in words, the last one filled with zeros.
func wordsOf[T any](n *T) []uint64 {
	b := make([]byte, (unsafe.Sizeof(*n)+7)/8*8)
	copy(b, checker.Bytes(n))
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
}

// TestCauses: of two nodes, the instances that may lead from one to the other are told with the one that did, in whatever order words are
// looked at and in parts, and without most others.
func TestCauses(t *testing.T) {
	t.Parallel()
	steps, told, all := 0, 0, 0
	for seed := range broadSeeds() {
		composed, prints := broadly(seed)
		spec := broadOf(t, composed, &prints)
		causes := spec.Spared.Causes()
		r := rand.New(rand.NewPCG(seed, 5))
		weights, rest := make([]int, len(wordsOf(new(broadNode)))), make([]int, len(wordsOf(new(broadNode))))
		naive.Run(broadOf(t, composed, nil), naive.Options[broadNode]{MaxStates: 300, Each: func(s *broadNode, _ int) {
			for w := range weights {
				if weights[w], rest[w] = r.IntN(4), 0; weights[w] == 0 {
					rest[w] = 1
				}
			}
			first, second := causes.Order(weights), causes.Order(rest)
			for k := range spec.Instances {
				if !spec.Enabled(s, k) {
					continue
				}
				n := *s
				spec.Apply(s, &n, k)
				set := causes.All()
				causes.Narrow(set, wordsOf(s), wordsOf(&n), first)
				causes.Narrow(set, wordsOf(s), wordsOf(&n), second)
				instances := make([]uint64, (len(spec.Instances)+63)/64)
				causes.Instances(set, instances)
				if instances[k/64]>>(k%64)&1 == 0 {
					t.Fatalf("seed %d: %s is not told as the cause of its step", seed, checker.InstanceName(spec, k))
				}
				steps, all = steps+1, all+len(spec.Instances)
				for x := range spec.Instances {
					told += int(instances[x/64] >> (x % 64) & 1)
				}
			}
		}})
	}
	t.Logf("%d steps, of %d instances %d may have led", steps, all, told)
	if steps < 1000 || told > all/3 {
		t.Error("causes tell little")
	}
}
