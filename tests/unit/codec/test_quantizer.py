import pytest
import torch

from lungfish.codec.quantizer import Codebook, ResidualBooks


@pytest.fixture
def book() -> Codebook:
    torch.manual_seed(1)
    return Codebook(dim=6, codebook_dim=3, size=20)


def test_nearest_is_the_largest_cosine_whatever_the_length(book):
    rows = book.codebook.weight.detach()
    points = (rows * torch.linspace(0.1, 30, 20)[:, None]).T[None]  # [1, E, T]: every row, rescaled
    assert book.nearest(points).tolist() == [list(range(20))]


def test_the_first_of_equals_wins(book):
    with torch.no_grad():
        book.codebook.weight[7] = book.codebook.weight[3]
    assert book.nearest(book.codebook.weight.detach()[7][None, :, None]).item() == 3


def test_the_looked_up_row_is_not_normalised(book):
    with torch.no_grad():
        book.codebook.weight.mul_(5)
    value, indices, _ = book(torch.randn(2, 6, 4))
    torch.testing.assert_close(value, book.value(indices))


def test_gradient_goes_straight_through(book):
    x = torch.randn(1, 6, 4, requires_grad=True)
    book(x)[0].sum().backward()
    assert x.grad is not None
    assert x.grad.abs().sum() > 0
    assert book.codebook.weight.grad is None


def test_each_book_codes_what_is_left():
    torch.manual_seed(2)
    books, x = ResidualBooks(6, 3, [20, 20, 20]), torch.randn(2, 6, 5)
    total, codes, projections = books(x)
    assert codes.shape == (2, 3, 5)
    assert projections.shape == (2, 9, 5)
    residual = x
    for index, book in enumerate(books.books()):
        assert torch.equal(codes[:, index], book.nearest(book.in_proj(residual)))
        residual = residual - book.value(codes[:, index])
    torch.testing.assert_close(total, x - residual)
    torch.testing.assert_close(books.value(codes), total)


def test_fewer_books_give_the_first_rows():
    torch.manual_seed(3)
    books, x = ResidualBooks(6, 3, [20, 20, 20]), torch.randn(2, 6, 5)
    total, codes, _ = books(x, limit=2)
    assert torch.equal(codes, books(x)[1][:, :2])
    torch.testing.assert_close(books.value(codes), total)
