# Everything a contributor or a CI machine runs goes through this file, so that
# both run the same commands. `make` alone lists the targets.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS   += --no-builtin-rules
.DEFAULT_GOAL := help
.NOTPARALLEL:

# The program needs no C, and tests without it share what is compiled for the program, whether there
# is a C compiler or not. The race detector needs one.
export CGO_ENABLED = 0
# Everything is compiled as it is for a release, so that the linter, the tests and the program share
# what is compiled: without this, most of it is compiled twice. A release has no information for
# debuggers; to make none in the first place saves a seventh of the time that compiling takes.
# Without make, everything is compiled as usual.
COMPILED := -trimpath -gcflags=all=-dwarf=false
override GOFLAGS := $(strip $(filter-out $(COMPILED),$(shell go env GOFLAGS)) $(COMPILED))
export GOFLAGS
# Makes output of `go test -json` readable, and counts the tests.
COUNTED := CGO_ENABLED=0 go run ./tools/tally

MODULE := github.com/avow-project/avow

# Pinned, because a linter that changes under us fails builds nobody touched.
GOLANGCI_VERSION := v2.14.0
# The directory carries the Go version too: a linter built with an older Go
# refuses code that targets a newer one.
GOVERSION := $(shell go env GOVERSION)
GOLANGCI_DIR := $(CURDIR)/.tools/golangci-lint-$(GOLANGCI_VERSION)-$(GOVERSION)
GOLANGCI     := $(GOLANGCI_DIR)/golangci-lint

# Lowest accepted statement coverage of the core package, in percent.
COVERMIN  ?= 95
# Time per fuzz target of `make fuzz`, and executions per target inside `make test`.
FUZZTIME  ?= 60s
FUZZSMOKE ?= 1000
# Packages that `make fuzz` looks at.
FUZZPKG   ?= ./...

# The commit that the binary names, and its date, so that building a commit twice gives the same
# bytes. Git is asked here because the Go toolchain fails where git refuses to answer, such as in a
# checkout of another user.
COMMIT = $(shell git describe --always --abbrev=40 --exclude '*' --dirty 2>/dev/null)
DATE   = $(shell TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd 2>/dev/null)
STAMP := $(MODULE)/internal/buildinfo

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build the static binary bin/avow
	go build -trimpath -buildvcs=false -ldflags '-s -w -X $(STAMP).commit=$(COMMIT) -X $(STAMP).date=$(DATE)' -o bin/avow ./cmd/avow

.PHONY: serve
serve: build ## build avow and run the registry service; prints its URL (ARGS are flags)
	bin/avow serve $(ARGS)

# Compilers, linters and tests are quicker when they collect garbage less often. The services
# whose memory is measured get their settings from the tests.
test quick unit race cover: export GOGC = 400
# What tests choose with package rapid they choose alike in every run, so that a merge does not
# depend on luck; those that kill processes do so at random moments. make fuzz, and go test by
# itself, choose anew.
test quick unit race cover: export RAPID_SEED = 1

# The program is built while the linter is, which leaves a processor idle now and then.
.PHONY: test
test: ## run every check that must pass before a merge
	@tools/stages.sh "test-deps,build linter" fmt-check lint "cover,unit,race blackbox,packaging,pages"

# What changed is what differs from BASE; name a branch to look at all of yours.
BASE ?= HEAD
.PHONY: quick
quick: fmt-check vet $(GOLANGCI) ## a first look in minutes: format, vet, lint of what differs from BASE, tests without the race detector
	@changed=$$(git diff --name-only --diff-filter=d $(BASE) -- '*.go' | xargs -r -n1 dirname | sort -u | sed 's|^|./|'); \
	if [ -n "$$changed" ]; then echo "lint: $$changed"; $(GOLANGCI) run $$changed; fi
	@tools/ensure.sh $(NEEDS)
	go test $(TESTFLAGS) $$(go list ./... | grep -v $(ELSEWHERE) -e /internal/test/servicetest -e /internal/service/store/postgres) | $(COUNTED)

.PHONY: fmt-check
fmt-check: ## fail when a Go file is not formatted by gofmt
	@unformatted=$$(gofmt -l .); \
	if [ -n "$$unformatted" ]; then \
	  echo "not formatted; run gofmt -w on:" >&2; echo "$$unformatted" >&2; exit 1; \
	fi

.PHONY: vet
vet: ## run go vet
	go vet ./...

.PHONY: linter
linter: $(GOLANGCI) ## build the pinned linters

.PHONY: lint
lint: $(GOLANGCI) ## run the pinned linters (built on first use)
	$(GOLANGCI) run ./...
	cd packaging && $(GOLANGCI) run ./...

