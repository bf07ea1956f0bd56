package sariftest

import (
	"testing"
)

// TestCheckSARIF: the check finds what is wrong.
func TestCheckSARIF(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		`{}`, `{"version":"2.0.0","runs":[]}`, `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"extra":1}]}`,
		`{"version":"2.1.0","runs":[{"tool":{"driver":{}}}]}`, `{"version":"2.1.0","runs":{}}`,
		`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x","rules":[]}},"results":[{"message":{"text":"x"},"level":"bad"}]}]}`,
		`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x","rules":[{"id":"a"}]}},"results":[{"message":{"text":"x"},"ruleId":"b","ruleIndex":0}]}]}`,
	} {
		if Check([]byte(bad)) == nil {
			t.Errorf("%s passes", bad)
		}
	}
}
