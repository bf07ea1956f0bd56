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

func TestRough(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{-5: "-5", 0: "0", 99_999: "99,999", 123_456: "123k", 1_234_567: "1.23M", 45_678_901: "45.7M", 987_654_321: "988M", 3_000_000_000: "3.00G", 1_234_567_890_123: "1235G"} {
		if got := Rough(n); got != want {
			t.Errorf("Rough(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	t.Parallel()
	for one, want := range map[string]string{"step": "2 steps", "query": "2 queries", "way": "2 ways", "key": "2 keys"} {
		if got := Plural(2, one); got != want {
			t.Errorf("%s: %s, want %s", one, got, want)
		}
	}
}
