package notary_test

import (
	"os"
	"testing"

	"github.com/avow-project/avow/internal/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
