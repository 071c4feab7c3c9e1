package main

import (
	"testing"

	"github.com/avow-project/avow/internal/gen/genfile"
)

func TestCurrent(t *testing.T) {
	t.Parallel()
	err := genfile.Check("../../../schemas/v3", files)
	if err != nil {
		t.Error(err)
	}
}
