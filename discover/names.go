package discover

// Names of the answers, methods and steps. They are stable and used in JSON,
// logs and metrics.
var (
	answerNames = [...]string{
		Unreachable: "unreachable", Absent: "absent", Unusable: "unusable", Usable: "usable", Unchanged: "unchanged",
	}
	methodNames = [...]string{
		Direct: "direct", AuthoritativeLocation: "authoritative_location", ManagerDomain: "ads_txt_managerdomain",
	}
	stepNames = [...]string{
		WellKnown: "well_known", Authoritative: "authoritative", AdsTxt: "ads_txt", Manager: "manager",
		ManagerAuthoritative: "manager_authoritative", Superseding: "superseding",
	}
)

// String returns the stable name.
func (a Answer) String() string { return answerNames[a] }

// MarshalText returns the stable name.
func (a Answer) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// String returns the stable name.
func (m Method) String() string { return methodNames[m] }

// MarshalText returns the stable name.
func (m Method) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// String returns the stable name.
func (s Step) String() string { return stepNames[s] }

// MarshalText returns the stable name.
func (s Step) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
