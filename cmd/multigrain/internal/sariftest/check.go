package sariftest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
)

// sarifTypes describes objects of SARIF's schema (sarif-schema-2.1.0.json of OASIS): properties
// with their types, the required ones marked by !. No other property is allowed. Only what this
// command writes is listed.
var sarifTypes = map[string]map[string]string{
	"sarifLog":            {"$schema": "uri", "version!": "=2.1.0", "runs!": "[run"},
	"run":                 {"tool!": "tool", "invocations": "[invocation", "results": "[result"},
	"tool":                {"driver!": "toolComponent"},
	"toolComponent":       {"name!": "string", "version": "string", "informationUri": "uri", "rules": "[reportingDescriptor"},
	"reportingDescriptor": {"id!": "string", "shortDescription": "message"},
	"message":             {"text!": "string"},
	"invocation":          {"executionSuccessful!": "boolean", "exitCode": "integer"},
	"result": {"ruleId": "string", "ruleIndex": "integer", "kind": "=notApplicable|pass|fail|review|open|informational",
		"level": "=none|note|warning|error", "message!": "message", "locations": "[location", "relatedLocations": "[location",
		"suppressions": "[suppression"},
	"location":         {"physicalLocation": "physicalLocation", "message": "message"},
	"physicalLocation": {"artifactLocation!": "artifactLocation", "region": "region"},
	"artifactLocation": {"uri!": "uri"},
	"region":           {"startLine": "line", "startColumn": "line", "endLine": "line"},
	"suppression":      {"kind!": "=inSource|external", "justification": "string"},
}

// Check returns nil for a log that keeps to the schema and to further rules of the standard. Else
// the error says what is wrong, and where.
func Check(text []byte) error {
	var log any
	if err := json.Unmarshal(text, &log); err != nil {
		return err
	}
	if err := checkType("log", log, "sarifLog"); err != nil {
		return err
	}
	run := log.(map[string]any)["runs"].([]any)[0].(map[string]any)
	rules := run["tool"].(map[string]any)["driver"].(map[string]any)["rules"].([]any)
	seen := map[string]bool{}
	for _, r := range rules {
		id := r.(map[string]any)["id"].(string)
		if seen[id] {
			return fmt.Errorf("two rules %s", id) // 3.19.23: unique
		}
		seen[id] = true
	}
	for k, r := range run["results"].([]any) {
		r := r.(map[string]any)
		index := int(r["ruleIndex"].(float64))
		if index >= len(rules) || rules[index].(map[string]any)["id"] != r["ruleId"] {
			return fmt.Errorf("result %d: ruleIndex is not that of %v", k, r["ruleId"]) // 3.27.6
		}
		if r["kind"] != "fail" && r["level"] != "none" {
			// 3.27.10
			return fmt.Errorf("result %d: kind %v with level %v", k, r["kind"], r["level"])
		}
	}
	return nil
}

func checkType(at string, v any, want string) error {
	switch {
	case want[0] == '[':
		list, ok := v.([]any)
		if !ok {
			return fmt.Errorf("%s is no array", at)
		}
		for k, e := range list {
			if err := checkType(fmt.Sprintf("%s[%d]", at, k), e, want[1:]); err != nil {
				return err
			}
		}
		return nil
	case want[0] == '=':
		s, ok := v.(string)
		if !ok || !slices.Contains(splitBars(want[1:]), s) {
			return fmt.Errorf("%s is %v, and not %s", at, v, want[1:])
		}
		return nil
	}
	ok := true
	switch want {
	case "string":
		var s string
		s, ok = v.(string)
		ok = ok && s != ""
	case "uri":
		s, isString := v.(string)
		u, err := url.Parse(s)
		ok = isString && s != "" && err == nil && u.String() == s
	case "boolean":
		_, ok = v.(bool)
	case "integer", "line":
		var n float64
		n, ok = v.(float64)
		ok = ok && n == float64(int(n)) && (want == "integer" || n >= 1)
	default:
		return checkObject(at, v, want)
	}
	if !ok {
		return fmt.Errorf("%s is %v, and no %s", at, v, want)
	}
	return nil
}

func checkObject(at string, v any, want string) error {
	object, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is no object", at)
	}
	known := map[string]string{}
	for name, t := range sarifTypes[want] {
		if name[len(name)-1] == '!' {
			name = name[:len(name)-1]
			if object[name] == nil {
				return fmt.Errorf("%s lacks %s", at, name)
			}
		}
		known[name] = t
	}
	for name, x := range object {
		if known[name] == "" {
			return fmt.Errorf("%s has %s, which the schema does not know", at, name)
		}
		if err := checkType(at+"."+name, x, known[name]); err != nil {
			return err
		}
	}
	return nil
}

func splitBars(s string) (out []string) {
	start := 0
	for k := range len(s) + 1 {
		if k == len(s) || s[k] == '|' {
			out = append(out, s[start:k])
			start = k + 1
		}
	}
	return out
}
