import pytest
import torch

from dac_toy import SMALLEST_DAC
from lungfish.codec.quantizer import DacQuantizer
from lungfish.training.dac_quantizer import CodebookUsage, quantize_dac_for_training

K = len(SMALLEST_DAC.codebook_sizes)


@pytest.fixture
def quantizer() -> DacQuantizer:
    torch.manual_seed(0)
    return DacQuantizer(SMALLEST_DAC)


def latents(batch: int = 2, frames: int = 7) -> torch.Tensor:
    return torch.randn(batch, SMALLEST_DAC.latent_dim, frames, generator=torch.Generator().manual_seed(1))


def everything(batch: int = 2, frames: int = 7) -> tuple[torch.Tensor, torch.Tensor]:
    """All frames valid, all books used."""
    return torch.ones(batch, frames, dtype=torch.bool), torch.full((batch,), K)


def usages() -> list[CodebookUsage]:
    return [CodebookUsage(size) for size in SMALLEST_DAC.codebook_sizes]


def test_values_and_codes_are_those_of_inference(quantizer):
    z = latents()
    made, plain = quantize_dac_for_training(quantizer, z, *everything()), quantizer.quantize(z)
    assert torch.equal(made.codes, plain.codes)
    assert torch.equal(made.semantic, plain.semantic)
    assert torch.equal(made.quantized, plain.quantized)


def test_the_losses_are_mean_squares_in_the_lookup_space_summed_over_books(quantizer):
    z = latents()
    plain = quantizer.quantize(z)
    expected = torch.zeros(())
    books = (*quantizer.semantic_quantizer.books(), *quantizer.quantizer.books())
    for k, (book, projected) in enumerate(zip(books, plain.projections.chunk(K, dim=1), strict=True)):
        rows = book.codebook(plain.codes[:, k]).transpose(1, 2)
        expected = expected + (projected - rows).square().mean()
    made = quantize_dac_for_training(quantizer, z, *everything())
    torch.testing.assert_close(made.commitment, expected)
    torch.testing.assert_close(made.codebook, expected)


def test_commitment_moves_projections_and_the_codebook_loss_moves_rows(quantizer):
    z = latents().requires_grad_()
    made = quantize_dac_for_training(quantizer, z, *everything())
    book = quantizer.quantizer.books()[1]
    made.commitment.backward(retain_graph=True)
    assert z.grad is not None
    assert z.grad.abs().sum() > 0
    assert book.in_proj.weight.grad.abs().sum() > 0
    assert book.codebook.weight.grad is None
    quantizer.zero_grad()
    z.grad = None
    made.codebook.backward(retain_graph=True)
    assert z.grad is None
    assert book.in_proj.weight.grad is None
    chosen = torch.bincount(made.codes[:, 2].flatten(), minlength=len(book.codebook.weight)) > 0
    gradient = book.codebook.weight.grad
    assert gradient is not None
    assert torch.equal(gradient.abs().sum(1) > 0, chosen)


def test_the_value_has_a_straight_through_gradient(quantizer):
    z = latents().requires_grad_()
    quantize_dac_for_training(quantizer, z, *everything()).quantized.sum().backward()
    assert z.grad is not None
    assert z.grad.abs().sum() > 0
    assert quantizer.semantic_quantizer.books()[0].codebook.weight.grad is None


@pytest.mark.parametrize("used", range(1, K + 1))
def test_dropout_leaves_out_the_last_books_and_never_the_semantic_one(quantizer, used):
    z = latents()
    valid, _ = everything()
    made = quantize_dac_for_training(quantizer, z, valid, torch.tensor([used, K]))
    plain = quantizer.quantize(z)
    torch.testing.assert_close(made.quantized[0], quantizer.dequantize(plain.codes[:1, :used])[0])
    torch.testing.assert_close(made.quantized[1], plain.quantized[1])
    assert torch.equal(made.semantic, plain.semantic)
    assert torch.equal(made.codes, plain.codes)  # the chain itself goes on


