"""As much of the ONNX file format as one model needs: reading its tensors, writing a graph.

The format is Protocol Buffers; the field numbers below are those of onnx.proto. A library for it would be a further
dependency of 18 MB.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tensor = NDArray[Any]

# TensorProto.DataType of what is used here; values lie in the file as they lie in memory, little-endian.
_TYPES = {1: "<f4", 2: "u1", 3: "i1", 6: "<i4", 7: "<i8"}
_NUMBERS = {np.dtype(code): number for number, code in _TYPES.items()}
FLOAT, INT32 = 1, 6

_IR_VERSION = 8
# Wire types: how a field's value lies in the file. Whatever is none of these is eight bytes.
_VARINT, _BYTES, _FOUR_BYTES = 0, 2, 5


def read_tensors(data: bytes) -> dict[str, Tensor]:
    """Return a model's tensors by name, as views of `data`; those of other types than are known here are left out."""
    found: dict[str, Tensor] = {}
    for graph in _inside(memoryview(data), 7):
        for tensor in _inside(graph, 5):
            name, kind, raw, shape = "", 0, memoryview(b""), list[int]()
            for number, value in _fields(tensor):
                if isinstance(value, int):
                    shape += [value] if number == 1 else []
                    kind = value if number == 2 else kind
                elif number == 8:
                    name = bytes(value).decode()
                elif number == 9:
                    raw = value
            if kind in _TYPES and len(raw):
                found[name] = np.frombuffer(raw, _TYPES[kind]).reshape(shape)
    return found


class Graph:
    """A graph that is being put together. Names of nodes' outputs and of tensors are one namespace."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._tensors: list[bytes] = []

    def tensor(self, name: str, value: Tensor) -> str:
        """Add a constant; return its name."""
        value = np.ascontiguousarray(value)
        shape = b"".join(_field(1, size) for size in value.shape)
        self._tensors.append(_field(5, shape + _field(2, _NUMBERS[value.dtype]) + _field(8, name) + _field(9, value.tobytes())))
        return name

    def node(self, operator: str, inputs: Sequence[str], *outputs: str, domain: str = "", **attributes: int | float) -> str:
        """Add a node; return its first output. An input of "" is one left out."""
        fields = [_field(1, name) for name in inputs] + [_field(2, name) for name in outputs] + [_field(4, operator)]
        fields += [_field(5, _attribute(name, value)) for name, value in attributes.items()]
        self._nodes.append(_field(1, b"".join(fields) + _field(7, domain)))
        return outputs[0]

    def model(self, inputs: Sequence[tuple[str, int, Sequence[int | str]]], output: str, versions: dict[str, int]) -> bytes:
        """Return the whole model. An input is (name, type, sizes); a size that is a name may be any. `versions` of operators."""
        values = [_field(11, _value(*each)) for each in inputs] + [_field(12, _value(output, FLOAT, ()))]
        graph = b"".join((*self._nodes, _field(2, "graph"), *self._tensors, *values))
        operators = [_field(8, _field(1, domain) + _field(2, version)) for domain, version in versions.items()]
        return _field(1, _IR_VERSION) + _field(7, graph) + b"".join(operators)


def _attribute(name: str, value: int | float) -> bytes:
    if isinstance(value, float):
        return _field(1, name) + _number(2 << 3 | _FOUR_BYTES) + struct.pack("<f", value) + _field(20, 1)
    return _field(1, name) + _field(3, value) + _field(20, 2)


def _value(name: str, kind: int, sizes: Sequence[int | str]) -> bytes:
    shape = b"".join(_field(1, _field(2 if isinstance(size, str) else 1, size)) for size in sizes)
    described = _field(1, kind) + (_field(2, shape) if sizes else b"")
    return _field(1, name) + _field(2, _field(1, described))


def _field(number: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return _number(number << 3 | _VARINT) + _number(value)
    data = value.encode() if isinstance(value, str) else value
    return _number(number << 3 | _BYTES) + _number(len(data)) + data


def _number(value: int) -> bytes:
    """Return a varint: seven bits a byte, the lowest first; a negative one as its 64 bits."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _inside(message: memoryview, wanted: int) -> Iterator[memoryview]:
    for number, value in _fields(message):
        if number == wanted and not isinstance(value, int):
            yield value


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    place = 0
    while place < len(message):
        key, place = _read_number(message, place)
        kind = key & 7
        if kind == _VARINT:
            value, place = _read_number(message, place)
            yield key >> 3, value
            continue
        if kind == _BYTES:
            size, place = _read_number(message, place)
        else:
            size = 4 if kind == _FOUR_BYTES else 8
        yield key >> 3, message[place : place + size]
        place += size


def _read_number(message: memoryview, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        place += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, place
