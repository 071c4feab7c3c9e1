package adagents

// inlineFaults checks a format option that carries format_kind as a full
// declaration and calls yield for each fault that makes it unusable. What is
// merely odd is reported under its own code, as it is in formats.
func (c *run) inlineFaults(o *FormatOption, yield func(at Value, msg string)) {
	if !o.Raw.Is(Object) {
		return
	}
	rule, fate, start := c.rule, c.fate, len(c.found)
	c.fate = nil
	view := c.formatView(o.Raw)
	for i := range declarationRules {
		c.rule = &declarationRules[i].Rule
		declarationRules[i].check(c, view)
	}
	c.rule, c.fate = rule, fate
	for _, f := range c.takeErrors(start) {
		yield(c.tree.At(f.node), f.msg)
	}
}

// takeErrors removes the errors among the findings from start on and returns
// them. The others stay, without the effects they have on entries of formats.
func (c *run) takeErrors(start int) []found {
	var errs []found
	kept := c.found[:start]
	for _, f := range c.found[start:] {
		if f.sev == Error {
			errs = append(errs, f)
			continue
		}
		f.effect = NoEffect
		kept = append(kept, f)
	}
	c.found = kept
	return errs
}
