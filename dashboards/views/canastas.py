"""Canastas: how many, which, when."""

from __future__ import annotations

import streamlit as st

from dashboards.filters import Chosen


def show(chosen: Chosen) -> None:
    """Draw the page."""
    st.title("Canastas")
    st.info(f"Nothing of {chosen.run.name} is shown here yet.")
