"""Game length: how rule variants change it."""

from __future__ import annotations

import streamlit as st

from dashboards.filters import Chosen


def show(chosen: Chosen) -> None:
    """Draw the page."""
    st.title("Game length")
    st.info(f"Nothing of {chosen.run.name} is shown here yet.")
