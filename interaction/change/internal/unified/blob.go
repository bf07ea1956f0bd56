package unified

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// IsBlob reports whether a name, perhaps abbreviated, is that of a text's object in Git, by SHA-1
// or SHA-256.
func IsBlob(text, name string) bool {
	if strings.Trim(name, "0") == "" {
		return false
	}
	object := fmt.Appendf(nil, "blob %d\x00%s", len(text), text)
	short, long := sha1.Sum(object), sha256.Sum256(object)
	return strings.HasPrefix(hex.EncodeToString(short[:]), name) || strings.HasPrefix(hex.EncodeToString(long[:]), name)
}

// blobName returns a word of a diff if it is the name of an object in Git, and "" otherwise, or for
// no object. The word becomes an argument of Git, which takes other words for flags.
func blobName(word string) string {
	if strings.Trim(word, "0123456789abcdef") != "" || strings.Trim(word, "0") == "" {
		return ""
	}
	return word
}
