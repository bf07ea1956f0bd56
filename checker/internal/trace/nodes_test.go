package trace

import (
	"reflect"
	"testing"
)

// TestNumberNodes numbers nodes in the order of their ids. A configuration becomes a list.
func TestNumberNodes(t *testing.T) {
	t.Parallel()
	events := []Event{
		{Fields: map[string]any{"state": map[string]any{"node_id": "bb"}, "to_node_id": "10", "args": map[string]any{
			"configuration": map[string]any{"nodes": map[string]any{"10": map[string]any{}, "9": map[string]any{}}}}}},
		{Fields: map[string]any{"state": map[string]any{"node_id": int64(9)}, "from_node_id": "bb"}},
	}
	numberNodes(events)
	want := []Event{
		{Fields: map[string]any{"state": map[string]any{"node_id": int64(2)}, "to_node_id": int64(1), "args": map[string]any{
			"configuration": map[string]any{"nodes": []any{int64(0), int64(1)}}}}},
		{Fields: map[string]any{"state": map[string]any{"node_id": int64(0)}, "from_node_id": int64(2)}},
	}
	if !reflect.DeepEqual(events, want) {
		t.Errorf("got %+v, want %+v", events, want)
	}
}
