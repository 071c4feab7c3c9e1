package custodian_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/avow-project/avow/internal/service/store/pack"
)

func TestMain(m *testing.M) {
	// What packs documents is made on first use, and what is made in a bubble of one test
	// cannot be used in that of another.
	packed, err := pack.Bytes([]byte("anything"))
	if err != nil {
		panic(err)
	}
	_, err = pack.Unbytes(packed, int64(len("anything")))
	if err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}
