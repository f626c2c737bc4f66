"""`lungfish data pack`, `features` and `codes`: from recordings to what training reads."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

_VOICES = "af_heart=coral,am_michael=marlin"


def pack(
    manifest: Annotated[
        list[Path],
        typer.Argument(
            help="Manifests (tab-separated: file, voice, text, seconds), or folders of recordings, with their texts in "
            "transcripts.tsv or without."
        ),
    ],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The pack; default: cache/voice/pack.")] = None,
    audio: Annotated[Path | None, typer.Option(help="Folder of the recordings; default: beside each manifest.")] = None,
    voices: Annotated[str, typer.Option(help="teacher=voice pairs, separated by commas.")] = _VOICES,
) -> None:
    """Append recordings to a pack of training audio; those that it already holds are skipped."""
    from tqdm import tqdm

    from lungfish.config.env import cache_dir
    from lungfish.data.audio_pack import AudioPack, append_clips, sources_from_folder, sources_from_manifest
    from lungfish.errors import ConfigError

    pairs = [pair.split("=") for pair in voices.split(",")]
    if any(len(pair) != 2 for pair in pairs):
        raise ConfigError(f"--voices {voices!r}: write teacher=voice pairs separated by commas")
    folder = output or cache_dir() / "voice" / "pack"
    sources = []
    for path in manifest:
        if path.is_dir():
            sources += sources_from_folder(path)
        else:
            sources += sources_from_manifest(path, audio or path.parent, dict(pairs))
    added = sum(1 for _ in tqdm(append_clips(folder, sources), total=len(sources), unit="clip"))
    whole = AudioPack(folder)
    print(f"{added} clips added to {folder}: {len(whole.clips)} clips, {whole.hours:.2f} hours")


class FeatureModel(StrEnum):
    """Kinds of `judges/speech_features.py`."""

    whisper = "whisper"
    transformers = "transformers"


def features(
    packs: Annotated[list[Path], typer.Argument(help="Audio packs.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Feature pack; default: cache/voice/features.")
    ] = None,
    kind: Annotated[
        FeatureModel, typer.Option(help="whisper: an encoder for faster-whisper. transformers: any of that library.")
    ] = FeatureModel.whisper,
    model: Annotated[str | None, typer.Option(help="Name or folder; default: base, or facebook/w2v-bert-2.0.")] = None,
    layer: Annotated[int, typer.Option(min=0, help="Hidden state to take, with --kind transformers.")] = 16,
    threads: Annotated[int, typer.Option(min=1, help="CPU threads.")] = 1,
) -> None:
    """Frame features of a frozen speech model for every clip, to teach the codec's semantic book; resumes."""
    import torch
    from tqdm import tqdm

    from lungfish.config.env import cache_dir
    from lungfish.data.audio_pack import AudioPack
    from lungfish.data.feature_pack import extract_features
    from lungfish.judges.speech_features import speech_features

    torch.set_num_threads(threads)
    audio = [AudioPack(folder) for folder in packs]
    defaults = {FeatureModel.whisper: "base", FeatureModel.transformers: "facebook/w2v-bert-2.0"}
    extractor = speech_features(kind.value, model or defaults[kind], layer, threads)
    folder = output or cache_dir() / "voice" / "features"
    clips = extract_features(audio, extractor, folder)
    added = sum(1 for _ in tqdm(clips, total=sum(len(pack.clips) for pack in audio), unit="clip"))
    print(f"{folder}: features of {added} more clips by {extractor.name}")


def codes(
    config: Annotated[Path, typer.Argument(help="The codec's training config.")],
    overrides: Annotated[list[str] | None, typer.Argument(help="key=value, over the config's values.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Shards; default: cache/voice/codes.")] = None,
    variants: Annotated[
        int, typer.Option(min=1, max=4, help="Encodings of each clip, a fraction of a frame apart.")
    ] = 4,
    books: Annotated[int | None, typer.Option(min=1, help="Keep this many books, the first. Default: all.")] = None,
) -> None:
    """Encode the clips of a pack that have no codes yet into one more packed shard, with their alignments."""
    import torch
    from tqdm import tqdm

    from lungfish.config.env import cache_dir
    from lungfish.config.loader import load_config
    from lungfish.training.codec import CodecTrainingConfig, load_codec_run
    from lungfish.training.prepare_codes import encode_new_clips

    loaded = load_config(config, CodecTrainingConfig, overrides or [])
    torch.set_num_threads(loaded.threads or torch.get_num_threads())
    folder = output or cache_dir() / "voice" / "codes"
    with tqdm(unit="clip") as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        added, hours = encode_new_clips(load_codec_run(loaded), folder, variants, show, books)
    print(f"{added} encodings added; {folder} holds {hours:.2f} hours")