# Module flags meant for this repository must not leak into the build of the linter, which shares the
# standard library with the program.
$(GOLANGCI):
	@echo "building golangci-lint $(GOLANGCI_VERSION) with $(GOVERSION); once, a few minutes"
	GOFLAGS='$(COMPILED)' GOBIN=$(GOLANGCI_DIR) go install -ldflags '-s -w' github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

# Each test runs once, and under the race detector where goroutines share something. The
# detector makes tests five to ten times slower; CONTRIBUTING.md says which do without it and
# why. The targets blackbox and pages test the built program. The linter has what go vet looks
# for: go test would look again, for each of these.
# A package may take as long as a busy machine needs; one that hangs ends at last.
TESTFLAGS := -json -vet=off -timeout 4h
ELSEWHERE := -e /internal/test/blackbox -e /internal/test/browsertest -e /internal/test/crashtest -e '/avow/internal/bench$$'
# Packages of whose tests only those in SHARED run under the detector, or none.
PARTLY := internal/cli internal/service/api internal/service/web resolve internal/service/api/calltest internal/service/store/postgres internal/test/servicetest
NEVER  := adagents internal/custody internal/service/store internal/test/agreetest internal/test/suitetest internal/test/jstest
SHARED := TestAuthorizeInterrupted|TestBatchOutputFails|TestCrawlHook|TestDomainsAreAskedSixteenAtOnce|TestEnrichAsksTheProvider|TestHoldAsks|TestInterrupt|TestLargeFilesBehindASlowOne|TestLocalServer|TestLogMonitorGoesOn|TestManyTargetsKeepTheirOrder|TestNetworkStates|TestProgress|TestProofWaits|TestResume|TestSecondSignal|TestServe|TestServeFailures|TestSignal|TestSignals|TestWatchEnds|TestCompression|TestDecisionsAgain|TestFeedUnchanged|TestSaveBrandAnswers|TestTranslatedUnchanged|TestLargeReportsAreKept|TestNetworkProgress|TestPreviewsAreKept|TestPreviewsAtOnce|TestProgressEnds|TestWaiting|TestLookupsAreBounded|TestLookupsEnd|TestStuckPublisher|TestCreateAtOnce|TestOpenAtOnce|TestServerRestart|TestDatabaseGoesAway|TestPairAgrees|TestOneOfTwoDies
# Tests of the other packages that run without it.
ALONE  := TestOnPostgres|TestCheckFindsDamage|TestLogSimulation|TestIndexAgrees|TestAnswerMutations|TestManagerFileWithManyBrokenProperties|Fuzz
NOTHERE := $(ELSEWHERE) $(PARTLY:%=-e '/avow/%$$') $(NEVER:%=-e '/avow/%$$')
SMOKE  := $(TESTFLAGS) -exec '$(CURDIR)/tools/smoke.sh $(FUZZSMOKE)'

# Folders with npm packages: the compiler of the scripts of pages, programs that call the service
# and the language server, and what drives the browser.
SCRIPTS := internal/service/web/script
CLIENTS := $(addprefix internal/test/,editortest/client servicetest/sdk servicetest/clients/typescript servicetest/mcp)
BROWSER := internal/test/browsertest/look
NEEDS   := postgres browser $(SCRIPTS) $(CLIENTS)

.PHONY: unit
unit: ## run the tests in which nothing is shared between goroutines, and each fuzz target FUZZSMOKE times
	@tools/ensure.sh $(NEEDS)
	go test $(TESTFLAGS) -skip '^($(SHARED))$$' ./internal/test/crashtest ./internal/test/servicetest ./internal/test/suitetest ./internal/test/agreetest ./internal/service/store/postgres ./internal/bench ./internal/service/api/calltest ./internal/test/jstest | $(COUNTED)
	go test $(SMOKE) -skip '^($(SHARED))$$' ./internal/cli ./internal/service/api ./internal/service/store ./internal/service/web ./internal/custody ./resolve $$(tools/side-by-side.sh -v | grep -v $(ELSEWHERE) -e '/avow/adagents$$') | $(COUNTED)
	go test $(SMOKE) -run '^($(ALONE))' $$(tools/side-by-side.sh '$(ALONE)' | grep -v $(NOTHERE)) | $(COUNTED)

# A process under the detector waits a second before it ends, unless it is told otherwise;
# tests start thousands. SQLite is C in the form of Go: the detector and the checks of
# pointers see nothing of ours in it and in what it stands on, and take much of the time of all
# that uses it. Its locks are those of package sync, which the detector sees.
RACEFLAGS := -race $(TESTFLAGS) $(foreach p,sqlite/lib libc memory,'-gcflags=modernc.org/$(p)=-race=0 -d=checkptr=0 -dwarf=false')
.PHONY: race
race: export GORACE = atexit_sleep_ms=50
race: export CGO_ENABLED = 1
race: ## run the tests of what goroutines share under the race detector (needs a C compiler and PostgreSQL)
	@tools/ensure.sh cc $(NEEDS)
	go test $(RACEFLAGS) -skip '^($(ALONE))' $$(tools/side-by-side.sh | grep -v $(NOTHERE)) | $(COUNTED)
	go test $(RACEFLAGS) -run '^($(SHARED))$$' $(PARTLY:%=./%) | $(COUNTED)

