package words_test

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/std/words"
)

func TestPlural(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{
		0: "0 agents", 1: "1 agent", 2: "2 agents", 999: "999 agents", 1000: "1,000 agents",
		123456: "123,456 agents", 1234567: "1,234,567 agents", -1000: "-1000 agents",
	} {
		if got := words.Plural(n, "agent", "agents"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"": "", "x": "x", "https://cdn.seller.example/a/mcp?x=1&y": "https://|cdn|.seller|.example/|a/|mcp|?x=1|&y",
		"/api/registry/{agent_url}/": "/|api/|registry/|{agent_url}/", "https://a.example/.well-known/x.json": "https://|a|.example/|.well-known/|x|.json", "ü.é/ß": "ü|.é/|ß",
	} {
		if got := strings.Join(words.Pieces(address), "|"); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestThousands(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 12: "12", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := words.Thousands(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
