// Package monitor runs a composition next to a node: its settings, its program, and the service
// around it with metrics, health and alarms.
//
// It imports package session and what that may import.
package monitor