.PHONY: js
js: ## make the npm package in bin/js to try it; releases have the one of make dist
	rm -rf bin/js && mkdir -p bin/js
	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -ldflags '-s -w' -o bin/js/avow.wasm ./packages/wasm
	cp packages/js/index.js packages/js/index.d.ts packages/js/README.md LICENSE NOTICE bin/js
	sed "s/0\.0\.0/$$(cat internal/buildinfo/VERSION)/" packages/js/package.json >bin/js/package.json

.PHONY: js-size
js-size: js ## say how large the WebAssembly module is as a browser gets it; takes a while
	@tools/ensure.sh node
	@node -e 'const b = require("fs").readFileSync("bin/js/avow.wasm"); console.log(b.length, "bytes,", require("zlib").brotliCompressSync(b).length, "with Brotli")'

.PHONY: js-start
js-start: js ## say how long the npm package takes to load; look at it on a quiet machine
	@tools/ensure.sh node
	@node tools/js-start.mjs

.PHONY: test-deps
test-deps: ## install what the tests need besides Go (as root, with apt-get)
	@tools/ensure.sh cc packaging $(NEEDS) $(BROWSER)
	go mod download
	go -C packaging mod download
	go -C internal/test/servicetest/clients/go mod download

.PHONY: blackbox
blackbox: ## run the built program in a network namespace full of canaries
	go test $(TESTFLAGS) -count=1 ./internal/test/blackbox | $(COUNTED)

.PHONY: dist
dist: ## make the packages of a release for all platforms, in dist/
	go -C packaging run ./release -to ../dist $(ARGS)

# A module of its own, which users of the library do not get.
.PHONY: packaging
packaging: ## make packages twice, install and run them; run the action and the hooks for pipelines
	@tools/ensure.sh packaging node
	go -C packaging test $(TESTFLAGS) ./... | $(COUNTED)

.PHONY: pages
pages: ## look at the pages with a browser (needs Chromium and Node.js)
	@tools/ensure.sh browser $(BROWSER)
	go test $(TESTFLAGS) -count=1 ./internal/test/browsertest | $(COUNTED)

.PHONY: browser
browser: export AVOW_BROWSER_PICTURES = 1
browser: pages ## the same, and leave a picture of every page in bin/screenshots

.PHONY: page-tasks
page-tasks: export AVOW_BROWSER_TASKS = 1
page-tasks: ## list the long tasks of all pages on a processor that is slowed down to a quarter; on a quiet machine
	@tools/ensure.sh browser $(BROWSER)
	go test -count=1 -v -timeout 0 -run 'TestEveryPage$$' ./internal/test/browsertest | sed -n 's/.*task of /task of /p' | sort -k3nr

.PHONY: cover
cover: ## run the tests of package adagents, and fail when its coverage is below COVERMIN
	@mkdir -p bin
	go test $(SMOKE) -coverprofile=bin/cover.out ./adagents | $(COUNTED)
	@awk 'NR > 1 { all += $$2; if ($$3) covered += $$2 } \
	  END { percent = 100 * covered / all; printf "%.1f %% of the statements of adagents are covered, $(COVERMIN) are wanted\n", percent; exit percent < $(COVERMIN) }' bin/cover.out || \
	  { echo "see go tool cover -html bin/cover.out" >&2; exit 1; }

.PHONY: fuzz
fuzz: ## run each fuzz target of FUZZPKG for FUZZTIME
	tools/fuzz.sh $(FUZZTIME) $(FUZZPKG)

.PHONY: fuzz-smoke
fuzz-smoke: ## run each fuzz target FUZZSMOKE times, as cover and unit do
	go test $(SMOKE) -run '^Fuzz' ./... | $(COUNTED)

# The proofs of `make test` in their full length; docs/proofs.md has the last results.
SEEDS ?= 100000
RUNS  ?= 10000

.PHONY: proof-sim
proof-sim: ## live through SEEDS simulated histories of custody
	go test -count=1 -v -timeout 0 -run 'TestSimulation$$' ./internal/custody -args -seeds=$(SEEDS)

.PHONY: proof-crash
proof-crash: ## kill RUNS processes while they ingest, and fail every write
	@tools/ensure.sh postgres
	go test -count=1 -v -timeout 0 ./internal/test/crashtest -args -runs=$(RUNS) -all

PAIRS ?= 100000

.PHONY: proof-repair
proof-repair: ## ask PAIRS questions about damaged files before and after safe fixes
	go test -count=1 -v -timeout 0 -run 'TestSafeFixes$$' ./resolve -args -repair-pairs=$(PAIRS)

