"""The oracle of generation, and every knob that turns it."""

import dataclasses

import pytest
import torch

from lungfish.errors import CodesError, TextError
from lungfish.lm.generate import generate, generate_conversation
from lungfish.lm.prompt import Conversation, Prompt
from lungfish.lm.sampling import SamplingParams
from lungfish.text.tokenizer import Tokenizer
from tests.toy import toy_config, toy_model
from tests.toy_lm import BOOKS, CODES, SEMANTIC_BEGIN, small_config, small_model, small_prompt

PARAMS = SamplingParams(temperature=1.0, top_p=0.95, max_new_frames=20, seed=5)
GREEDY = SamplingParams(temperature=0, max_new_frames=8)


@pytest.fixture(scope="module")
def model():
    return small_model()


def ending_model(after: int):
    """A model whose greedy decoding ends after `after` frames."""
    model = small_model()
    real, calls = model.slow.semantic_logits, []

    def logits(hidden):
        calls.append(hidden)
        out = real(hidden).clone()
        out[..., 0] = 1e4 if len(calls) > after else -1e4
        return out

    model.slow.semantic_logits = logits  # type: ignore[method-assign]
    return model


def test_greedy_decoding_equals_a_full_forward_per_frame(model):
    """No cache, no passes: the whole sequence again for every code."""
    prompt = small_prompt()
    result = generate(model, prompt, GREEDY)
    assert result.codes.shape == (BOOKS, 8)
    assert result.codes.dtype is torch.int64
    ids = prompt.ids
    for frame in result.codes.T:
        hidden = model.slow(ids[None], torch.arange(ids.shape[1]))[:, -1]
        token = int(model.semantic_logits(hidden)[0].argmax())
        codes = [token - 1]
        for depth in range(1, BOOKS):
            padded = torch.tensor([[*codes, *[0] * (BOOKS - depth)]])
            codes.append(int(model.fast_logits(hidden, padded)[0, depth].argmax()))
        assert frame.tolist() == codes
        column = torch.tensor([SEMANTIC_BEGIN + codes[0], *codes])
        ids = torch.cat((ids, column[:, None]), dim=1)


def test_the_last_frame_is_kept(model):
    longer = generate(model, small_prompt(), GREEDY)
    for budget in (1, 2, 7):
        result = generate(model, small_prompt(), dataclasses.replace(GREEDY, max_new_frames=budget))
        assert result.finish_reason == "length"
        assert torch.equal(result.codes, longer.codes[:, :budget])


@pytest.mark.parametrize("after", [0, 1, 3])
def test_the_end_is_honoured(after):
    result = generate(ending_model(after), small_prompt(), GREEDY)
    assert result.finish_reason == "stop"
    assert result.codes.shape == (BOOKS, after)
    assert torch.equal(result.codes, generate(small_model(), small_prompt(), GREEDY).codes[:, :after])


def test_the_end_after_the_last_allowed_frame_is_not_looked_for():
    result = generate(ending_model(8), small_prompt(), GREEDY)
    assert (result.finish_reason, result.codes.shape[1]) == ("length", 8)


def test_a_frame_takes_one_slow_step_and_one_pass_per_residual_code():
    model = small_model()
    passes = []
    model.fast.layers[0].register_forward_hook(lambda module, args, out: passes.append(args[0].shape[1]))
    steps = []
    model.slow.layers[0].register_forward_hook(lambda module, args, out: steps.append(args[0].shape[1]))
    generate(model, small_prompt(12), dataclasses.replace(GREEDY, max_new_frames=3))
    assert passes == [2, 1, 1] * 3  # hidden state and first code together
    assert steps == [12, 1, 1]


def test_no_residual_codes_for_the_end():
    model = ending_model(1)
    passes = []
    model.fast.layers[0].register_forward_hook(lambda *_: passes.append(1))
    generate(model, small_prompt(), GREEDY)
    assert len(passes) == BOOKS - 1


def test_residual_codes_stay_within_the_codec(model):
    params = dataclasses.replace(PARAMS, fast_temperature=2.0, fast_top_p=1.0)
    free = generate(model, small_prompt(), params)
    assert free.codes[1:].max() >= 5
    bound = generate(model, small_prompt(), params, codec_sizes=[CODES, 5, 2, 1])
    assert [int(book.max()) for book in bound.codes[1:]] == [4, 1, 0]
    assert bound.codes[0].max() > 5


@pytest.mark.parametrize("sizes", [[CODES], [CODES] * 5, [CODES, 4, 0, 4]])
def test_a_codec_of_another_shape_is_refused(model, sizes):
    with pytest.raises(CodesError):
        generate(model, small_prompt(), PARAMS, codec_sizes=sizes)


def test_a_seed_repeats_and_nothing_global_is_used(model):
    torch.manual_seed(1)
    first = generate(model, small_prompt(), PARAMS).codes
    state = torch.get_rng_state()
    torch.manual_seed(99)
    torch.rand(7)
    assert torch.equal(generate(model, small_prompt(), PARAMS).codes, first)
    torch.manual_seed(1)
    assert torch.equal(torch.get_rng_state(), state)


