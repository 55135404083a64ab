# Sourced by the other scripts: an environment in .venv that is made once and recognised quickly afterwards.
#
#   ensure_env run     what the program needs, with every backend that it can use
#   ensure_env dev     the same, and the tools that check it
#   ensure_models      the default models (only what is missing)
#
# FLORI_VENV puts the environment elsewhere; PYTHON names the interpreter to make it with.

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
VENV=${FLORI_VENV:-$ROOT/.venv}
EXTRAS_run="sbert,media,ocr,saved"
EXTRAS_dev="$EXTRAS_run,dev"
export PIP_DISABLE_PIP_VERSION_CHECK=1

note() { printf '%s\n' "$*" >&2; }
die() { note "$(basename "$0"): $*"; exit 3; }

is_python() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    local name
    for name in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if command -v "$name" >/dev/null && is_python "$name"; then printf '%s\n' "$name"; return; fi
    done
    die "Python 3.11 or newer with its venv module is needed, and none was found.
  Debian, Ubuntu: apt install python3 python3-venv    macOS: brew install python
  Another place: PYTHON=/path/to/python3 $0"
}

need_compiler() {
    "$VENV/bin/python" -c 'import importlib.util as u, sys; sys.exit(u.find_spec("llama_cpp") is None)' && return
    local name
    for name in ${CXX:-} c++ g++ clang++; do
        if command -v "$name" >/dev/null; then
            note "Compiling llama.cpp takes about ten minutes on two cores; this happens once."
            return
        fi
    done
    die "a C++ compiler is needed to build llama.cpp, and none was found.
  Debian, Ubuntu: apt install build-essential    Fedora: dnf install gcc-c++    macOS: xcode-select --install"
}

fingerprint() {
    { cat "$ROOT/pyproject.toml" "$ROOT/constraints.txt"; printf '%s\n' "$1" "$ROOT"; "$VENV/bin/python" -V; } | cksum
}

is_ready() { [ -f "$VENV/.ready-$1" ] && [ -x "$VENV/bin/flori" ] && [ "$(cat "$VENV/.ready-$1")" = "$(fingerprint "$1")" ]; }

ensure_env() {
    local kind=$1 extras="EXTRAS_$1"
    if is_ready dev || is_ready "$kind"; then return; fi # dev holds all that run needs
    if ! [ -x "$VENV/bin/python" ] || ! is_python "$VENV/bin/python"; then
        local python
        python=$(find_python)
        note "Making the environment $VENV with $("$python" -V)."
        "$python" -m venv --clear "$VENV"
    fi
    need_compiler
    note "Installing packages into $VENV."
    (
        if command -v flock >/dev/null; then flock 9; fi # two scripts at once: one installs, the other waits
        CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)} \
            "$VENV/bin/python" -m pip install --quiet --constraint "$ROOT/constraints.txt" --editable "$ROOT[${!extras}]" >&2
    ) 9>"$VENV/.lock"
    fingerprint "$kind" >"$VENV/.ready-$kind"
}

ensure_models() {
    local folder
    folder=$("$VENV/bin/python" -c 'from workstation.config import Config; print(Config.load().folder("models"))')
    "$VENV/bin/python" "$ROOT/scripts/install_models" --models "$folder" >&2
}
