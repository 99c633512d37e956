# Lintel: `make demo` shows it, `make test` checks it; `make help` lists the rest.
SWIFT ?= swift
CONFIG ?= Config/lintel.yaml
SECONDS ?= 30
# How many tests run at a time; all at once would make each wait for the others beyond its time limit.
WIDTH ?= 8

.PHONY: help demo run build test bench lint format fuzz sanitize clean dependencies

help:
	@echo "make demo      install what is missing, build, and run a broker, the gateway and simulated lamps"
	@echo "make run       run the gateway with CONFIG=$(CONFIG)"
	@echo "make test      all tests"
	@echo "make bench     measure against the floor; results in Sources/Bench/Results"
	@echo "make lint      check format and layering"
	@echo "make format    format in place"
	@echo "make fuzz      fuzz each decoder for SECONDS=$(SECONDS)"
	@echo "make sanitize  tests under ThreadSanitizer, then under AddressSanitizer and LeakSanitizer"
	@echo "make clean     remove what was built"

dependencies:
	@deploy/dependencies.sh

build: dependencies
	$(SWIFT) build -c release

demo: build
	.build/release/lintel demo $(if $(PORT),--port $(PORT))

run: build
	.build/release/lintel run --config $(CONFIG)

test:
	@deploy/dependencies.sh test
	$(SWIFT) build --build-tests
	LINTEL_PYTHON=$(CURDIR)/.build/python/bin/python SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(WIDTH) \
		$(SWIFT) test --skip-build --disable-xctest --parallel

bench: build
	.build/release/lintel-bench --output Sources/Bench/Results

lint:
	$(SWIFT) format lint --strict -r Package.swift Sources Tests Plugins
	Tests/layering.sh

format:
	$(SWIFT) format -i -r Package.swift Sources Tests Plugins

fuzz: dependencies
	Sources/Fuzz/run.sh $(SECONDS)

sanitize:
	@deploy/dependencies.sh test
	Tests/sanitize.sh thread
	Tests/sanitize.sh address

clean:
	rm -rf .build .build-fuzz .build-thread .build-address
