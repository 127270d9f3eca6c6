"""The graph of all-MiniLM-L6-v2, put together anew over the int8 weights of its file, which runs them as floats.

The one rule: here the weights stay int8 and each text's activations become uint8 as they come, so that the big products are
those of small integers: 2.5 times as many texts a second, cosine 0.992 to the original (docs/decisions/0013-embedding.md).
"""

from __future__ import annotations

import numpy as np

from ricordo.models.onnx_format import FLOAT, INT32, Graph, Tensor, read_tensors

DIMENSION = 384
LONGEST = 256  # tokens the model was trained to read
_LAYERS, _HEADS = 6, 12
_EPSILON = 1e-12
OWN = "com.microsoft"  # operators of onnxruntime itself
VERSIONS = {"": 18, OWN: 1}


def encoder(data: bytes) -> bytes:
    """Return a model from `input_ids`, int32 (1, tokens), to the last layer's vectors, float32 (1, tokens, 384).

    One text at a time: nothing is padded, and no text's vector depends on what it was embedded beside.
    """
    weights, graph = read_tensors(data), Graph()
    # The file names its matrices val_49_q, val_57_q, …: six a layer, in the order in which they are used.
    matrices = sorted((name[:-2] for name in weights if name.startswith("val_") and name.endswith("_q")), key=_place)
    below = _embeddings(graph, weights)
    for layer in range(_LAYERS):
        below = _layer(graph, weights, matrices[6 * layer : 6 * layer + 6], layer, below)
    return graph.model([("input_ids", INT32, (1, "tokens"))], below, VERSIONS)


def _place(name: str) -> int:
    return int(name.split("_")[1])


def _embeddings(graph: Graph, weights: dict[str, Tensor]) -> str:
    """Add word, place and kind of text, normalised. Rows of words are looked up as int8, then scaled."""
    start = "inner.embeddings."
    graph.node("Gather", [graph.tensor("words", weights[f"{start}word_embeddings.weight_q"]), "input_ids"], "rows")
    graph.node("Gather", [graph.tensor("scales", weights[f"{start}word_embeddings.weight_scale"]), "input_ids"], "row_scales")
    graph.node("Mul", [graph.node("Cast", ["rows"], "row_values", to=FLOAT), "row_scales"], "word")
    places = weights[f"{start}position_embeddings.weight_q"] * weights[f"{start}position_embeddings.weight_scale"]
    places = (places + weights[f"{start}token_type_embeddings.weight"][0])[:LONGEST].astype(np.float32)
    graph.node("Shape", ["input_ids"], "tokens", start=1, end=2)
    zero = graph.tensor("zero", np.zeros(1, np.int64))
    graph.node("Slice", [graph.tensor("places", places), zero, "tokens", zero], "place")
    gain, shift = (graph.tensor(each, weights[f"{start}LayerNorm.{each}"]) for each in ("weight", "bias"))
    placed = graph.node("Add", ["word", "place"], "placed")
    return graph.node("LayerNormalization", [placed, gain, shift], "embedded", axis=-1, epsilon=_EPSILON)


def _layer(graph: Graph, weights: dict[str, Tensor], matrices: list[str], layer: int, below: str) -> str:
    """Add one layer: attention, then the two wide products, each with what came in added and normalised again."""
    start, own = f"inner.encoder.layer.{layer}.", f"layer{layer}_"

    def product(source: str, names: list[str], biases: list[str], target: str) -> str:
        matrix = np.concatenate([weights[f"{name}_q"] for name in names], 1)
        scale = np.concatenate([weights[f"{name}_scale"][0] for name in names])
        bias = np.concatenate([weights[f"{start}{name}.bias"] for name in biases])
        constants = {"matrix": matrix, "scale": scale, "zero": np.zeros(len(scale), np.int8), "bias": bias}
        inputs = [source, *(graph.tensor(f"{own}{target}_{name}", value) for name, value in constants.items())]
        return graph.node("DynamicQuantizeMatMul", inputs, own + target, domain=OWN)

    def joined(one: str, other: str, norm: str, target: str) -> str:
        names = [f"{start}{norm}.{each}" for each in ("weight", "bias")]
        inputs = [one, other, *(graph.tensor(name, weights[name]) for name in names)]
        return graph.node("SkipLayerNormalization", inputs, own + target, domain=OWN, epsilon=_EPSILON)

    asked = [f"attention.self.{each}" for each in ("query", "key", "value")]
    thirds = [f"{own}{each}" for each in ("query", "key", "value")]
    graph.node("Split", [product(below, matrices[:3], asked, "asked")], *thirds, axis=2, num_outputs=3)
    graph.node("MultiHeadAttention", thirds, f"{own}heard", domain=OWN, num_heads=_HEADS)
    answered = product(f"{own}heard", matrices[3:4], ["attention.output.dense"], "answered")
    attended = joined(answered, below, "attention.output.LayerNorm", "attended")
    wide = product(attended, matrices[4:5], ["intermediate.dense"], "wide")
    bent = graph.node("Gelu", [wide], f"{own}bent", domain=OWN)
    narrow = product(bent, matrices[5:6], ["output.dense"], "narrow")
    return joined(narrow, attended, "output.LayerNorm", "whole")
