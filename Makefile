# Everything is created inside this folder: .venv, node_modules and the front-end assets. A target with a stamp file
# runs again when its prerequisites change. ARGS= is passed to the command of a target.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
# Keep compiled files: without them every process compiles all sources when it starts.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help run test test-slow lint format lock openapi settings errors field-types contract assets docs screenshots fuzz bench scaling chaos citus pages image-check release-check clean need

PY := .venv/bin/python
INSTALL := $(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r
COMPILE := .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-emit-index-url \
	--no-annotate --custom-compile-command "make lock" $(ARGS)
BUNDLES := src/formwright/web/bundles
# Three processes for two cores, because tests also wait for browsers and servers.
JOBS := $(shell echo $$(( ($$(getconf _NPROCESSORS_ONLN) * 3 + 1) / 2 )))

CITUS_TESTS := tests/db/on_citus.py tests/db/on_citus_faults.py tests/api tests/worker tests/files \
	$(addprefix tests/db/test_,account_lock.py health.py keys.py list_plans.py staged_files.py)

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

run: .venv/.run $(BUNDLES)/LICENCES.txt ## Install dependencies and serve on https://localhost:8443 (ARGS="--port 9000")
	@exec .venv/bin/formwright serve --demo $(ARGS)

test: need .venv/.test .venv/.clients $(BUNDLES)/LICENCES.txt lint ## Install dependencies, run all checks and all but the slowest tests (ARGS="-k keys")
	.venv/bin/pytest -n $(JOBS) --dist worksteal $(ARGS)

test-slow: need .venv/.test .venv/.clients $(BUNDLES)/LICENCES.txt ## Run the tests that take long: kills, the wheel, generated clients
	.venv/bin/pytest -n $(JOBS) --dist worksteal -m slow $(ARGS)

lint: .venv/.test node_modules/.stamp ## Check style, types and architectural layers
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports
	node_modules/.bin/biome check --error-on-warnings
	node_modules/.bin/tsc -p .

format: .venv/.test node_modules/.stamp ## Format the sources
	.venv/bin/ruff check --fix
	.venv/bin/ruff format
	node_modules/.bin/biome format --write

openapi: .venv/.test ## Regenerate docs/openapi.json and the Python client
	.venv/bin/formwright openapi > .venv/openapi.json
	mkdir -p docs && mv .venv/openapi.json docs/openapi.json
	@$(PY) -m scripts.client

settings: .venv/.run ## Regenerate the settings table in docs/reference/settings.md
	@$(PY) scripts/settings.py

errors: .venv/.run ## Regenerate the error tables in docs/reference/errors.md
	@$(PY) scripts/errors.py

field-types: .venv/.test ## Regenerate docs/reference/field-types.md and the table that the tests compare
	@$(PY) -m scripts.field_types

contract: openapi ## Update the API contract snapshot; breaking changes are listed and rejected
	@$(PY) scripts/contract.py --take

assets: $(BUNDLES)/LICENCES.txt ## Download the front-end assets

docs: .venv/.run .venv/.docs scripts/docs/node_modules/.stamp ## Build the documentation site into site/ (ARGS="--version 0.1.0")
	@PYTHONPATH=clients/python $(PY) -m scripts.docs $(ARGS)

screenshots: need .venv/.test $(BUNDLES)/LICENCES.txt ## Take the pictures of the README
	@PYTHONPATH=src:tests:clients/python $(PY) scripts/screenshots.py

fuzz: need .venv/.test $(BUNDLES)/LICENCES.txt ## Fuzz the whole API with Schemathesis on both databases (EXAMPLES=100 SEED=7 ARGS="-k Tasks")
	FUZZ_EXAMPLES=$(or $(EXAMPLES),50) FUZZ_SEED=$(or $(SEED),$$(date +%s)) .venv/bin/pytest -n auto -m "" tests/fuzz $(ARGS)

bench: .venv/.test $(BUNDLES)/LICENCES.txt ## Run the benchmarks against their baselines
	$(PY) -m bench $(ARGS)

scaling: .venv/.test ## Measure an account with up to a million submissions (ARGS="--to 5000000")
	$(PY) -m bench.scaling $(ARGS)

chaos: .venv/.test $(BUNDLES)/LICENCES.txt ## Attack servers, kill them, workers and databases for minutes, and check that no data is lost
	ALL_ATTACKS=1 KILLS=60 .venv/bin/pytest -m slow tests/contracts/test_budgets.py tests/contracts/test_memory_budgets.py tests/cli/test_supervision.py
	LOSS_ROUNDS=20 .venv/bin/pytest -m "" tests/backup/test_data_loss.py \
		$$([ $$(id -u) = 0 ] && echo tests/backup/full_tablespace.py)
	PYTHONPATH=src:tests $(PY) -m chaos $(ARGS)

citus: .venv/.test $(BUNDLES)/LICENCES.txt ## Run the tests of API, storage and workers on a Citus cluster, if Citus is installed
	@if PYTHONPATH=src:tests $(PY) -m fixtures.citus; then \
		CITUS=1 .venv/bin/pytest -n 3 -k "postgres or citus" $(or $(ARGS),$(CITUS_TESTS)); \
	fi

pages: .venv/.test $(BUNDLES)/LICENCES.txt ## Check every page for overflows and accessibility at all widths, in both color schemes
	ALL_WIDTHS=1 .venv/bin/pytest -n $(JOBS) tests/web/test_all_pages.py

image-check: .venv/.run ## Build deploy/Dockerfile in a minimal Debian and check what it installs (root, mmdebstrap)
	@$(PY) -m scripts.image

release-check: .venv/.run ## Try every other target once in a clone of this commit, for hours (ARGS="help docs" for some)
	@$(PY) -m scripts.release_check $(ARGS)

lock: .venv/.lock ## Update the dependency lock file (ARGS=--upgrade for the newest versions)
	$(COMPILE) pyproject.toml -o requirements/run.txt
	$(COMPILE) pyproject.toml --extra tracing -c requirements/run.txt -o requirements/tracing.txt
	$(COMPILE) pyproject.toml --extra tracing --group test -c requirements/run.txt -o requirements/test.txt
	$(COMPILE) requirements/clients.in -o requirements/clients.txt
	$(COMPILE) requirements/docs.in -o requirements/docs.txt
	$(COMPILE) requirements/node.in -o requirements/node.txt
	$(COMPILE) requirements/lock.in -o requirements/lock.txt

clean: ## Remove all build artefacts; ./data stays
	rm -rf .venv node_modules scripts/docs/node_modules $(BUNDLES) src/formwright/domain/reports/fonts dist site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

need: | $(PY)
	@$(PY) scripts/check_requirements.py

$(PY):
	@python=$$(scripts/python) && echo "Creating .venv with $$python" && "$$python" -m venv --clear .venv

.venv/.run: requirements/run.txt scripts/link_sources.py | $(PY)
	@echo "Installing the dependencies"
	@$(INSTALL) requirements/run.txt
	@$(PY) scripts/link_sources.py
	@touch $@

.venv/.test: requirements/test.txt .venv/.run
	@echo "Installing the test dependencies"
	@$(INSTALL) requirements/test.txt
	@touch $@

# Client generators, in an environment of their own because their dependencies conflict with ours.
.venv/.clients: requirements/clients.txt | $(PY)
	@echo "Installing the client generators"
	@$(PY) -m venv --clear .venv/clients
	@.venv/clients/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/clients.txt
	@touch $@

# The generator of the site and the client whose docstrings it reads, apart from the test dependencies.
.venv/.docs: requirements/docs.txt | $(PY)
	@echo "Installing the documentation generator"
	@$(PY) -m venv --clear .venv/docs
	@.venv/docs/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/docs.txt
	@touch $@

.venv/.lock: requirements/lock.txt | $(PY)
	@$(INSTALL) requirements/lock.txt
	@touch $@

node_modules/.stamp: package.json package-lock.json | $(PY)
	@echo "Downloading the front-end assets"
	@scripts/npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

scripts/docs/node_modules/.stamp: scripts/docs/package.json scripts/docs/package-lock.json | $(PY)
	@scripts/npm --prefix scripts/docs ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# Written with the bundles, so it is their stamp. When a script changes, the next process that needs the bundles creates them.
$(BUNDLES)/LICENCES.txt: node_modules/.stamp scripts/assets.py $(wildcard scripts/*.mjs)
	@$(PY) scripts/assets.py