MUTATED  ?= 100000
LOGKILLS ?= 2000
WORLDS   ?= 2000

.PHONY: proof-log
proof-log: ## verify MUTATED damaged proofs of a transparency log, live through WORLDS simulated histories of one, and kill LOGKILLS processes that keep one
	@tools/ensure.sh postgres
	go test -count=1 -v -timeout 0 -run 'TestLogSimulation(Recovers)?$$' ./internal/service/notary -args -worlds=$(WORLDS)
	go test -count=1 -v -timeout 0 -run 'TestMutated$$' ./internal/translog -args -mutated=$(MUTATED)
	go test -count=1 -v -timeout 0 -run 'TestLogKilled$$' ./internal/service/store -args -log-kills=$(LOGKILLS)

WORKERTIME ?= 10m

.PHONY: proof-workers
proof-workers: ## kill one of four workers on one PostgreSQL every few seconds for WORKERTIME
	@tools/ensure.sh postgres
	go test -count=1 -v -timeout 0 -run 'TestWorkersKilled$$' ./internal/test/servicetest -args -workers-for=$(WORKERTIME) -workers-publishers=500

ABUSETIME ?= 60m

# Attacks from outside, and what lasts for long, in their full length: one line each. The attack
# with files that grow goes on for ABUSETIME. To fill a disk one is mounted, which takes root.
.PHONY: proof-abuse
proof-abuse: ## try what strangers could do to a service, and a year of changes
	@tools/ensure.sh postgres
	go test -count=1 -v -timeout 0 -run 'TestStrangersCannotFillTheDisk$$' ./internal/service/registry -args -attack-hosts=400 -attack-size=400000
	go test -count=1 -v -timeout 0 -run 'TestGrownFilesAreCharged$$' ./internal/service/registry -args -attack-for=$(ABUSETIME)
	go test -count=1 -v -timeout 0 -run 'TestDatabaseGoesAway$$' ./internal/test/servicetest -args -restarts=10
	go test -count=1 -v -timeout 0 -run 'TestYear$$' ./internal/service/store -args -year-publishers=20 -year-days=365 -year-history=30
	go test -count=1 -v -timeout 0 -run 'TestFullDisk$$|TestStoreIsTakenAway$$' ./internal/test/servicetest
	disk=$$(mktemp -d); trap 'umount "$$disk"; rmdir "$$disk"' EXIT; mount -t tmpfs -o size=160m,mode=1777 tmpfs "$$disk"; \
	go test -count=1 -v -timeout 0 -run 'TestDiskIsFilled$$' ./internal/test/servicetest -args -disk="$$disk"
	go test -count=1 -v -timeout 0 -run 'TestEveryOperationHolds$$' ./internal/test/servicetest -args -limit=512 -document=18000000 -addresses=64 -per-address=20
	go test -count=1 -v -timeout 0 -run 'TestMemoryHolds$$|TestBurst$$' ./internal/test/servicetest -args -limit=512 -document=19900000 -hostile=64 -readers=1000 -burst=10000 -creates=80

LOADTIME ?= 60m

.PHONY: proof-load
proof-load: ## watch the memory of a service under mixed load for LOADTIME
	@tools/ensure.sh postgres
	go test -count=1 -v -timeout 0 -run 'TestMixedLoad$$' ./internal/test/servicetest -args -limit=512 -document=19900000 -load=$(LOADTIME)

.PHONY: bench
bench: ## measure what docs/performance.md promises (ARGS=-record writes its table)
	go run ./internal/bench/cmd/table $(ARGS)

.PHONY: bench-peers
bench-peers: ## put the same questions to an npm package and to avow (needs npm)
	@tools/ensure.sh node
	go run ./internal/bench/peers

.PHONY: scoreboard
scoreboard: js ## run the conformance suite against what can be installed; writes docs/scoreboard.md (needs npm)
	@tools/ensure.sh node
	go run ./internal/bench/scoreboard

.PHONY: docs
docs: ## write the guide as a site of files to bin/docs
	go run ./internal/gen/site -docs docs -to bin/docs

.PHONY: generate
generate: ## rewrite every generated file
	@tools/ensure.sh $(SCRIPTS)
	go generate ./...

# In seconds; tidy-check asks for more and may have to download it.
.PHONY: modules
modules: ## fail when go.mod is not tidy, or a module has a licence that is not allowed
	go test -count=1 -run 'TestGoMod|TestLicences|TestNotice' ./internal/test/repotest

.PHONY: tidy-check
tidy-check: ## ask go itself whether go.mod and go.sum are tidy, and whether a module was altered
	go mod tidy -diff
	go mod verify

.PHONY: clean
clean: ## remove what was built (the pinned tools stay)
	rm -rf bin dist