def test_a_clip_pays_for_the_books_that_it_uses(quantizer):
    z, (valid, _) = latents(), everything()
    losses = [quantize_dac_for_training(quantizer, z, valid, torch.tensor([n, n])).codebook for n in range(1, K + 1)]
    assert losses == sorted(losses)
    alone = quantize_dac_for_training(quantizer, z[:1], valid[:1], torch.tensor([2])).codebook
    other = quantize_dac_for_training(quantizer, z[1:], valid[1:], torch.tensor([K])).codebook
    both = quantize_dac_for_training(quantizer, z, valid, torch.tensor([2, K])).codebook
    torch.testing.assert_close(both, (alone + other) / 2)


def test_padding_neither_costs_nor_counts(quantizer):
    z = latents(1, 7)
    longer = torch.cat((z, 50 * torch.ones(1, SMALLEST_DAC.latent_dim, 3)), dim=2)
    valid = torch.arange(10)[None] < 7
    short, long = usages(), usages()
    made = quantize_dac_for_training(quantizer, z, *everything(1), usage=short)
    padded = quantize_dac_for_training(quantizer, longer, valid, torch.tensor([K]), usage=long)
    torch.testing.assert_close(padded.commitment, made.commitment)
    for one, other in zip(short, long, strict=True):
        torch.testing.assert_close(one.share, other.share)


def test_it_stays_in_single_precision_inside_autocast(quantizer):
    z = latents()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        made = quantize_dac_for_training(quantizer, z, *everything())
    assert made.quantized.dtype is torch.float32
    assert torch.equal(made.codes, quantizer.quantize(z).codes)


def test_usage_follows_the_shares_and_tells_the_perplexity():
    usage = CodebookUsage(4, decay=0.0)
    usage.count(torch.tensor([0, 0, 1, 1]))
    assert usage.share.tolist() == [0.5, 0.5, 0.0, 0.0]
    assert usage.perplexity() == pytest.approx(2)
    assert CodebookUsage(8).perplexity() == pytest.approx(8)
    usage.count(torch.zeros(0, dtype=torch.long))  # a batch of padding changes nothing
    assert usage.perplexity() == pytest.approx(2)


def test_dead_rows_move_onto_vectors_of_the_batch_and_lose_their_moments(quantizer):
    book = quantizer.quantizer.books()[0]
    weight = book.codebook.weight
    optimizer = torch.optim.AdamW([weight], lr=1e-3)
    weight.sum().backward()
    optimizer.step()
    before = weight.detach().clone()
    usage = CodebookUsage(len(weight))
    usage.share[2:5] = 0
    vectors = torch.tensor([[3.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
    torch.manual_seed(0)
    assert usage.revive(book, vectors, optimizer) == 3
    moved = torch.tensor([2 <= row < 5 for row in range(len(weight))])
    assert torch.cdist(weight.detach()[moved], vectors).amin(1).max() < 0.2
    assert torch.equal(weight.detach()[~moved], before[~moved])
    state = optimizer.state[weight]
    for name in ("exp_avg", "exp_avg_sq"):
        assert not state[name][moved].any()
        assert state[name][~moved].all()
    assert usage.revive(book, vectors) == 0  # they start anew


def test_rows_that_nothing_chooses_come_back_to_life_in_training(quantizer):
    z = latents(4, 40)
    for book in (*quantizer.semantic_quantizer.books(), *quantizer.quantizer.books()):
        with torch.no_grad():
            book.codebook.weight[1:] = -book.codebook.weight[0]  # two directions: 2 rows at the most
    counts = [CodebookUsage(size, decay=0.5) for size in SMALLEST_DAC.codebook_sizes]
    for _ in range(30):
        made = quantize_dac_for_training(quantizer, z, *everything(4, 40), usage=counts)
    assert len(made.codes[:, 0].unique()) > SMALLEST_DAC.semantic_codebook_size // 2


def test_without_usage_nothing_moves(quantizer):
    before = {name: value.clone() for name, value in quantizer.state_dict().items()}
    quantize_dac_for_training(quantizer, latents(), *everything())
    assert all(torch.equal(value, before[name]) for name, value in quantizer.state_dict().items())
