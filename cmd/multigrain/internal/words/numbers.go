package words

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseCount returns a whole number of at least 0. It fails for other texts.
func ParseCount(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, errors.New("a whole number of at least 0 is required")
	}
	return n, nil
}

// units of sizes in bytes: powers of 1000, and with an i of 1024.
var units = map[string]float64{
	"": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
	"ki": 1 << 10, "kib": 1 << 10, "mi": 1 << 20, "mib": 1 << 20, "gi": 1 << 30, "gib": 1 << 30, "ti": 1 << 40, "tib": 1 << 40,
}

// ParseSize returns the number of bytes that a text with a unit means, as 12GiB, 500M or 1.5g. It
// fails for other texts, and for less than a byte.
func ParseSize(s string) (int64, error) {
	number := strings.TrimRightFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	unit, known := units[strings.ToLower(strings.TrimSpace(s[len(number):]))]
	n, err := strconv.ParseFloat(number, 64)
	if bytes := n * unit; err == nil && known && bytes >= 1 && bytes < 1<<62 {
		return int64(bytes), nil
	}
	return 0, errors.New("a size is required, such as 12GiB or 500M")
}

// Count returns a number with its digits in groups of three.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	if n < 0 {
		return "-" + Digits(s[1:])
	}
	return Digits(s)
}

// Rough returns a number from 100,000 on with at least three digits and a letter for thousands (k),
// millions (M) or billions (G), and Count of smaller ones.
func Rough(n int64) string {
	for _, unit := range []struct {
		of   int64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e5, "k"}} {
		if n < unit.of {
			continue
		}
		if unit.name == "k" {
			return Count(n/1000) + "k"
		}
		return fmt.Sprintf("%.*f%s", max(0, 3-len(strconv.FormatInt(n/unit.of, 10))), float64(n)/float64(unit.of), unit.name)
	}
	return Count(n)
}

// Digits puts the digits of a whole number of any size in groups of three.
func Digits(s string) string {
	for k := len(s) - 3; k > 0; k -= 3 {
		s = s[:k] + "," + s[k:]
	}
	return s
}

// Plural returns a count of things.
func Plural(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	if stem, ok := strings.CutSuffix(one, "y"); ok && !strings.ContainsAny(stem[max(0, len(stem)-1):], "aeou") {
		return Count(n) + " " + stem + "ies"
	}
	return Count(n) + " " + one + "s"
}

// Size returns a number of bytes with a unit from B to TiB, as 2.5 MiB.
func Size(bytes int64) string {
	x, unit := float64(bytes), "B"
	for _, u := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if x < 1024 {
			break
		}
		x, unit = x/1024, u
	}
	if unit == "B" || x >= 100 {
		return fmt.Sprintf("%.0f %s", x, unit)
	}
	return fmt.Sprintf("%.1f %s", x, unit)
}

// Rate returns how many of n things there were in a second, as 250 k/s; "-" if no time has passed.
func Rate(n int64, seconds float64) string {
	if seconds <= 0 {
		return "-"
	}
	switch x := float64(n) / seconds; {
	case x >= 1e6:
		return fmt.Sprintf("%.1f M/s", x/1e6)
	case x >= 1e3:
		return fmt.Sprintf("%.0f k/s", x/1e3)
	default:
		return fmt.Sprintf("%.0f/s", x)
	}
}

// Elapsed returns a time in seconds, or in minutes and hours where it is long.
func Elapsed(seconds float64) string {
	switch s := int(seconds); {
	case s >= 3600:
		return fmt.Sprintf("%d h %02d min", s/3600, s/60%60)
	case s >= 100:
		return fmt.Sprintf("%d min %02d s", s/60, s%60)
	case seconds < 0.01:
		return fmt.Sprintf("%.4f s", seconds)
	default:
		return fmt.Sprintf("%.2f s", seconds)
	}
}