def test_requests_do_not_disturb_each_other(model):
    """Two requests in turns, frame by frame, draw what they draw alone."""
    alone = [generate(model, small_prompt(seed=i), dataclasses.replace(PARAMS, seed=i)).codes for i in (1, 2)]
    inner = []

    def other(_frame):
        if not inner:
            inner.append(generate(model, small_prompt(seed=2), dataclasses.replace(PARAMS, seed=2)).codes)

    outer = generate(model, small_prompt(seed=1), dataclasses.replace(PARAMS, seed=1), on_frame=other).codes
    assert torch.equal(outer, alone[0])
    assert torch.equal(inner[0], alone[1])


def test_a_given_generator_goes_on(model):
    generator = PARAMS.generator()
    first, second = (generate(model, small_prompt(), PARAMS, generator=generator).codes for _ in range(2))
    assert torch.equal(first, generate(model, small_prompt(), PARAMS).codes)
    assert not torch.equal(first, second)


def test_a_conversation_hears_what_was_said(tmp_path):
    config = dataclasses.replace(toy_config(tmp_path, "chat"), max_seq_len=1024)
    tokenizer, model = Tokenizer.load(tmp_path), toy_model(config)
    texts = ["one", "two", "three"]
    frames = []
    conversation = Conversation(tokenizer, config)
    results = list(generate_conversation(model, conversation, texts, PARAMS, on_frame=frames.append))
    generator, history = PARAMS.generator(), Conversation(tokenizer, config)
    for text, result in zip(texts, results, strict=True):
        alone = generate(model, history.ask(text), PARAMS, generator=generator)
        history.reply(alone.codes)
        assert torch.equal(alone.codes, result.codes)
    assert results[2].prompt_tokens > results[1].prompt_tokens + results[1].codes.shape[1]
    assert len(frames) == sum(result.codes.shape[1] for result in results)
    deaf = generate(model, Conversation(tokenizer, config).ask("three"), dataclasses.replace(PARAMS, temperature=0))
    heard = generate(model, conversation.ask("three"), dataclasses.replace(PARAMS, temperature=0))
    assert not torch.equal(deaf.codes, heard.codes)


def test_frames_are_handed_over_as_they_come(model):
    frames = []
    result = generate(model, small_prompt(), GREEDY, on_frame=frames.append)
    assert torch.equal(torch.stack(frames, dim=1), result.codes)


def test_the_prompt_is_left_alone(model):
    prompt = small_prompt()
    before = prompt.ids.clone(), prompt.positions.clone()
    generate(model, prompt, GREEDY)
    assert torch.equal(prompt.ids, before[0])
    assert torch.equal(prompt.positions, before[1])


def test_context_limits_the_frames():
    model = small_model(max_seq_len=15)
    result = generate(model, small_prompt(12), GREEDY)
    assert (result.finish_reason, result.codes.shape[1]) == ("length", 3)
    assert generate(model, small_prompt(14), GREEDY).codes.shape[1] == 1
    with pytest.raises(TextError, match="leaves no room"):
        generate(model, small_prompt(15), GREEDY)


def test_positions_with_a_gap_go_on_after_the_last():
    """The same prompt with its audio further away says something else, and the room shrinks with the gap."""
    model = small_model(max_seq_len=60)
    plain = small_prompt(12)
    gap = Prompt(plain.ids, torch.cat((torch.arange(6), torch.arange(50, 56))))
    result = generate(model, gap, GREEDY)
    assert result.codes.shape[1] == 4
    assert not torch.equal(result.codes, generate(model, plain, GREEDY).codes[:, :4])


def test_one_codebook_needs_no_fast_pass():
    config = small_config(num_codebooks=1)
    model = small_model(num_codebooks=1)
    result = generate(model, small_prompt(config=config), GREEDY)
    assert result.codes.shape == (1, 8)


# name -> (a value that must change the codes, what else to set first)
KNOBS = {
    "temperature": (0.1, {}),
    "top_p": (0.2, {}),
    "top_k": (2, {}),
    "repetition_penalty": (5.0, {}),
    "repetition_window": (1, {"repetition_penalty": 5.0}),
    "ras": (False, {}),
    "ras_window": (1, {}),
    "ras_temperature": (0.05, {}),
    "ras_top_p": (0.05, {}),
    "fast_temperature": (0.1, {}),
    "fast_top_p": (0.1, {}),
    "fast_top_k": (1, {}),
    "max_new_frames": (3, {}),
    "seed": (6, {}),
}


def test_every_knob_is_in_the_list():
    assert set(KNOBS) == {field.name for field in dataclasses.fields(SamplingParams)}


@pytest.mark.parametrize("name", KNOBS)
def test_every_knob_turns(name):
    """A few likely codes, so that tokens return within the windows."""
    model = small_model(initializer_range=0.2)
    value, others = KNOBS[name]
    base = dataclasses.replace(PARAMS, top_k=4, max_new_frames=40, **others)
    changed = dataclasses.replace(base, **{name: value})
    first, second = generate(model, small_prompt(), base).codes, generate(model, small_prompt(), changed).codes
    assert not torch.equal(first, second)
    if name.startswith("fast_"):
        assert first[0, 0] == second[0, 0]
        assert not torch.equal(first[1:], second[1:])
