"""Strategies: which discard strategy is better, by how much, and why."""

from __future__ import annotations

import streamlit as st

from dashboards.filters import Chosen


def show(chosen: Chosen) -> None:
    """Draw the page."""
    st.title("Strategies")
    st.info(f"Nothing of {chosen.run.name} is shown here yet.")
