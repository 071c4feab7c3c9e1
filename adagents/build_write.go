package adagents

// appendValue writes a value without white space. Names, strings and numbers
// keep the spelling of the source, so that nothing is lost on the way.
func appendValue(dst []byte, v Value) []byte {
	switch {
	case v.Is(Array):
		dst = append(dst, '[')
		for i, e := range v.Elems() {
			dst = appendValue(appendComma(dst, i), e)
		}
		return append(dst, ']')
	case v.Is(Object):
		w := objectWriter{dst: append(dst, '{')}
		for m := range v.Members() {
			w.dst = appendValue(w.rawName(v.Tree().At(m.Node()).Text()), m.Value())
		}
		return append(w.dst, '}')
	}
	return append(dst, v.Text()...)
}

func appendComma(dst []byte, before int) []byte {
	if before == 0 {
		return dst
	}
	return append(dst, ',')
}

// objectWriter writes the members of one object.
type objectWriter struct {
	dst []byte
	n   int
}

// rawName starts a member whose name is given as written, quotes included.
func (w *objectWriter) rawName(name string) []byte {
	w.dst = append(appendComma(w.dst, w.n), name...)
	w.n++
	return append(w.dst, ':')
}

// str writes a member with a string value.
func (w *objectWriter) str(name, value string) {
	w.dst = AppendString(w.rawName(`"`+name+`"`), value)
}
