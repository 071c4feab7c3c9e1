package catalogue

import (
	"testing"

	"github.com/avow-project/avow/adagents"
)

func TestEveryExampleHasAPlace(t *testing.T) {
	t.Parallel()
	for _, r := range adagents.Rules() {
		if PlaceWords[r.In] == "" {
			t.Errorf("%s: no words for where its examples stand", r.Code)
		}
	}
}
