# What people who work on the code type. Players need none of this: pip install .
# Everything lives in .venv, made on first use from the pinned versions.

PYTHON ?= python3
# Checks the types of the pages' scripts in make lint, where there is npm: as tools/js pins it. TSC= leaves it out
LOCKED := build/js/node_modules/.bin/tsc
TSC ?= $(if $(shell command -v npm),$(LOCKED))
VENV := .venv
BIN := $(VENV)/bin
DEMO := build/demo

# RULESET: of make fuzz, bench, bench-compare, golden, games, rules, conformance and gates; a name that there is not is an error.
# The others are of make fuzz; .venv/bin/python tools/fuzz.py --help says what they mean
TARGET ?=
SECONDS ?=
SEED ?=
LINES ?=
REPEAT ?=
OLD ?= HEAD
KEEP ?=
RULESET ?= all
GAMES ?=
MUTATIONS ?=
# Each worker runs whole files, because the tests of a file share what they have played
FILES := --dist loadfile --no-loadscope-reorder
# Of make matrix: what pytest is given, in place of all but the long tests
TESTS ?=

# A shell may forbid Python to keep what it has compiled: then every process of the tests compiles everything anew
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help compare costs forms pictures demo test test-long test-all test-board test-board-all test-post test-vassal season quick lint bench bench-compare practice balance dice fuzz kills golden games bad conformance faults rules gates app test-app smoke-app bench-app wheel site matrix pins clean

help:
	@echo "make demo    play the opening of a real game in $(DEMO) and verify it"
	@echo "make test    all but the long    make quick   rules, formats, trust, games: a minute"
	@echo "make costs   the dearest test functions of the last make test"
	@echo "make test-long    tournaments, packages, cut lines, pages typed: what has no short case"
	@echo "make test-all     all cases of sweeps and kills, all random examples, further forms of a promise"
	@echo "make test-board   the board in the system's Chromium   make test-board-all    all its sweeps, too"
	@echo "make test-post    mail, by the system's Postfix and Dovecot"
	@echo "make test-vassal  the finished games and the set-ups, in real VASSAL"
	@echo "make season       50 games of 60 people by mail in eight weeks, a tournament of 12"
	@echo "make homes   two machines each, in 500 steps by files; a Swiss with lost and exchanged private folders"
	@echo "make lint    ruff, mypy, pyproject.toml, house rules, plain words, form of rulings"
	@echo "make bench   the benchmark table  make fuzz    hostile files, mails and orders"
	@echo "make bench-compare OLD=COMMIT     what has become slower since then"
	@echo "make compare OLD=COMMIT           what may be ordered now and not then"
	@echo "make balance      play a level against itself in every scenario (LEVEL=2), write docs/balance.md"
	@echo "make practice     play the levels of the practice opponent against each other, write docs/practice.md"
	@echo "make dice    chi-square of the dice"
	@echo "make golden  rewrite golden files make rules   rules coverage"
	@echo "make gates   everything that a changed rule changes: rules, golden, games, conformance"
	@echo "make games   play the finished games of tests/games anew"
	@echo "make conformance  write the conformance suite anew   make faults SEED=N  which case finds each drawn mutant; EVERY=1: all"
	@echo "make bad     write what is said of bad files anew, and show what has changed"
	@echo "make pictures  draw the pictures of the first page and the documentation anew, in Chromium"
	@echo "make site    the documentation as a site in build/site, every link checked"
	@echo "make app     the program as a web page in build/app    make test-app    bench-app"
	@echo "make matrix  all but the long tests under every Python that is here"
	@echo "make pins    write the versions and hashes of tools/requirements anew"
	@echo "make wheel   build the wheel and the archive of the sources, check both, play from the wheel; pack the suite"

PINS := tools/requirements
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

$(VENV)/ready: $(PINS)/dev.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes -r $(PINS)/dev.txt
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

demo: $(VENV)/ready
	$(BIN)/kursk demo $(DEMO)
	$(BIN)/kursk verify $(DEMO)

test: $(VENV)/ready
	$(BIN)/python -m pytest -n 2 -m "not long" $(FILES) --hypothesis-profile=quick --costs=build/costs.json

# The dearest test functions of the last make test, as shares of its CPU
costs: $(VENV)/ready
	$(BIN)/python tools/costs.py

# What few changes can break: tests that are long in each case, the first case of each ten
test-long: $(VENV)/ready
	$(BIN)/python -m pytest -n 2 -m long --part 10 --hypothesis-profile=quick

# All long cases, and all random examples
test-all: $(VENV)/ready
	$(BIN)/python -m pytest -n 2 -m "long or hypothesis"

$(VENV)/ready-board: $(VENV)/ready $(PINS)/board.txt
	$(PIP) --require-hashes -r $(PINS)/board.txt
	touch $@

