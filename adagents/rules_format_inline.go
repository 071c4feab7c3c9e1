package adagents

// inlineFaults checks a format option that carries format_kind as a full
// declaration and calls yield for each fault that makes it unusable.
func (c *run) inlineFaults(o *FormatOption, yield func(at Value, msg string)) {}
