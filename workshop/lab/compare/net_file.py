"""A net file of ours as numpy arrays, normalisations folded into the filters before them."""

import json
import struct
from dataclasses import dataclass

import numpy as np
from safetensors.numpy import load_file

NORM_EPSILON = 1e-4  # mind/net/src/weights.rs
POINT_OUTPUTS = 4  # three policy steps and ownership; the rest of the 16 columns is padding


@dataclass
class Layer:
    weights: np.ndarray  # [outputs][inputs][3][3], as most libraries like it
    bias: np.ndarray


@dataclass
class Block:
    first: Layer
    pool: np.ndarray | None  # [2 * channels][channels]
    second: Layer


@dataclass
class NetFile:
    architecture: dict
    stem: Layer
    blocks: list
    head: Layer
    points: np.ndarray  # [head][POINT_OUTPUTS]
    hidden: np.ndarray
    hidden_bias: np.ndarray
    pooled: np.ndarray
    pooled_bias: np.ndarray


def architecture_of(path):
    with open(path, "rb") as file:
        length = struct.unpack("<Q", file.read(8))[0]
        text = json.loads(file.read(length))["__metadata__"]["architecture"]
    return dict(word.split("=") for word in text.split())


def read_net(path):
    tensors = {name: values.astype(np.float32) for name, values in load_file(path).items()}

    def factors(name):
        variance = np.maximum(tensors[f"{name}.norm.variance"], 0.0)
        return tensors[f"{name}.norm.scale"] / np.sqrt(variance + NORM_EPSILON)

    def normed(name):
        taps = tensors[f"{name}.taps"] * factors(name)
        side = 3 if len(taps) == 9 else 1
        filters = taps.reshape(side, side, *taps.shape[1:]).transpose(3, 2, 0, 1)
        return Layer(np.ascontiguousarray(filters), tensors[f"{name}.norm.shift"] - tensors[f"{name}.norm.mean"] * factors(name))

    architecture = architecture_of(path)
    blocks = []
    for number, _ in enumerate(architecture["blocks"]):
        pool = tensors.get(f"block{number}.pool")
        if pool is not None:
            pool = pool * factors(f"block{number}.second")
        blocks.append(Block(normed(f"block{number}.first"), pool, normed(f"block{number}.second")))
    return NetFile(
        architecture,
        normed("stem"),
        blocks,
        normed("head"),
        tensors["points"][:, :POINT_OUTPUTS],
        tensors["hidden"],
        tensors["hidden.bias"],
        tensors["pooled"],
        tensors["pooled.bias"],
    )
