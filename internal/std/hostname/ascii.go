package hostname

import "strings"

// asciiName maps a host to lower-case A-labels, removes one trailing dot, and
// checks every label. The bool says whether there was a dot to remove. With
// lenient set, underscores pass: URL hosts carry them in practice.
func asciiName(host string, lenient bool) (string, bool, Kind) {
	kind := hostFault(host)
	if kind != 0 {
		return "", false, kind
	}
	name, dot, kind := lowerName(host)
	if kind != 0 {
		return "", dot, kind
	}
	kind = labelFault(name, lenient)
	if kind != 0 {
		return "", dot, kind
	}
	// This is not in vain after the mapping: a few symbols map to letters that
	// are written from right to left, which only a second look notices.
	kind = encodedFault(name)
	if kind != 0 {
		return "", dot, kind
	}
	return name, dot, 0
}

// hostFault catches, before any mapping, what deserves a name of its own.
func hostFault(host string) Kind {
	switch {
	case host == "":
		return Empty
	case len(host) > maxUnicodeName:
		return TooLong
	case strings.Contains(host, "*"):
		return Wildcard
	case strings.Contains(host, "%"):
		return Percent
	}
	return 0
}

// lowerName folds a host to ASCII and cuts one trailing dot. The dot is cut
// after mapping, because the mapping turns ideographic full stops into dots.
func lowerName(host string) (string, bool, Kind) {
	name := host
	if !isASCII(host) {
		mapped, err := lookupProfile.ToASCII(host)
		if err != nil {
			return "", false, idnaKind(host)
		}
		name = mapped
	}
	name, dot := strings.CutSuffix(strings.ToLower(name), ".")
	if name == "" {
		return "", dot, EmptyLabel
	}
	return name, dot, 0
}

// idnaKind names the reason for an IDNA failure where a plainer one is at hand.
func idnaKind(host string) Kind {
	if strings.Contains(host, "_") {
		return Underscore
	}
	return IDNA
}

// labelFault checks a lower-case ASCII name label by label. The IDNA package
// does not: it lets empty and overlong labels through.
func labelFault(name string, lenient bool) Kind {
	if len(name) > MaxName {
		return TooLong
	}
	for label := range strings.SplitSeq(name, ".") {
		kind := oneLabelFault(label, lenient)
		if kind != 0 {
			return kind
		}
	}
	return 0
}

// oneLabelFault checks the length and the characters of one label.
func oneLabelFault(label string, lenient bool) Kind {
	if label == "" {
		return EmptyLabel
	}
	if len(label) > MaxLabel {
		return LabelTooLong
	}
	for i := range len(label) {
		class := classes[label[i]]
		switch {
		case label[i] == '_' && lenient:
		case label[i] == '_':
			return Underscore
		case class == 0 || class == classDot:
			return BadCharacter
		}
	}
	if !labelOK(label) {
		return Hyphen
	}
	return 0
}

// encodedFault has IDNA judge a checked ASCII name that holds A-labels. A
// canonical name maps to itself; one that does not is a second spelling of
// some other name and is refused rather than compared.
func encodedFault(name string) Kind {
	encoded := false
	for label := range strings.SplitSeq(name, ".") {
		if !hyphens34(label) {
			continue
		}
		if !strings.HasPrefix(label, "xn--") {
			return Hyphen
		}
		encoded = true
	}
	if !encoded {
		return 0
	}
	mapped, err := lookupProfile.ToASCII(name)
	if err != nil || mapped != name {
		return idnaKind(name)
	}
	return 0
}
