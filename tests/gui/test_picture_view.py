"""The picture of a training: drawn whole, or as a grid whose guesses can be read without colours."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from gpu_assistant.gui.widgets.picture_view import PictureView, caption
from gpu_assistant.smoke_test.events import Picture


@pytest.fixture
def view(qtbot: Any) -> PictureView:
    view = PictureView()
    qtbot.addWidget(view)
    view.resize(300, 220)
    view.show()
    return view


def grid(*labels: str, columns: int) -> Picture:
    rows = -(-len(labels) // columns)
    width, height = columns * 8, rows * 8
    rgb = base64.b64encode(bytes(width * height * 3)).decode()
    return Picture(name="guesses", step=1, width=width, height=height, rgb=rgb, labels=labels, columns=columns)


def test_every_guess_stands_under_its_digit(view: PictureView) -> None:
    right, wrong = grid("7", "3", columns=2), grid("7", "3!=8", columns=2)
    view.show_picture(right)
    drawn = view.grab().toImage()
    view.show_picture(wrong)
    assert view.grab().toImage() != drawn


def test_right_and_wrong_differ_by_a_sign() -> None:
    assert caption("7") == ("good", "7 ✓")
    assert caption("3!=8") == ("problem", "3 ≠ 8")


def test_bytes_that_do_not_fit_are_not_shown(view: PictureView) -> None:
    view.show_picture(Picture(name="learnt", step=1, width=9, height=9, rgb=base64.b64encode(b"abc").decode()))
    assert view.image.isNull()


def test_cleared_is_the_placeholder_again(view: PictureView) -> None:
    before = view.grab().toImage()
    view.show_picture(grid("1", columns=1))
    assert view.grab().toImage() != before
    view.clear_picture()
    assert view.grab().toImage() == before
