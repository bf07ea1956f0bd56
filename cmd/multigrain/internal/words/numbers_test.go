package words

import "testing"

func TestDigits(t *testing.T) {
	t.Parallel()
	for have, want := range map[string]string{"0": "0", "999": "999", "1000": "1,000", "27405213376": "27,405,213,376", "123456789012345678901234567890": "123,456,789,012,345,678,901,234,567,890"} {
		if got := Digits(have); got != want {
			t.Errorf("Digits(%s) = %s, want %s", have, got, want)
		}
	}
	if got := Count(-123456); got != "-123,456" {
		t.Errorf("Count(-123456) = %s", got)
	}
}
