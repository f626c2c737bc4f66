#!/usr/bin/env bash
# Put the judges of voice and quality into an environment: resemblyzer (Apache-2.0) and DistillMOS (MIT), their weights in
# their wheels. No extra of pyproject.toml can say this: both go in without their dependencies, which would bring torchaudio
# (its wheels do not load beside every torch) and transformers. What they really import goes first, under constraints.txt,
# so that torch stays as it is. Usage: PYTHON=.venv/bin/python dev/judges.sh
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}
pip() { "$python" -m pip install -q --disable-pip-version-check --constraint "$here/constraints.txt" "$@"; }
torch_version() { "$python" -c 'import torch; print(torch.__version__)'; }

before=$(torch_version)
pip webrtcvad-wheels librosa soundfile 'scipy<2'
pip --no-deps resemblyzer==0.1.4 distillmos==0.9.1 xls-r-sqa==0.1.0
if [ "$(torch_version)" != "$before" ]; then
    echo "torch was $before and is now $(torch_version): install $before again" >&2
    exit 1
fi
"$python" -c '
from lungfish.judges.quality import QualityJudge
from lungfish.judges.speaker import SpeakerEncoder
print(f"ready: {SpeakerEncoder().name}; {QualityJudge().name}")'
