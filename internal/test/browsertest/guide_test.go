package browsertest

import "net/http"

// guidePages are one of each kind in the guide: the table of contents, a tutorial with commands,
// an explanation, a reference with tables, and what a search finds.
func guidePages() []visit {
	list := []visit{
		{Name: "guide", URL: "/guide", shows: []string{"Tutorials", "Publish your first file", "Search the guide"}},
		{Name: "guide-tutorial", URL: "/guide/publisher", shows: []string{"avow discover daily.example", "Ask what a buyer asks", "Roll out a network's file"}},
		{Name: "guide-trust", URL: "/guide/trust", shows: []string{"A missing answer is not a no"}},
		{Name: "guide-reference", URL: "/guide/install", shows: []string{"SHA256SUMS"}},
		{Name: "guide-found", URL: "/guide?q=revocation", shows: []string{"these words", "revocation"}},
		{Name: "guide-nothing", URL: "/guide?q=zebra+crossing", shows: []string{"No page has all of these words"}},
	}
	for i := range list {
		list[i].Status, list[i].Axe, list[i].Shot, list[i].Text, list[i].Looks = http.StatusOK, true, true, true, everyLook
	}
	return append(list,
		visit{Name: "guide-large", URL: "/guide/cli", Status: http.StatusOK, Looks: []string{"light", "narrow"}},
		visit{Name: "guide-plain", URL: "/guide/buyer", Status: http.StatusOK, Looks: []string{"plain"}},
		visit{Name: "guide-search", URL: "/guide", Steps: []step{{Fill: "#words", Text: "pinned keys"}, {Enter: "#words"}}, Lands: "/guide?q=pinned+keys"},
		visit{Name: "guide-link", URL: "/guide", Steps: []step{{Submit: ".words a[href='/guide/network']"}}, Lands: "/guide/network"},
		visit{Name: "guide-make", URL: checkPage("none.example"), Steps: []step{{Submit: ".verdict a[href='/guide/publisher']"}}, Lands: "/guide/publisher"},
		visit{Name: "guide-copy", URL: "/guide/publisher", Steps: []step{{Copy: ".copy", Text: "avow discover daily.example"}}},
	)
}
