// Package unified reads unified diffs: those of Git, those of diff -u and diff -r, and mails of
// git format-patch. It applies them to texts in both directions.
//
// A name is the end that the paths of both sides have in common, by folders. So prefixes of any
// setting are left out. A diff that does not compare two texts by lines is an error with the
// reason. Such are a combined diff of a merge, one by words, or several changes of one file.
package unified
