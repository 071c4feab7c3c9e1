package resolve

import "slices"

// Code returns the reason code that decided; other reasons say more about it, or what
// else the reader should know. Of several that lead to a no it is the one that came
// furthest. A Decision, for which nobody looks for the reason why a property is not known,
// then names that.
func (a *Answer) Code() string {
	switch a.Verdict {
	case Authorized:
		return stepCovers.code()
	case Conditional:
		return a.neededCode()
	}
	furthest, code := stepUnknown, ""
	for i := range a.Reasons {
		step, known := stepsByCode[a.Reasons[i].Code]
		if known && step > furthest && step < stepNeeds {
			furthest, code = step, a.Reasons[i].Code
		}
	}
	if code == "" && len(a.Reasons) > 0 {
		return a.Reasons[0].Code
	}
	return code
}

// neededCode is the code of a verdict that depends on what the question leaves out.
func (a *Answer) neededCode() string {
	all := Needs(0)
	for i, name := range needNames {
		if slices.Contains(a.Needs, name) {
			all |= 1 << i
		}
	}
	return all.code()
}
