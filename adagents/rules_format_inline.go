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
	outer := c.tally
	c.tally = tally{unlisted: outer.unlisted}
	view := c.formatView(o.Raw)
	for i := range declarationRules {
		c.rule = &declarationRules[i].Rule
		declarationRules[i].check(c, view)
	}
	c.rule = rule
	outer.unlisted = c.tally.unlisted
	c.tally = outer
	c.fate = fate
	errs := c.takeErrors(start)
	for i := start; i < len(c.found) && fate != nil; i++ {
		fate.sufferBecause(c.found[i].effect, i+1)
	}
	for i := range errs {
		yield(c.tree.At(errs[i].node), errs[i].msg)
	}
}

// takeErrors removes the errors among the findings from start on and returns
// them. The others stay, with the effect they have in a placement.
func (c *run) takeErrors(start int) []found {
	var errs []found
	all := c.found[start:]
	c.found = c.found[:start]
	for _, f := range all {
		if f.sev == Error {
			errs = append(errs, f)
			continue
		}
		f.effect = inlineEffect(f.effect)
		l := likeness{f.rule, f.sev, f.effect}
		if c.tally.admit(l, c.opt.MaxFindings, len(c.found)) {
			c.found = append(c.found, f)
		} else {
			c.omit(l, f.node)
		}
	}
	return errs
}

// inlineEffect turns what happens to an entry of formats into what happens to
// an option of a placement: one that cannot be used is dropped. What only
// concerns a reference inside it does not cost the option.
func inlineEffect(e Effect) Effect {
	if e == SkipEntry {
		return DropRef
	}
	return NoEffect
}
