package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// said is what go test -json writes about two packages, shortened: one passes, in the other a
// subtest fails and a test is skipped. A third does not compile.
const said = `{"Action":"start","Package":"a"}
{"Action":"run","Package":"a","Test":"TestGood"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"output","Package":"b","Test":"TestBad/row","Output":"    bad_test.go:7: 1 is not 2\n"}
{"Action":"output","Package":"b","Test":"TestOther","Output":"    other_test.go:9: not on this machine\n"}
{"Action":"pass","Package":"a","Test":"TestGood","Elapsed":0.5}
{"Action":"output","Package":"a","Output":"PASS\n"}
{"Action":"output","Package":"a","Output":"ok  \ta\t0.512s\n"}
{"Action":"pass","Package":"a","Elapsed":0.512}
{"Action":"fail","Package":"b","Test":"TestBad/row","Elapsed":0}
{"Action":"fail","Package":"b","Test":"TestBad","Elapsed":0}
{"Action":"skip","Package":"b","Test":"TestOther","Elapsed":0}
{"Action":"output","Package":"b","Output":"FAIL\tb\t0.100s\n"}
{"Action":"fail","Package":"b","Elapsed":0.1}
{"ImportPath":"c","Action":"build-output","Output":"c.go:3: undefined: x\n"}
{"ImportPath":"c","Action":"build-fail"}
{"Action":"output","Package":"c","Output":"FAIL\tc [build failed]\n"}
{"Action":"fail","Package":"c","Elapsed":0,"FailedBuild":"c"}
{"Action":"output","Package":"d","Output":"?   \td\t[no test files]\n"}
{"Action":"skip","Package":"d","Elapsed":0}
`

func TestRun(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	err := run(strings.NewReader(said), &out, "")
	if err != nil {
		t.Fatal(err)
	}
	const want = "ok  \ta\t0.512s\n    bad_test.go:7: 1 is not 2\n    other_test.go:9: not on this machine\nFAIL\tb\t0.100s\n" +
		"c.go:3: undefined: x\nFAIL\tc [build failed]\n1 passed, 3 failed, 1 skipped\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestRunAddsToFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "counts")
	for range 2 {
		err := run(strings.NewReader(said), new(strings.Builder), file)
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != "1 3 1\n1 3 1\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	err := run(strings.NewReader("ok  \ta\t0.5s\n"), new(strings.Builder), "")
	if err == nil || !strings.Contains(err.Error(), "not what go test -json writes") {
		t.Errorf("%v", err)
	}
}
