"""The dashboard in a real browser: pages, addresses, filters, downloads, widths and both themes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from dashboards import theme

SHOTS = Path(__file__).parent / "shots"
CHARTS = '[data-testid="stVegaLiteChart"]'


def query(page: Any) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def marks(page: Any, place: int = 0) -> str:
    """What the chart in this place shows, as its drawing."""
    return str(
        page.locator(CHARTS)
        .nth(place)
        .locator("svg, canvas")
        .first.evaluate("drawn => drawn.tagName === 'CANVAS' ? drawn.toDataURL() : drawn.outerHTML")
    )


def choose(reader: Any, page: Any, label: str, option: str) -> None:
    page.get_by_test_id("stSidebar").get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()
    page.keyboard.press("Escape")
    reader.settle(page)


def lineups_of(sample_run: Path) -> list[str]:
    manifest = json.loads((sample_run / "manifest.json").read_text())
    return list(dict.fromkeys(cell["group"] for cell in manifest["cells"]))


def test_overview_shows_its_charts_and_its_address_names_the_run(reader: Any) -> None:
    page = reader.open("/")
    assert page.get_by_role("heading", level=1).inner_text() == "Overview"
    assert page.locator(CHARTS).count() >= 4
    assert query(page)["run"] == ["sample"]
    assert page.get_by_test_id("stException").count() == 0


def test_the_first_page_has_an_address_of_its_name_too(reader: Any) -> None:
    page = reader.open("/overview?run=sample")
    assert page.get_by_role("heading", level=1).inner_text() == "Overview"
    assert "Page not found" not in page.locator("body").inner_text()
    assert page.get_by_test_id("stSidebarNavLink").filter(has_text="Overview").count() == 1


def test_an_address_of_no_run_is_told_which_there_are(reader: Any) -> None:
    page = reader.open("/?run=nosuch")
    assert "There is no run “nosuch”. There are: " in page.get_by_test_id("stMain").inner_text()
    choose(reader, page, "Run", "sample")
    page.get_by_role("heading", level=1, name="Overview").wait_for()
    assert query(page)["run"] == ["sample"]


def test_a_filter_changes_the_chart_and_the_address(reader: Any, sample_run: Path) -> None:
    page = reader.open("/?run=sample", height=2000)
    before = marks(page)
    lineup = lineups_of(sample_run)[-1]
    choose(reader, page, "Line-ups", lineup)
    assert query(page)["lineup"] == [lineup]
    assert marks(page) != before


def test_an_address_reopens_the_same_view(reader: Any, sample_run: Path) -> None:
    first = reader.open("/?run=sample", height=2000)
    choose(reader, first, "Line-ups", lineups_of(sample_run)[-1])
    again = reader.open(first.url.removeprefix(reader.address), height=2000)
    assert query(again) == query(first)
    assert [marks(again, place) for place in range(4)] == [marks(first, place) for place in range(4)]


def test_a_table_and_a_chart_can_be_taken_away(reader: Any) -> None:
    page = reader.open("/?run=sample", height=2000)
    for menu, name, start in (
        ("Table", "turns_per_game.csv", b"variant,given_lineup,"), ("Table", "turns_per_game.parquet", b"PAR1"),
        ("Save", "turns_per_game-light.svg", b"<svg"), ("Save", "turns_per_game-dark.png", b"\x89PNG"),
    ):  # fmt: skip
        page.locator(".st-key-figure_turns_per_game").get_by_role("button", name=menu, exact=True).click()
        with page.expect_download() as waiting:
            page.get_by_role("button", name=name).click()
        assert Path(waiting.value.path()).read_bytes().startswith(start), name
        page.keyboard.press("Escape")
        page.wait_for_timeout(300)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_overview_fits_the_screen_on_light_and_dark(reader: Any, width: int, mode: str) -> None:
    page = reader.open("/?run=sample", width=width, height=3400, mode=mode)
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"overview-{width}-{mode}.png")
    main = page.get_by_test_id("stMain")
    assert main.evaluate("box => box.scrollWidth <= box.clientWidth")
    for chart in page.locator(CHARTS).all():
        box = chart.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    label = page.locator(".st-key-figure_turns_per_game .role-axis-label text").first
    assert label.get_attribute("fill") == theme.INK[mode]
    background = page.get_by_test_id("stApp").evaluate("app => getComputedStyle(app).backgroundColor")
    brightness = sum(int(part) for part in background.removeprefix("rgb(").removesuffix(")").split(",")[:3])
    assert (brightness < 200) == (mode == "dark")


def test_a_dot_tells_its_value_interval_and_number_of_games(reader: Any) -> None:
    page = reader.open("/?run=sample", height=2000)
    page.locator(".st-key-figure_turns_per_game .mark-symbol path").first.hover(force=True)
    tooltip = page.locator("#vg-tooltip-element.visible")
    tooltip.wait_for()
    assert {"variant", "line-up", "Turns per game", "games"} <= set(tooltip.locator(".key").all_inner_texts())


def test_switching_to_dark_recolours_the_charts(reader: Any) -> None:
    page = reader.open("/?run=sample", height=2000)
    dot = page.locator(".st-key-figure_turns_per_game .mark-symbol path").first
    before = dot.get_attribute("stroke")
    page.get_by_test_id("stMainMenu").get_by_role("button").first.click()
    page.get_by_role("menuitemradio", name="Dark").click()
    page.wait_for_timeout(1000)
    reader.settle(page)
    colours = [theme.PALETTES[mode] for mode in ("light", "dark")]
    assert before in colours[0]
    assert dot.get_attribute("stroke") == colours[1][colours[0].index(before)]
