package adagents

// inlineFaults checks a format option that carries format_kind as a full
// declaration and calls yield for each fault that makes it unusable. What is
// merely odd is reported under its own code, as it is in formats.
func inlineFaults(r reporter, o *FormatOption, yield func(at Value, msg string)) {
	if !o.Raw.Is(Object) {
		return
	}
	own := findings{limits: limits{unlisted: r.out.limits.unlisted}}
	view := r.formatView(o.Raw)
	for i := range declarationRules {
		declarationRules[i].check(reporter{r.content, &own, &declarationRules[i].Rule, nil}, view)
	}
	r.out.limits.unlisted = own.limits.unlisted
	r.out.losses = r.out.losses || own.losses
	for i := range own.list {
		if f := &own.list[i]; f.sev < Error {
			r.takeOver(f)
		}
	}
	for i := range own.list {
		if f := &own.list[i]; f.sev == Error {
			yield(r.tree.At(f.node), f.msg)
		}
	}
}

// takeOver adds a finding of another rule, with the effect it has in a placement.
func (r reporter) takeOver(f *rawFinding) {
	f.effect = inlineEffect(f.effect)
	k := findingKind{f.rule, f.sev, f.effect}
	if !r.out.limits.admit(k, r.opt.MaxFindings, len(r.out.list)) {
		r.omit(k, f.node)
		return
	}
	r.out.list = append(r.out.list, *f)
	if r.effect != nil {
		r.effect.raise(f.effect, len(r.out.list))
	}
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