# In the system's Chromium; KURSK_CHROMIUM names it where it is not found. The other tests of the board are in make test
test-board: $(VENV)/ready-board
	KURSK_BROWSER=1 $(BIN)/python -m pytest -n 2 tests/board -m "browser and not long"

# All sweeps of the board, too, with a look of axe-core at the end of each test
test-board-all: $(VENV)/ready-board
	KURSK_BROWSER=1 KURSK_AXE=1 $(BIN)/python -m pytest -n 2 tests/board -m browser

# By the system's Postfix and Dovecot; where they are missing it says so
test-post: $(VENV)/ready
	KURSK_POST=1 $(BIN)/python -m pytest -rs tests/post/test_real_servers.py

test-vassal: $(VENV)/ready
	$(BIN)/python tools/vassal.py

# make season PLAYERS=32 ROUNDS=5, or PLAYERS=16 ROUNDS=3 FORMAT=mirrored: one tournament by mail, as large as you like
season: $(VENV)/ready
ifdef PLAYERS
	KURSK_SEASON=1 KURSK_PLAYERS=$(PLAYERS) KURSK_ROUNDS=$(ROUNDS) KURSK_FORMAT=$(FORMAT) $(BIN)/python -m pytest -q \
		tests/tournament/test_by_mailbox.py -k that_errs
else
	KURSK_SEASON=1 $(BIN)/python -m pytest -q -s tests/post/test_weeks.py tests/tournament/test_by_mailbox.py
endif

quick: $(VENV)/ready
	$(BIN)/python -m pytest -n 2 -m "not slow and not long" $(FILES) --hypothesis-profile=quick

$(LOCKED): tools/js/package.json tools/js/package-lock.json
	mkdir -p build/js
	cp $^ build/js
	npm ci --prefix build/js --ignore-scripts --prefer-offline --no-audit --no-fund
	touch $@

# Writes the pinned versions and hashes in tools/requirements anew, from the names there and in pyproject.toml: for every Python from 3.11 and every machine. UPGRADE=--upgrade takes newer versions, otherwise those that are there stay
pins:
	$(PYTHON) -m venv build/pins
	build/pins/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(PIN) pyproject.toml $(PINS)/dev.in --all-extras -o $(PINS)/dev.txt
	$(PIN) $(PINS)/board.in -o $(PINS)/board.txt
	$(PIN) $(PINS)/site.in -o $(PINS)/site.txt
PIN = build/pins/bin/uv pip compile --quiet $(UPGRADE) --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command "make pins"

