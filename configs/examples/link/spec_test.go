package link

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/vettest"
)

func TestSpecification(t *testing.T) {
	t.Parallel()
	vettest.Run(t)
}

func TestTranscript(t *testing.T) {
	t.Parallel()
	if Messages != 2 || !keepsState {
		t.Skip("the run is for the sizes as they are")
	}
	m, err := grains.Compose(&System, grains.Choice{
		Grains: []grains.Ref{{Module: "making", Grain: "baseline"}, {Module: "using", Grain: "baseline"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, nil)
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
