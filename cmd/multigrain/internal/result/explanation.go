package result

// Explanation says what a diagnostic code means.
type Explanation struct {
	Code  string `json:"code"`
	Title string `json:"title"`
	// Text has the meaning, an example and the remedy, as a terminal shows them; absent in the list
	// of all codes.
	Text string `json:"text,omitempty"`
}
