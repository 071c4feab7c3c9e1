package wire

// Finding is a finding about a file, or about the way to it.
type Finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Effect   string `json:"effect"`
	// URL is the document or the request concerned, for a target on the web.
	URL       string `json:"url,omitempty"`
	Pointer   string `json:"pointer"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Message   string `json:"message"`
	Hint      string `json:"hint"`
	Detail    string `json:"detail,omitempty"`
	Spec      string `json:"spec"`
	More      int    `json:"more,omitzero"`
	Baselined bool   `json:"baselined,omitzero"`
}
