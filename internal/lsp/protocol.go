package lsp

import "github.com/go-json-experiment/json/jsontext"

// Position is a place in a document: lines from 0, and units of UTF-16 in the line.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is from a place up to another.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

type textEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

type initializeParams struct {
	Options struct {
		Profile string `json:"profile"`
	} `json:"initializationOptions"`
	Capabilities struct {
		Workspace struct {
			Edit struct {
				Documents bool `json:"documentChanges"`
			} `json:"workspaceEdit"`
		} `json:"workspace"`
		TextDocument struct {
			Completion struct {
				Item struct {
					Snippets bool `json:"snippetSupport"`
				} `json:"completionItem"`
			} `json:"completion"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}

type initializeResult struct {
	Capabilities map[string]any    `json:"capabilities"`
	Server       map[string]string `json:"serverInfo"`
}

// DocumentID names a document.
type DocumentID struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
}

type openParams struct {
	Document struct {
		DocumentID
		Language string `json:"languageId"`
		Text     string `json:"text"`
	} `json:"textDocument"`
}

type changeParams struct {
	Document DocumentID   `json:"textDocument"`
	Changes  []textChange `json:"contentChanges"`
}

// textChange replaces a part of a document, or without a range all of it.
type textChange struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

type documentParams struct {
	Document DocumentID `json:"textDocument"`
}

type atParams struct {
	Document DocumentID `json:"textDocument"`
	Position Position   `json:"position"`
	Context  struct {
		Declaration bool `json:"includeDeclaration"`
	} `json:"context"`
	NewName string `json:"newName"`
}

type cancelParams struct {
	ID jsontext.Value `json:"id"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range    Range     `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code"`
	About    *codeLink `json:"codeDescription,omitempty"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
}

type codeLink struct {
	Href string `json:"href"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    Range  `json:"range"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func markdown(text string) markup { return markup{"markdown", text} }

type completionItem struct {
	Label         string   `json:"label"`
	Kind          int      `json:"kind"`
	Detail        string   `json:"detail,omitempty"`
	Documentation *markup  `json:"documentation,omitempty"`
	SortText      string   `json:"sortText"`
	FilterText    string   `json:"filterText"`
	Format        int      `json:"insertTextFormat"`
	Edit          textEdit `json:"textEdit"`
}

type actionParams struct {
	Document DocumentID `json:"textDocument"`
	Range    Range      `json:"range"`
	Context  struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type action struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics,omitempty"`
	Preferred   bool          `json:"isPreferred,omitzero"`
	Edit        workspaceEdit `json:"edit"`
}

// workspaceEdit has one of the two.
type workspaceEdit struct {
	Changes   map[string][]textEdit `json:"changes,omitempty"`
	Documents []documentEdit        `json:"documentChanges,omitempty"`
}

type documentEdit struct {
	Document DocumentID `json:"textDocument"`
	Edits    []textEdit `json:"edits"`
}
