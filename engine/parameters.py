"""Every rule parameter of the lab, declared once: type, allowed values, default, meaning, source.

`Rules` is the values of all of them. The defaults are those of `classic4`. What is said about a
parameter anywhere else (docs/parameters.md, the `canasta` command, a run's manifest, the compiled
record) is derived from these declarations. A bit or code of a word is its place in `words`, so new
words go to the end. Card values are the same in every variant and no parameter. Sources: docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from engine.cards import RANKS
from engine.errors import BadInput
from engine.log import MAX_HAND, SPECIAL_HANDS
from engine.parameter_kinds import Parameter, Totals, Whole, Word, Words, YesNo
from engine.parameter_tables import BonusCards, Contents, KeyWords, Minimums, Points
from engine.parameter_text import FrozenMap, near, shorten
from engine.rule_checks import check_combination

_NATURALS = RANKS[:11]
_RANK_KEYS = (*(f"rank:{rank}" for rank in _NATURALS), *(f"rank:{rank}:any" for rank in _NATURALS))

# fmt: off
_SETUP, _TURN, _MELDS, _INITIAL = "Setup", "Turn", "Melds", "Initial meld"
_PILE, _RED, _OUT, _SCORE, _MATCH = "Discard pile", "Red threes", "Going out and end", "Scoring", "Match"


def _declare(kind: type[Parameter], group: str, default: Any, meaning: str, source: str, **limits: Any) -> Any:
    parameter = kind(group=group, default=default, meaning=meaning, source=source, **limits)
    return field(default=default, metadata={"parameter": parameter})


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The value of every rule parameter; frozen, compared and hashed by content.

    Values may be given in Python, JSON or text form and are kept in one normal form: int, str, bool,
    None, tuple, FrozenMap. BadInput names a value that is not allowed or does not fit the others.
    """

    players: int = _declare(
        Whole, _SETUP, 4, "Seats at the table (5 = two against three, one of the three sits out each deal).",
        "§1.1, §1.11", low=2, high=6)
    sides: str = _declare(
        Word, _SETUP, "two_teams", "Who scores together; partners sit alternately. lone_hand = 3 players: the first "
        "to take the pile plays alone, the other two become partners for that deal. two_v_three = 5 players.",
        "§1.1, §1.11", words=("two_teams", "three_teams", "individual", "lone_hand", "two_v_three"))
    packs: int = _declare(Whole, _SETUP, 2, "52-card packs shuffled together.", "§1.1, §3", low=2, high=7)
    jokers: int = _declare(
        Whole, _SETUP, 4, "Jokers in all (2 a pack in every documented variant; some packs have 3).", "§1.1",
        low=0, high=21)
    hand_size: int = _declare(Whole, _SETUP, 11, "Cards dealt to each hand.", "§1.1, §1.11", low=1, high=MAX_HAND)
    reserve_size: int = _declare(
        Whole, _SETUP, 0, "Cards of a second packet for each player (foot, back hand, kitty, reserve); 0 = none.",
        "§9, §17", low=0, high=MAX_HAND)
    reserve_pickup: str = _declare(
        Word, _SETUP, "none", "When a player takes up the reserve. hand_empty: at once if emptied by melding, next "
        "turn if emptied by the discard.", "§9, §17", words=("none", "hand_empty", "first_canasta"))
    upcard: str = _declare(
        Word, _SETUP, "until_natural_or_black3", "How the pile starts. single: one card, whatever it is. until_…: "
        "cards are turned onto it until such a card shows. value_pile: as many face-down cards under the upcard as "
        "its pip value (J 11, Q 12, K 13).", "§1.2, §7",
        words=("none", "single", "until_natural_or_black3", "until_natural", "value_pile"))

    draw_count: int = _declare(
        Whole, _TURN, 1, "Cards drawn from the stock in a turn (red threes are replaced on top of this).",
        "§1.4, §1.11", low=1, high=2)
    pile_extra_draw: int = _declare(
        Whole, _TURN, 0, "Stock cards drawn in addition when the pile is taken.", "§7", low=0, high=1)
    discard_bans: tuple[str, ...] = _declare(
        Words, _TURN, ("red3",), "Discards that are illegal. swad_on_empty_pile: no seven, wild, ace or dead rank "
        "onto an empty pile unless nothing else is held.", "§1.4, §10, §13, §17",
        words=("red3", "three", "wild_unless_out_or_all_wild", "black3_first_round", "7_until_7s_canasta",
               "7_as_last_card", "swad_on_empty_pile"))

    min_naturals: int = _declare(Whole, _MELDS, 2, "Least natural cards in a meld of a rank.", "§1.5", low=1, high=3)
    max_wilds: int = _declare(
        Whole, _MELDS, 3, "Most wild cards in a meld of a rank, canastas included.", "§1.5, §3", low=0, high=6)
    wild_ratio: str = _declare(
        Word, _MELDS, "none", "Wilds compared with naturals in every meld. not_more: wilds <= naturals. fewer: "
        "wilds < naturals.", "§1.5, §2", words=("none", "not_more", "fewer"))
    wild_add_min_naturals: int = _declare(
        Whole, _MELDS, 0, "Once the side has opened, a wild may join a meld of a rank only if it holds at least this "
        "many naturals (rule of five).", "§10", low=0, high=7)
    natural_only_ranks: Mapping[str, str] = _declare(
        KeyWords, _MELDS, FrozenMap(), "Ranks that refuse wilds. opening_only: wilds only in a meld that is part of "
        "the opening.", "§10, §17", keys=_NATURALS, words=("always", "opening_only"))
    sequences: bool = _declare(
        YesNo, _MELDS, False, "Suit sequences 4..A of 3 to 7 cards without wilds are melds; 7 = canasta (samba, "
        "escalera).", "§3")
    wild_melds: str = _declare(
        Word, _MELDS, "none", "Melds of 3 to 7 wild cards. twos_first: twos may be melded as a rank of their own.",
        "§4, §7, §10, §14", words=("none", "any", "twos_first"))
    open_wild_meld_locks_wilds: bool = _declare(
        YesNo, _MELDS, False, "While a wild meld is incomplete its side may use no wild card elsewhere.", "§7, §10")
    max_meld_size: int | None = _declare(
        Whole, _MELDS, None, "Largest meld of a rank. Sequences and wild melds never exceed 7.", "§9, §10, §13",
        low=7, high=24, optional=True)
    same_rank_melds: str = _declare(
        Word, _MELDS, "one", "May a side hold more than one meld of a rank (62 melds in all).", "§1.5, §3",
        words=("one", "several"))
    closed_ranks_dead: bool = _declare(
        YesNo, _MELDS, False, "Once either side completes a canasta of a rank, nobody may start or add to that rank "
        "(except in a special hand).", "§10")
    black3_role: str = _declare(
        Word, _MELDS, "stop", "stop: blocks the next player. bonus: laid out like red threes and scored by "
        "red3_totals, each colour apart. set_aside: stop, and out of play when the pile is taken, 5 points "
        "each to the taker's side, 100 for all of the pack.", "§1.8, §10, §13", words=("stop", "bonus", "set_aside"))
    black3_meld: str = _declare(
        Word, _MELDS, "going_out", "Melding black threes. going_out: 3 or more without wilds in the turn that goes "
        "out. as_rank: like any rank.", "§1.5, §18", words=("going_out", "never", "as_rank"))
    full_sequence_add: str = _declare(
        Word, _MELDS, "never", "Adding to a sequence of seven. going_out: the player going out may lay cards onto its "
        "ends.", "§3, §5", words=("never", "going_out"))
    meld_from_round: int = _declare(
        Whole, _MELDS, 1, "Own turn of a player from which he may lay melds and take the pile.", "house rules", low=1,
        high=20)

    initial_minimums: tuple[tuple[int, int], ...] = _declare(
        Minimums, _INITIAL, ((-99_999, 15), (0, 50), (1500, 90), (3000, 120)), "Least count of the opening by the "
        "side's score before the deal, or by number of the deal.", "§1.6", low=0, high=5000)
    initial_basis: str = _declare(
        Word, _INITIAL, "score", "What selects the row of initial_minimums.", "§1.6, §9", words=("score", "deal"))
    initial_pile: str = _declare(
        Word, _INITIAL, "top_counts", "Using the pile in the opening turn. after_own: the opening must qualify from "
        "the hand alone, then the pile may be taken that turn. forbidden: not that turn at all.", "§1.6, §8, §10",
        words=("top_counts", "after_own", "forbidden"))
    initial_content: str | tuple[tuple[int, str], ...] = _declare(
        Contents, _INITIAL, "any", "What the opening must contain besides the count; one word, or rows by score. "
        "The two triples also forbid a mixed canasta in the opening.", "§5, §7, §10",
        words=("any", "naturals_only", "clean_triple", "clean_or_wild_triple", "any_canasta", "natural_canasta"))
    initial_waivers: tuple[str, ...] = _declare(
        Words, _INITIAL, ("concealed_out",), "Openings exempt from the minimum. concealed_out: melding out with a "
        "canasta after a stock draw. splash: a complete natural or wild canasta from hand.", "§1.6, §10",
        words=("concealed_out", "splash"))
    initial_draw: Mapping[str, Any] = _declare(
        BonusCards, _INITIAL, FrozenMap({"counts": (), "when": "none"}), "Bonus cards for the player who opens, by "
        "order of opening. next_turn: only if at least 9 stock cards remain and the pile was not taken in the "
        "opening turn.", "§10, §15", words=("none", "at_once", "next_turn"), high=26)

    pile_frozen: str = _declare(
        Word, _PILE, "dynamic", "dynamic: frozen by cards of freeze_by and for a side that has not opened. always: "
        "pair only, for everybody, all the time.", "§1.7, §7", words=("dynamic", "always"))
    freeze_by: tuple[str, ...] = _declare(
        Words, _PILE, ("wild", "red3_upcard"), "Cards that freeze the pile until it is taken.", "§1.2, §1.8, §2",
        words=("wild", "red3_upcard", "red3_discard", "black3"))
    unfrozen_take: tuple[str, ...] = _declare(
        Words, _PILE, ("pair", "natural_wild", "add"), "Ways to take an unfrozen pile once the side has opened. A "
        "frozen pile, and opening, ask for a pair.", "§1.7, §3", words=("pair", "natural_wild", "add"))
    add_to_complete: bool = _declare(
        YesNo, _PILE, True, "May the upcard be added to a completed canasta in order to take the pile.", "§1.7")
    untakeable_tops: tuple[str, ...] = _declare(
        Words, _PILE, ("wild", "black3", "red3"), "Upcards that make the pile untakeable; wild cards, and threes "
        "that lie on a pile, always do.", "§1.7, §15", words=("wild", "black3", "red3", "7"), needed=("wild",))
    one_card_pile: str = _declare(
        Word, _PILE, "forbidden", "May a player with one card in hand take a pile of one card.", "§1.7, §12",
        words=("forbidden", "allowed", "forbidden_while_stock"))
    pile_portion: str = _declare(
        Word, _PILE, "all", "How much of the pile is taken. from_melded: from the melded card up.", "§1.7, §9, §19",
        words=("all", "top7", "from_melded"))
    pile_rest: str = _declare(
        Word, _PILE, "stays", "What becomes of the cards that a take of part of the pile leaves. stays: they lie on "
        "and the discard goes onto them. removed: out of play.", "§9, §19, house rules", words=("stays", "removed"))
    freeze_ends: str = _declare(
        Word, _PILE, "taken", "What ends a freeze besides a take, which always does. round: the turn coming back to "
        "who threw the last freezing card (to the dealer for an upcard). turn: the end of the next turn.",
        "§1.8, §2, house rules", words=("taken", "round", "turn"))
    freeze_limit: int | None = _declare(
        Whole, _PILE, None, "Times a player may freeze the pile in a deal.", "house rules", low=1, high=20,
        optional=True)

    red3_use: str = _declare(
        Word, _RED, "lay_replace", "lay_replace: laid and replaced. on_clean_canasta: kept, one may be laid on each "
        "clean canasta. discardable: lay_replace, or kept and discarded.", "§1.3, §2, §9",
        words=("lay_replace", "on_clean_canasta", "discardable"))
    red3_totals: tuple[int, ...] = _declare(
        Totals, _RED, (100, 200, 300, 800), "Total bonus for 1, 2, 3, … red threes of a side.", "§1.10", low=0,
        high=100_000)
    red3_sign: str = _declare(
        Word, _RED, "melded", "What makes the total positive; otherwise it is negative. swing: 0 canastas minus, 1 "
        "zero, 2 or more plus (both colours). plus_only: never negative.", "§1.10, §3, §10, §12, §17",
        words=("melded", "one_canasta", "two_canastas", "sevens_canasta", "swing", "plus_only"))

    canastas_out: int = _declare(
        Whole, _OUT, 1, "Canastas the side needs to go out (after the melds of that turn).", "§1.9, §1.11", low=1,
        high=7)
    canastas_out_types: Mapping[str, int] = _declare(
        Points, _OUT, FrozenMap(), "Least number of each type inside canastas_out.", "§4, §9, §17",
        keys=("natural", "mixed", "sequence", "wild", "7"), low=1, high=7)
    out_conditions: tuple[str, ...] = _declare(
        Words, _OUT, (), "Other requirements for going out. wild_canasta_excluded: canastas of wild cards do not count "
        "for it, and pay a bonus only to the side that goes out.", "§7, §9, §10, §15",
        words=("wild_canasta_excluded", "red3_per_canasta", "no_open_special_meld", "reserve_taken",
               "partner_reserve_taken"))
    out_discard: str = _declare(
        Word, _OUT, "optional", "Whether going out must end with a discard.", "§1.9, §10",
        words=("optional", "required"))
    ask_partner: str = _declare(
        Word, _OUT, "optional", "Asking the partner for permission to go out, after the draw or take and before any "
        "other meld; the answer binds both ways.", "§1.9, §5",
        words=("none", "optional", "required"))
    stock_end: str = _declare(
        Word, _OUT, "pile_play_forced", "After the last stock card. pile_play_forced: play goes on by pile takes, "
        "forced where the upcard fits an own meld and the pile is not frozen. pile_play_free: by choice. immediate: "
        "the deal ends.", "§1.9, §2, §10", words=("pile_play_forced", "pile_play_free", "immediate"))
    last_red3: str = _declare(
        Word, _OUT, "end_at_once", "A red three (Modern American: any three) as last stock card. stays_in_hand: it is "
        "held, the deal ends, and a red three held costs 5 (or held_penalty.red3).", "§1.9, §10",
        words=("end_at_once", "meld_no_discard", "stays_in_hand"))

    canasta_bonus: Mapping[str, int | None] = _declare(
        Points, _SCORE, FrozenMap({"natural": 500, "mixed": 300}), "Bonus by type of canasta; rank:R takes the place "
        "of natural (rank:R:any of natural and mixed) for canastas of rank R; royal: of seven threes. Not given, "
        "sequence and wild pay nothing, wild_4_jokers and wild_all_twos as wild, royal as natural or mixed.",
        "§1.10, §3, §4, §15, §18",
        keys=("natural", "mixed", "sequence", "wild", "wild_4_jokers", "wild_all_twos", "royal", *_RANK_KEYS),
        shown_keys="natural, mixed, sequence, wild, wild_4_jokers, wild_all_twos, royal, rank:R, rank:R:any (R = 4..A)",
        required=("natural", "mixed"), unknown_keys=("royal",))
    out_bonus: Mapping[str, int] = _declare(
        Points, _SCORE, FrozenMap({"out": 100, "concealed": 200, "concealed_plain": 100}), "Totals, not added "
        "together: for going out; for melding out in one turn with an own canasta; the same without one.",
        "§1.9, §12", keys=("out", "concealed", "concealed_plain"), required=("out", "concealed", "concealed_plain"))
    concealed_with_pile: bool = _declare(
        YesNo, _SCORE, True, "Concealed bonus also when the pile was taken that turn.", "§1.9")
    special_hands: Mapping[str, int] = _declare(
        Points, _SCORE, FrozenMap(), "Fourteen-card hands that end the deal, and the points that take the place of "
        "the side's score.", "§10", keys=SPECIAL_HANDS)
    wild_pair_kind: str = _declare(
        Word, _SCORE, "any", "Wild cards of the special hand wild_pairs, beside aces and sevens. any: one pair, of "
        "jokers or of twos. twos: a pair of twos.", "§10", words=("any", "twos"))
    open_meld_penalty: Mapping[str, int] = _declare(
        Points, _SCORE, FrozenMap(), "Penalty for melds still incomplete at the end. sequence_lt5: a sequence of "
        "fewer than 5.", "§5, §10, §16", keys=("A", "7", "wild", "wild_4_jokers", "sequence_lt5"))
    held_penalty: Mapping[str, int] = _declare(
        Points, _SCORE, FrozenMap(), "Penalty for cards left in hand: black3, red3 for each card in place of its "
        "value; A3, 7_3, 7_gt3 for a player with 3 or more aces, 3 or more sevens, more than 3 sevens, on top of "
        "the values.", "§4, §9, §10, §16", keys=("black3", "A3", "7_3", "7_gt3", "red3"))
    set_bonuses: Mapping[str, int] = _declare(
        Points, _SCORE, FrozenMap(), "Bonuses for collections of canastas.", "§7, §8",
        keys=("five_natural", "four_natural_one_mixed", "ten_any", "seven_any"))
    melds_negative_without_canasta: bool = _declare(
        YesNo, _SCORE, False, "A side without a canasta scores its melded cards minus.", "§10")
    counted_canastas: str = _declare(
        Word, _SCORE, "all", "Canastas whose bonus counts. as_many_as_out: for the sides that did not go out only as "
        "many as the side that did has, those worth most first.", "house rules", words=("all", "as_many_as_out"))
    one_turn_canasta_bonus: int = _declare(
        Whole, _SCORE, 0, "Bonus for each canasta laid in a single turn.", "house rules", low=0, high=100_000)

    target: int | None = _declare(
        Whole, _MATCH, 5000, "The game ends after the deal in which a side reaches this score.", "§1.10", low=5,
        high=1_000_000, optional=True)
    deals: int | None = _declare(
        Whole, _MATCH, None, "Number of deals after which the game ends, if the target is not reached before.", "§9",
        low=1, high=100, optional=True)
    tie: str = _declare(
        Word, _MATCH, "extra_deal", "Equal highest totals when the game would end.", "§1.10",
        words=("extra_deal", "shared"))
    match_win: tuple[str, ...] = _declare(
        Words, _MATCH, (), "What wins the game at once, whatever the scores. seven_canastas: seven canastas of a side "
        "in one deal. dream_hand: declaring dream_plus_4 or dream_plus_5.", "§8, §10",
        words=("seven_canastas", "dream_hand"))

    # fmt: on

    def __post_init__(self) -> None:
        for name, parameter in PARAMETERS.items():
            object.__setattr__(self, name, parameter.check(getattr(self, name)))
        check_combination(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Rules:
        """Rules of the values given, `classic4`'s elsewhere; BadInput for a name that is no parameter."""
        return cls(**{parameter_named(name).name: value for name, value in values.items()})  # type: ignore[arg-type]

    def as_dict(self) -> dict[str, Any]:
        """JSON form of every parameter, in order, which `from_dict` reads back."""
        return {name: parameter.plain(getattr(self, name)) for name, parameter in PARAMETERS.items()}

    def differences(self, other: Rules) -> dict[str, tuple[Any, Any]]:
        """Parameters whose values differ: name → (own value, the other's), in order."""
        pairs = {name: (getattr(self, name), getattr(other, name)) for name in PARAMETERS}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


PARAMETERS: dict[str, Parameter] = {
    item.name: replace(item.metadata["parameter"], name=item.name) for item in fields(Rules)
}
"""Every parameter by name, in order of declaration."""


def parameter_named(name: str) -> Parameter:
    """The parameter of a name; BadInput names the nearest ones."""
    if name not in PARAMETERS:
        raise BadInput(f"unknown parameter '{shorten(name)}'{near(name, PARAMETERS)}; docs/parameters.md lists all "
                       f"{len(PARAMETERS)}")
    return PARAMETERS[name]
