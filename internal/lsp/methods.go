package lsp

import (
	"github.com/avow-project/avow/adagents"
)

// requested answers a request.
func (s *server) requested(m *message) (any, error) {
	switch m.Method {
	case "initialize":
		return s.initialize(m)
	case "shutdown":
		s.shutdown = true
		return nil, nil
	case "textDocument/hover":
		return s.atPosition(m, func(d *document, in *atParams) any {
			h := d.hover(in.Position)
			if h == nil {
				return nil
			}
			return h
		})
	case "textDocument/completion":
		return s.atPosition(m, func(d *document, in *atParams) any { return notNil(d.complete(in.Position, s.snippets)) })
	case "textDocument/definition":
		return s.atPosition(m, func(d *document, in *atParams) any { return notNil(d.definition(in.Position)) })
	case "textDocument/references":
		return s.atPosition(m, func(d *document, in *atParams) any {
			return notNil(d.references(in.Position, in.Context.Declaration))
		})
	case "textDocument/prepareRename":
		return s.atPosition(m, func(d *document, in *atParams) any {
			at, _ := d.named(in.Position)
			if at < 0 {
				return nil
			}
			n := &d.outline().nodes[at]
			return d.rangeOf(n.start+1, n.end-1) // inside the quotation marks
		})
	case "textDocument/rename":
		return s.renamed(m)
	case "textDocument/codeAction":
		in, err := decode[actionParams](m.Params)
		if err != nil {
			return nil, err
		}
		d := s.document(in.Document.URI)
		if d == nil {
			return []action{}, nil
		}
		return d.actions(in, s.documents, s.options()), nil
	case "textDocument/formatting":
		in, err := decode[documentParams](m.Params)
		if err != nil {
			return nil, err
		}
		d := s.document(in.Document.URI)
		if d == nil {
			return []textEdit{}, nil
		}
		return d.formatted()
	}
	return nil, &failure{methodNotFound, "avow does not know " + quote(m.Method)}
}

// renamed answers a request for another name of an id or a tag.
func (s *server) renamed(m *message) (any, error) {
	in, err := decode[atParams](m.Params)
	if err != nil {
		return nil, err
	}
	d := s.document(in.Document.URI)
	if d == nil {
		return nil, nil
	}
	return d.rename(in.Position, in.NewName, s.documents)
}

// atPosition answers a request about a place in a document: with nothing when it is not ours.
func (s *server) atPosition(m *message, f func(*document, *atParams) any) (any, error) {
	in, err := decode[atParams](m.Params)
	if err != nil {
		return nil, err
	}
	d := s.document(in.Document.URI)
	if d == nil {
		return nil, nil
	}
	return f(d, in), nil
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (s *server) initialize(m *message) (any, error) {
	in, err := decode[initializeParams](m.Params)
	if err != nil {
		return nil, err
	}
	if s.initialized {
		return nil, &failure{invalidRequest, "initialize was sent before"}
	}
	switch in.Options.Profile {
	case "":
	case adagents.Default.String():
		s.profile = adagents.Default
	case adagents.Strict.String():
		s.profile = adagents.Strict
	default:
		return nil, &failure{invalidParams, "initializationOptions.profile is default or strict"}
	}
	s.initialized = true
	s.documents, s.snippets = in.Capabilities.Workspace.Edit.Documents,
		in.Capabilities.TextDocument.Completion.Item.Snippets
	const incremental = 2
	return &initializeResult{
		Capabilities: map[string]any{
			"positionEncoding":           "utf-16",
			"textDocumentSync":           map[string]any{"openClose": true, "change": incremental},
			"hoverProvider":              true,
			"completionProvider":         map[string]any{"triggerCharacters": []string{`"`}},
			"definitionProvider":         true,
			"referencesProvider":         true,
			"renameProvider":             map[string]any{"prepareProvider": true},
			"documentFormattingProvider": true,
			"codeActionProvider":         map[string]any{"codeActionKinds": []string{quickFix, fixAll}},
		},
		Server: map[string]string{"name": "avow", "version": s.config.Version},
	}, nil
}

// notified takes note of what a client says.
func (s *server) notified(m *message) (any, error) {
	switch m.Method {
	case "textDocument/didOpen":
		in, err := decode[openParams](m.Params)
		if err != nil {
			return nil, err
		}
		s.put(newDocument(in.Document.DocumentID, in.Document.Language, []byte(in.Document.Text), s.options()))
	case "textDocument/didChange":
		in, err := decode[changeParams](m.Params)
		if err != nil {
			return nil, err
		}
		s.change(in)
	case "textDocument/didClose":
		in, err := decode[documentParams](m.Params)
		if err != nil {
			return nil, err
		}
		s.forget(in.Document.URI)
	}
	return nil, nil
}

func (s *server) change(in *changeParams) {
	s.mu.Lock()
	d := s.docs[in.Document.URI]
	s.mu.Unlock()
	if d == nil {
		return // it was never opened
	}
	opt := s.options()
	s.put(d.changed(in.Changes, func(text []byte) *document { return newDocument(in.Document, d.language, text, opt) }))
}

// forget closes a document. What was said about it is taken back.
func (s *server) forget(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.docs[uri] == nil {
		return
	}
	delete(s.docs, uri)
	s.say("textDocument/publishDiagnostics", &publishParams{uri, nil, []diagnostic{}})
}