lint: $(VENV)/ready $(filter $(LOCKED),$(TSC))
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	MYPYPATH=tools:tests $(BIN)/mypy --config-file= --ignore-missing-imports --follow-imports=silent tools/*.py
	$(BIN)/validate-pyproject pyproject.toml
	$(if $(TSC),$(TSC) --project tools/js/jsconfig.json,@echo "scripts: no TypeScript here, their types are not checked")
	status=0; $(BIN)/python tools/house.py || status=1; \
		$(BIN)/python tools/plain.py --limits tools/plain.toml || status=1; \
		$(BIN)/python tools/rulings.py || status=1; exit $$status

bench: $(VENV)/ready
	$(BIN)/python tools/targets.py --ruleset $(RULESET)
	$(BIN)/python tools/bench.py $(RULESET)
	$(BIN)/python tools/bench_board.py $(RULESET)

# make bench-compare OLD=v0.1.0: the targets of another commit and of this tree, in turn, as ratios
bench-compare: $(VENV)/ready
	$(BIN)/python tools/bench_compare.py $(OLD) --ruleset $(RULESET)

# Keeps finished games in build/practice.jsonl, so it continues after a stop
practice: $(VENV)/ready
	$(BIN)/python tools/practice.py --ruleset $(RULESET)
	$(BIN)/python tools/practice.py --ruleset $(RULESET) --alone all

# About four core hours. Keeps played games in build/balance.jsonl, so it continues after a stop
balance: $(VENV)/ready
	$(BIN)/python tools/balance.py --jobs $(or $(JOBS),2) --games $(or $(GAMES),0) --level $(or $(LEVEL),1)

dice: $(VENV)/ready
	$(BIN)/python tools/dice.py

kills: $(VENV)/ready
	KURSK_KILLS=$(or $(KILLS),200) $(if $(SEED),KURSK_SEED=$(SEED)) $(BIN)/python -m pytest -q -s -n 0 tests/post/test_kills.py

# Nobody is stuck or accused: five seeds of two people by files, all orders of messages, two tournaments by mail
homes: $(VENV)/ready
	$(BIN)/python -m pytest -n 2 tests/desk/test_two_machines.py tests/desk/test_line_model.py tests/tournament/test_restored_homes.py

fuzz: $(VENV)/ready
	$(BIN)/python tools/fuzz.py --ruleset $(RULESET) $(if $(TARGET),--target $(TARGET)) \
		$(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)) $(if $(LINES),--lines) \
		$(if $(GAMES),--games $(GAMES)) $(if $(POSITIONS),--positions $(POSITIONS)) $(if $(MUTATIONS),--mutations $(MUTATIONS)) $(if $(REPEAT),--repeat $(REPEAT))

# make compare OLD=COMMIT: forms, edits, refusals, commands and comments of random games that differ from another commit
compare: $(VENV)/ready
	$(BIN)/python tools/compare_orders.py $(OLD) --ruleset $(RULESET)

# Games of the player who knows only the forms: the schema, every word, signed games (half an hour)
forms: $(VENV)/ready
	KURSK_FORMS=1 $(BIN)/python -m pytest -n 2 tests/rulesets/test_forms.py $(if $(filter-out all,$(RULESET)),-k $(RULESET))

golden: $(VENV)/ready
	$(BIN)/python tools/golden.py $(RULESET)
	git --no-pager diff --stat -- tests/golden tests/reach docs/counts.md

games: $(VENV)/ready
	$(BIN)/python tools/games.py --ruleset $(RULESET)
	git --no-pager diff --stat -- tests/games

bad: $(VENV)/ready
	$(BIN)/python tools/bad.py
	git --no-pager diff -U0 -- 'tests/bad/*.yaml' 'tests/rulesets/*/bad/*.yaml'

# The conformance suite, out of the cards, the finished games and the data
conformance: $(VENV)/ready
	$(BIN)/python tools/conformance_hand.py $(filter-out all,$(RULESET))
	$(BIN)/python tools/conformance.py $(filter-out all,$(RULESET))
	$(BIN)/python tools/conformance_data.py

# What a changed rule changes, and what is due before a release
gates: rules golden games conformance
	$(BIN)/python tools/rulings.py
	-$(BIN)/python tools/balance.py --check
	-$(BIN)/python tools/practice.py --check

rules: $(VENV)/ready
	$(BIN)/python tools/rules.py $(RULESET)

# The page: static files for a web host, in build/app. KEEP=FOLDER: an earlier build, whose releases stay loadable
app: $(VENV)/ready-board
	$(BIN)/python tools/app.py $(if $(KEEP),--keep $(KEEP))

# The page in Chromium, WebKit and Firefox, as make app has built it: ENGINE=webkit takes one; it says which are missing.
# KILLS=100 SEED=NUMBER: of the browser while it signs
test-app: app
	KURSK_APP=1 KURSK_KILLS=$(or $(KILLS),3) $(if $(SEED),KURSK_SEED=$(SEED)) $(BIN)/python -m pytest -n 2 -rPs tests/app -m app $(if $(ENGINE),-k $(ENGINE))
	$(if $(filter-out chromium,$(ENGINE)),,KURSK_APP=1 $(BIN)/python -m pytest -n 2 tests/board -m "browser and not long")

bench-app: app
	$(BIN)/python tools/bench_app.py

# A message handed on in the engines that are here; a message signed, and a game of two strangers up to their first dice,
# in Chromium: for .ci/run; where npm, the packages, Chromium, WebKit or Firefox are missing it says so
smoke-app: $(VENV)/ready-board
	$(BIN)/python tools/app.py --or-skip && KURSK_APP=1 $(BIN)/python -m pytest -n 2 -rs tests/app -m app \
		-k "mailed or chromium and (first_message or first_dice)"

# Which case of the conformance suite finds each of 60 mutants of the rules a system, drawn by SEED; EVERY=1: all mutants
faults: $(VENV)/ready
	$(BIN)/python tools/faults.py $(or $(SEED),1) $(filter-out all,$(RULESET)) $(if $(EVERY),--every)

wheel: $(VENV)/ready
	$(BIN)/python tools/balance.py --check
	$(BIN)/python tools/wheel.py
	$(BIN)/python tools/conformance_data.py --archive dist

$(VENV)/ready-site: $(VENV)/ready $(PINS)/site.txt
	$(PIP) --require-hashes -r $(PINS)/site.txt
	touch $@

site: $(VENV)/ready-site
	$(BIN)/python tools/site.py

# The first battle, the map of the README and the photos of the board; docs/pictures/made.json has their hashes
pictures: $(VENV)/ready-board
	$(BIN)/python tools/pictures.py

matrix: $(VENV)/ready
	$(BIN)/python tools/matrix.py $(TESTS)

clean:
	rm -rf build dist $(VENV)
