"""Game length, strategies, the pile and canastas in a real browser: they open, fit, and keep what was chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

SHOTS = Path(__file__).parent / "shots"
CHARTS = '[data-testid="stVegaLiteChart"]'
PAGES = {"game_length": "Game length", "strategies": "Strategies", "pile": "The pile", "canastas": "Canastas"}
SIZES = ((1280, "light"), (390, "dark"))


def query(page: Any) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def drawing(page: Any, key: str) -> str:
    """What a figure's chart shows."""
    return str(page.locator(f".st-key-figure_{key} {CHARTS} svg").first.inner_html())


def marks_outside(page: Any, width: int) -> list[dict[str, float]]:
    """Charts that stick out of the screen to either side."""
    boxes = [chart.bounding_box() for chart in page.locator(CHARTS).all()]
    return [box for box in boxes if not box or box["x"] < 0 or box["x"] + box["width"] > width]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_opens_by_its_address_and_fits_every_screen(reader: Any, path: str) -> None:
    page = reader.open(f"/{path}?run=sample", width=1280, height=4000)
    assert page.get_by_role("heading", level=1).inner_text() == PAGES[path]
    assert page.get_by_test_id("stException").count() == 0
    assert page.locator(CHARTS).count() >= 4
    SHOTS.mkdir(exist_ok=True)
    for width, mode in SIZES:
        page.emulate_media(color_scheme=mode)
        page.set_viewport_size({"width": width, "height": 4000})
        page.wait_for_timeout(1200)
        reader.settle(page)
        page.screenshot(path=SHOTS / f"{path}-{width}-{mode}.png")
        assert page.get_by_test_id("stMain").evaluate("box => box.scrollWidth <= box.clientWidth"), (width, mode)
        assert marks_outside(page, width) == []


def test_what_was_chosen_holds_on_the_next_page_and_in_its_address(reader: Any) -> None:
    page = reader.open("/game_length?run=sample&lineup=safe&base=classic4.canastas_out-2")
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="The pile").click()
    page.get_by_role("heading", level=1, name="The pile").wait_for()
    reader.settle(page)
    assert urlsplit(page.url).path == "/pile"
    assert query(page)["lineup"] == ["safe"]
    assert query(page)["base"] == ["classic4.canastas_out-2"]


def test_a_pace_changes_charts_and_address_which_reopens_the_view(reader: Any) -> None:
    page = reader.open("/game_length?run=sample", height=4000)
    before = drawing(page, "minutes")
    page.get_by_role("radio", name="social").or_(page.get_by_role("button", name="social")).first.click()
    page.wait_for_timeout(500)
    reader.settle(page)
    assert query(page)["pace"] == ["social"]
    assert drawing(page, "minutes") != before
    again = reader.open(page.url.removeprefix(reader.address), height=4000)
    assert drawing(again, "minutes") == drawing(page, "minutes")
    assert "at social pace" in again.locator(".st-key-figure_minutes").inner_text()


def test_a_cell_of_a_grid_tells_its_numbers(reader: Any) -> None:
    page = reader.open("/strategies?run=sample", height=4000)
    page.locator(".st-key-figure_risk .mark-rect path").first.hover(force=True)
    tooltip = page.locator("#vg-tooltip-element.visible")
    tooltip.wait_for()
    assert {"round", "rank", "n", "games"} <= set(tooltip.locator(".key").all_inner_texts())


def test_what_can_be_copied_is_one_click_away(reader: Any) -> None:
    page = reader.open("/game_length?run=sample", height=4000)
    page.locator(".st-key-figure_turns").get_by_role("button", name="Copy as", exact=True).click()
    body = page.get_by_test_id("stPopoverBody")
    body.locator("code").nth(2).wait_for()
    said = body.inner_text()
    assert "canasta metric turns_per_game" in said
    assert "run.metric('turns_per_game'" in said
    assert "from rollup_games" in said or "from games" in said
