"""The pile: how often it is frozen, by what, and who profits."""

from __future__ import annotations

import streamlit as st

from dashboards.filters import Chosen


def show(chosen: Chosen) -> None:
    """Draw the page."""
    st.title("The pile")
    st.info(f"Nothing of {chosen.run.name} is shown here yet.")
