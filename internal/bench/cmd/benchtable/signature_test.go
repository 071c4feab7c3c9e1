package main

import "testing"

// TestSignatureFigures: what is measured are messages that are accepted.
func TestSignatureFigures(t *testing.T) { //nolint:paralleltest // others would be in its way
	found, err := measureSignature(1)
	if err != nil || found.work == 0 || found.base == 0 {
		t.Errorf("%+v, %v", found, err)
	}
}
