package resolve

// Code returns the reason code that decided; other reasons say more about it, or what
// else the reader should know. Of several that lead to a no it is the one that came
// furthest. The index, which knows less about entries without effect, may name another
// one of those.
func (a *Answer) Code() string {
	switch a.Verdict {
	case Authorized:
		return stepCovers.Code()
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
	for i, name := range needNames {
		for _, need := range a.Needs {
			if need == name {
				return Decision{Reason: stepNeeds, Needs: 1 << i}.Code()
			}
		}
	}
	for i := range a.Reasons {
		if a.Reasons[i].Code == "signal.in_catalog" {
			return a.Reasons[i].Code
		}
	}
	return stepNeeds.Code()
}

// stepsByCode are the steps that a question takes, by their reason codes.
var stepsByCode = func() map[string]Step {
	all := make(map[string]Step, len(stepCodes))
	for s, code := range stepCodes {
		all[code] = Step(s)
	}
	return all
}()
