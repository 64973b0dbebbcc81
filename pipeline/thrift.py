"""Thrift's compact protocol, as far as Parquet's metadata needs it: structures to bytes.

https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_TRUE, _FALSE, _BYTE, _I32, _I64, _BINARY, _LIST, _STRUCT = 1, 2, 3, 5, 6, 8, 9, 12


@dataclass(frozen=True)
class I8:
    """A number of type i8."""

    value: int


@dataclass(frozen=True)
class I64:
    """A number of type i64; a plain int is one of type i32."""

    value: int


class Struct(dict[int, "Value | None"]):
    """A structure: field number → value, in rising order; None leaves the field out."""


Value = bool | int | I8 | I64 | str | bytes | Sequence["Value"] | Struct


def encode(value: Struct) -> bytes:
    """The bytes of a structure."""
    out = bytearray()
    _put(out, value)
    return bytes(out)


def varint(number: int) -> bytes:
    """A number ≥ 0, seven bits a byte, the low ones first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _zigzag(number: int) -> bytes:
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def _type_of(value: Value) -> int:
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    for kind, code in ((int, _I32), (I64, _I64), (I8, _BYTE), (str | bytes, _BINARY), (Struct, _STRUCT)):
        if isinstance(value, kind):
            return code
    return _LIST


def _put(out: bytearray, value: Value) -> None:
    if isinstance(value, Struct):
        last = 0
        for number, item in value.items():
            if item is None:
                continue
            assert 0 < number - last < 16
            out.append(number - last << 4 | _type_of(item))
            if not isinstance(item, bool):
                _put(out, item)
            last = number
        out.append(0)
    elif isinstance(value, str | bytes):
        data = value.encode() if isinstance(value, str) else value
        out += varint(len(data)) + data
    elif isinstance(value, I8):
        out.append(value.value & 255)
    elif isinstance(value, int):
        out += _zigzag(value)
    elif isinstance(value, I64):
        out += _zigzag(value.value)
    else:
        kind = _type_of(value[0]) if value else _STRUCT
        out += bytes([len(value) << 4 | kind]) if len(value) < 15 else bytes([0xF0 | kind]) + varint(len(value))
        for item in value:
            _put(out, item)
