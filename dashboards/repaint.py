"""Draws the page again when the reader switches between light and dark.

Streamlit restyles its own parts by itself but does not run the script, so that the colours of a chart's marks, which
belong to the light or the dark page, would stay behind.
"""

from __future__ import annotations

import streamlit as st

_WATCH = """
export default function ({ setTriggerValue }) {
    const look = () => getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor;
    let seen = look();
    const watch = setInterval(() => {
        if (look() !== seen) {
            seen = look();
            setTriggerValue("look", seen);
        }
    }, 300);
    return () => clearInterval(watch);
}
"""
_watch = st.components.v2.component("repaint", js=_WATCH)


def on_new_look() -> None:
    """Watch for a change of the page's background from here on."""
    _watch(on_look_change=lambda: None, height=0)
