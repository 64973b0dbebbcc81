"""The log's columns: name, type, unit and description, the single source of every schema.

The kernel fills a block of them (engine.block); the pipeline turns blocks into Arrow, DuckDB views
and the data dictionary from the same list. Codes of a column with `words` count from 1
in the order given, 0 is null; any other nullable column is null at -1 (`NULL`). A list ends at 0
(text) or at the least integer of its type. Nothing here reads or writes a file.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import CARDS, RANKS
from engine.log_words import (
    ACTIONS,
    DEAL_ENDINGS,
    FREEZES,
    GAME_ENDINGS,
    LIFE_ENDINGS,
    MAX_SAME,
    MAX_SAME_SEQUENCES,
    MELDS,
    OPENINGS,
    SPECIAL_HANDS,
    STATES,
    TAKES,
)

# fmt: off
__all__ = [
    "ACTIONS", "DEALS", "DEAL_ENDINGS", "DESCRIPTIONS", "FREEZES", "GAMES", "GAME_ENDINGS", "KEYS",
    "LIFE_ENDINGS", "MAX_HAND", "MAX_SAME", "MAX_SAME_SEQUENCES", "MAX_SEATS", "MAX_SIDES", "MAX_UPCARDS", "MELDS",
    "MOVES", "NULL", "OPENINGS", "PILES", "SCHEMA_VERSION", "SIDES", "SPECIAL_HANDS", "STATES",
    "TABLES", "TAKES", "TURNS", "Column", "code",
]
# fmt: on

SCHEMA_VERSION = "2.0.0"
NULL = -1
MAX_SEATS = 6
MAX_SIDES = 6
MAX_HAND = 16
MAX_UPCARDS = 40


@dataclass(frozen=True)
class Column:
    """One column of a table.

    `kind` is `int8 int16 int32 int64 bool` or `text` (with `words`); `size` > 0 makes it a list of
    at most that many values, ended early by 0 (text) or the least integer of its type; `nested` > 0
    a list of at most that many such lists, trailing empty ones dropped.
    Columns of one `group` stand next to each other and are one array in the kernel's record.
    """

    name: str
    kind: str
    unit: str
    description: str
    words: tuple[str, ...] = ()
    nullable: bool = False
    size: int = 0
    nested: int = 0
    group: str = ""

    @property
    def logged(self) -> str:
        """Kind of what the kernel writes: of text its codes, as wide as its words need."""
        if self.kind != "text":
            return self.kind
        return "int8" if len(self.words) < 127 else "int16"

    @property
    def dtype(self) -> tuple[object, ...]:
        """Field of the numpy record that the kernel fills."""
        base = {"bool": "i1", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8"}[self.logged]
        if self.nested:
            return (self.name, base, (self.nested, self.size))
        return (self.name, base, (self.size,)) if self.size else (self.name, base)


def _card(name: str, description: str, *, nullable: bool = False) -> Column:
    return Column(name, "text", "card", description, CARDS, nullable)


# One line a column reads as the table it is.
# fmt: off
_GAME = Column("game", "int32", "number", "game within the cell, from 1")
_DEAL = Column("deal", "int16", "number", "deal within the game, from 1")
_SEAT = Column("seat", "int8", "number", "seat that acts, from 1 in turn order")

MOVES = (
    _GAME, _DEAL,
    Column("turn", "int16", "number", "turn within the deal, from 1 over all seats; 0 is the deal itself"),
    Column("move", "int16", "number", "order within the deal, from 1"),
    _SEAT,
    Column("action", "text", "", "what happened to the card", ACTIONS),
    Column("card", "text", "card", "the card moved; the upcard on a take; null on ask, agree, refuse, pass", CARDS, True),
    Column("meld", "text", "meld", "meld the card joins, as it is before: its rank, `wild`, `3` for black threes, `K.2` for a second meld "
           "of kings, a sequence by suit and lowest card (`H5`; a new one by its lowest card as laid; `H5.2` the second of that name); of a "
           "join two rows, the meld that goes and the one it joins; of a special hand its name; null elsewhere", MELDS, True),
    Column("taken", "int16", "cards", "cards taken, upcard included; null but on a take", nullable=True),
)

TURNS = (
    _GAME, _DEAL,
    Column("turn", "int16", "number", "turn within the deal, from 1 over all seats"),
    _SEAT,
    Column("upcard", "text", "card", "top of the pile as the turn begins; null when the pile is empty", CARDS, True),
    Column("pile", "int16", "cards", "cards in the pile as the turn begins"),
    Column("hand", "int16", "cards", "cards in the seat's hand as the turn begins"),
    Column("stock", "int16", "cards", "cards in the stock as the turn begins"),
    Column("state", "text", "", "pile from the actor's side as the turn begins: empty, then wild_top, stopped (a three on top, or a seven "
           "where it stops), frozen (for everybody), unopened (frozen only for this side), open", STATES),
    Column("frozen_by", "text", "", "what froze the pile for everybody; null when it is not frozen", FREEZES, True),
    Column("could_take", "bool", "", "taking the pile was legal with the hand as the turn began, before drawing (exact)"),
    Column("could_open", "bool", "", "the side was unopened and could open this turn with the hand after its draw or with the pile it took "
           "(exact for melds of one rank; where rules have wild melds, sequences, several melds of a rank or limits of their own on melds or on "
           "going out, the search may miss a way)"),
    Column("could_out", "bool", "", "the seat could legally go out with its hand after the draw or take "
           "(as exact as could_open)"),
    Column("took", "int16", "cards", "cards taken with the pile, upcard included; null when the pile was not taken", nullable=True),
    Column("how", "text", "", "how the upcard was used in a take", TAKES, True),
    Column("opened", "bool", "", "the side made its first meld of the deal in this turn"),
    Column("laid", "int16", "cards", "cards melded from hand and pile in this turn, upcard of a take included"),
    Column("laid_points", "int16", "points", "points of the cards melded in this turn"),
    Column("discard", "text", "card", "card discarded; null when the turn ended without one", CARDS, True),
    Column("in_theirs", "bool", "", "the discard's rank lies in a meld of the next seat's side; null without discard", nullable=True),
    Column("in_ours", "bool", "", "the discard's rank lies in a meld of the own side; null without discard", nullable=True),
    Column("thrown_before", "bool", "", "the next seat has discarded this kind earlier in the deal; null without discard", nullable=True),
    Column("seen", "int8", "cards", "copies of the discard's kind the thrower can see: own hand, all melds, the pile; the discard itself "
           "not counted; null without discard", nullable=True),
    Column("had_other", "bool", "", "another legal discard was held whose rank lies in no meld of the next seat's side; null without discard",
           nullable=True),
    Column("next_could_take", "bool", "", "the next seat could legally take this discard; null when it had no turn", nullable=True),
    Column("next_took", "int16", "cards", "cards the next seat took, 0 when it left the pile; null when it had no turn", nullable=True),
)

PILES = (
    _GAME, _DEAL,
    Column("pile", "int16", "number", "life of the pile within the deal, from 1"),
    Column("first_turn", "int16", "number", "turn whose discard began it; 0 for the upcard of the deal"),
    Column("last_turn", "int16", "number", "turn of the take, or the deal's last turn"),
    Column("frozen_turn", "int16", "number", "turn whose discard froze it; 0 when frozen by the deal; null when no card froze it; "
           "the last freeze where the rules end one before a take", nullable=True),
    Column("frozen_by", "text", "", "what froze it then", FREEZES, True),
    Column("frozen_seat", "int8", "number", "seat that froze it then; null when the deal did or never", nullable=True),
    Column("wilds_on_frozen", "int8", "cards", "wild cards thrown on it while it was frozen"),
    Column("black_threes", "int8", "cards", "black threes thrown on it"),
    Column("ending", "text", "", "taken, or left when the deal ended", LIFE_ENDINGS),
    Column("taken_seat", "int8", "number", "seat that took it; null when left", nullable=True),
    Column("how", "text", "", "how the upcard was used in the take", TAKES, True),
    Column("cards", "int16", "cards", "cards in it when taken or left"),
    Column("card_points", "int16", "points", "points of the cards in it when taken or left"),
)

DEALS = (
    _GAME, _DEAL,
    Column("dealer", "int8", "number", "seat of the dealer; the next seat acts first"),
    Column("seats", "int8", "seats", "active seats, those not sitting out"),
    Column("sits_out", "int8", "number", "seat that sits out; null when none", nullable=True),
    Column("turns", "int16", "turns", "turns of the deal"),
    Column("ending", "text", "", "how the deal ended: out (any going out but concealed), concealed (melded out in one turn with an own "
           "canasta), special, stock, red_three (a red three as last stock card), cap (the turn cap)", DEAL_ENDINGS),
    Column("out_seat", "int8", "number", "seat that went out; null when none did", nullable=True),
    Column("stock", "int16", "cards", "cards left in the stock"),
    Column("pile", "int16", "cards", "cards left in the pile"),
    Column("biggest_take", "int16", "cards", "cards of the largest pile taken; null when none was", nullable=True),
    Column("biggest_take_seat", "int8", "number", "seat that took the largest pile, the first of equals", nullable=True),
    Column("hands", "text", "card", "hands as dealt, before red threes are laid, by seat", CARDS, size=MAX_HAND, nested=MAX_SEATS),
    Column("upcards", "text", "card", "the pile as turned at the deal, bottom first, face-down cards too", CARDS, size=MAX_UPCARDS),
    Column("reserves", "text", "card", "reserves as dealt, by seat; empty where the rules have none", CARDS, size=MAX_HAND, nested=MAX_SEATS),
)

_COUNT_BY_RANK = tuple(
    Column(f"{kind}_{rank}", "int8", "canastas", f"{kind} canastas of rank {rank}", group=f"{kind}_by_rank")
    for kind in ("natural", "mixed") for rank in RANKS[:11]
)
SIDES = (
    _GAME, _DEAL,
    Column("side", "int8", "number", "side, from 1"),
    Column("score_before", "int32", "points", "game score of the side before the deal"),
    Column("score_after", "int32", "points", "game score of the side after the deal"),
    Column("minimum", "int16", "points", "minimum count of the side's opening in this deal"),
    Column("open_turn", "int16", "own turn", "own turn of the seat that opened, in which it did; null when the side never opened", nullable=True),
    Column("open_seat", "int8", "number", "seat that opened; null when the side never opened", nullable=True),
    Column("opening", "text", "", "opened from hand or with the pile", OPENINGS, True),
    Column("open_points", "int16", "points", "count of the opening; null when the side never opened", nullable=True),
    Column("first_canasta_turn", "int16", "own turn", "own turn of the seat that laid the side's first seventh card; null when none",
           nullable=True),
    Column("legal_takes", "int16", "turns", "turns of the side that began with a legal take"),
    Column("takes", "int16", "takes", "piles taken"),
    Column("taken_cards", "int16", "cards", "cards taken with piles"),
    Column("freezes", "int16", "freezes", "times a discard of the side froze the pile for everybody"),
    Column("natural_canastas", "int8", "canastas", "natural canastas at the end of the deal"),
    Column("mixed_canastas", "int8", "canastas", "mixed canastas at the end of the deal"),
    *_COUNT_BY_RANK,
    Column("wild_canastas", "int8", "canastas", "canastas of wild cards at the end of the deal"),
    Column("sequence_canastas", "int8", "canastas", "canastas of a sequence (sambas, escaleras) at the end of the deal"),
    Column("royal_canastas", "int8", "canastas", "canastas of black threes, where they are melded like a rank"),
    Column("melded_cards", "int16", "cards", "cards in melds, canastas included"),
    Column("held_cards", "int16", "cards", "cards left in the side's hands and reserves"),
    Column("red_threes", "int8", "cards", "red threes laid"),
    Column("black_threes", "int8", "cards", "black threes laid like red ones, where they are bonus cards"),
    Column("lone", "bool", "", "the seat played alone against two partners, where sides form during the deal"),
    Column("partner", "int8", "number", "seat that became the partner, where sides form during the deal; its row has the same points "
           "but for red threes, what both have is counted in the lower seat's; null elsewhere", nullable=True),
    Column("natural_points", "int32", "points", "bonus of natural canastas"),
    Column("mixed_points", "int32", "points", "bonus of mixed canastas"),
    Column("wild_points", "int32", "points", "bonus of canastas of wild cards"),
    Column("sequence_points", "int32", "points", "bonus of canastas of a sequence"),
    Column("royal_points", "int32", "points", "bonus of canastas of black threes"),
    Column("set_points", "int32", "points", "bonus for collections of canastas"),
    Column("card_points", "int32", "points", "points of melded cards, negative where the rules turn them"),
    Column("held_points", "int32", "points", "minus the points of the cards left in hand, threes at what the rules charge for them"),
    Column("held_penalty_points", "int32", "points", "minus the penalties for aces and sevens left in hand"),
    Column("open_meld_points", "int32", "points", "minus the penalties for melds left incomplete"),
    Column("red_three_points", "int32", "points", "bonus of red threes, and of black ones laid like them, negative where the rules turn it"),
    Column("out_points", "int32", "points", "bonus for going out, concealed included"),
    Column("aside_points", "int32", "points", "points of black threes set aside from taken piles"),
    Column("one_turn_points", "int32", "points", "bonus for canastas laid in a single turn"),
    Column("special_points", "int32", "points", "points of a special hand, which take the place of all others of the side"),
    Column("score", "int32", "points", "the deal's score: the sum of the `_points` columns natural, mixed, wild, sequence, royal, set, card, "
           "held, held_penalty, open_meld, red_three, out, aside, one_turn, special"),
)

GAMES = (
    _GAME,
    Column("seed", "int64", "", "the run's seed; with game and deal it gives every pack"),
    Column("ending", "text", "", "how the game ended: target reached, fixed number of deals, special win, cap of 100 deals", GAME_ENDINGS),
    Column("deals", "int16", "deals", "deals played"),
    Column("turns", "int32", "turns", "turns of all deals"),
    Column("winner", "int8", "number", "side that won; null when shared or the game hit the cap", nullable=True),
    Column("takes", "int16", "takes", "piles taken by all sides"),
    Column("legal_takes", "int32", "turns", "turns that began with a legal take"),
    Column("taken_cards", "int32", "cards", "cards taken with piles"),
    Column("frozen_turns", "int32", "turns", "turns that began with the pile frozen for everybody"),
    Column("frozen_deals", "int16", "deals", "deals in which the pile was frozen for everybody at any time"),
    Column("freezes", "int16", "freezes", "times the pile became frozen for everybody"),
    Column("out_deals", "int16", "deals", "deals that ended by going out, concealed and special included"),
    Column("melded_cards", "int32", "cards", "cards in melds at the end of the deals"),
    Column("scores", "int32", "points", "final score by side", size=MAX_SIDES),
    Column("side_takes", "int16", "takes", "piles taken by side", size=MAX_SIDES),
    Column("side_natural_canastas", "int16", "canastas", "natural canastas by side", size=MAX_SIDES),
    Column("side_mixed_canastas", "int16", "canastas", "mixed canastas by side", size=MAX_SIDES),
    Column("side_wild_canastas", "int16", "canastas", "canastas of wild cards by side", size=MAX_SIDES),
    Column("side_sequence_canastas", "int16", "canastas", "canastas of a sequence by side", size=MAX_SIDES),
)
# fmt: on

TABLES: dict[str, tuple[Column, ...]] = {
    "moves": MOVES,
    "turns": TURNS,
    "piles": PILES,
    "deals": DEALS,
    "sides": SIDES,
    "games": GAMES,
}
DESCRIPTIONS = {
    "moves": "card moved, in order: the ledger, enough to replay every deal exactly",
    "turns": "turn of a seat: what it met, could have done and did, what came of its discard",
    "piles": "life of the pile, from an upcard or a first discard to a take or the end of the deal",
    "deals": "deal",
    "sides": "deal and side",
    "games": "game",
}
KEYS = {
    "moves": ("game", "deal", "move"),
    "turns": ("game", "deal", "turn"),
    "piles": ("game", "deal", "pile"),
    "deals": ("game", "deal"),
    "sides": ("game", "deal", "side"),
    "games": ("game",),
}


def code(words: tuple[str, ...], word: str) -> int:
    """The logged code of a word: its place from 1; 0 is null."""
    return words.index(word) + 1
