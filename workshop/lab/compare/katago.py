"""KataGo's nets: our kernels beside ONNX Runtime on the same layers, one thread, one board of 19x19 at a time, in one run.

With --check the graph is compared with recorded answers of KataGo instead."""

import argparse
import json
import lzma
import subprocess
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

from inference import Graph, one_thread_session, speed
from katago_file import read_katago

PLANES, GLOBALS = 22, 19
OPSET = 18  # the first with Mish


class NetGraph(Graph):
    """Layers of KataGo's on `[image, channel, row, column]`, boards that fill their frame."""

    def __init__(self, side):
        super().__init__()
        self.side, self.points = side, side * side

    def channels(self, values):
        return self.constant(values.reshape(1, -1, 1, 1))

    def plain_convolution(self, weights, planes):
        side = weights.shape[-1]
        return self.node("Conv", planes, self.constant(weights), kernel_shape=[side, side], pads=[side // 2] * 4)

    def activated(self, kind, tensor):
        if kind == "ACTIVATION_IDENTITY":
            return tensor
        if kind == "ACTIVATION_SILU":
            return self.node("Mul", tensor, self.node("Sigmoid", tensor))
        return self.node({"ACTIVATION_RELU": "Relu", "ACTIVATION_MISH": "Mish"}[kind], tensor)

    def normed(self, norm, tensor):
        scaled = self.node("Mul", tensor, self.channels(norm["factor"]))
        return self.activated(norm["activation"], self.node("Add", scaled, self.channels(norm["shift"])))

    def add_to_points(self, planes, row):
        shape = self.constant(np.array([0, -1, 1, 1], np.int64))
        return self.node("Add", planes, self.node("Reshape", row, shape))

    def pooled(self, planes, with_maximum):
        mean = self.node("Flatten", self.node("GlobalAveragePool", planes))
        size = self.side - 14.0
        by = lambda factor: self.node("Mul", mean, self.constant(np.float32(factor)))
        third = self.node("Flatten", self.node("GlobalMaxPool", planes)) if with_maximum else by(size * size * 0.01 - 0.1)
        return self.node("Concat", mean, by(size * 0.1), third, axis=1)

    def times(self, rows, matrix):
        return self.node("MatMul", rows, self.constant(matrix))

    def block(self, block, state):
        if block["kind"] == "ordinary_block":
            change = self.layer(block["second"], self.layer(block["first"], state))
        elif block["kind"] == "gpool_block":
            ready = self.normed(block["norm"], state)
            pooled = self.normed(block["pool_norm"], self.plain_convolution(block["pooled"], ready))
            shift = self.times(self.pooled(pooled, True), block["matrix"])
            middle = self.add_to_points(self.plain_convolution(block["regular"], ready), shift)
            change = self.layer(block["second"], middle)
        elif block["kind"] == "nested_bottleneck_block":
            inner = self.layer(block["first"], state)
            for deeper in block["inner"]:
                inner = self.block(deeper, inner)
            change = self.layer(block["second"], inner)
        else:
            rows = self.rms(block["norm"], self.rows(state))
            make = self.attention if block["kind"] == "transformer_attention_block" else self.feed_forward
            change = self.planes(make(block, rows))
        return self.node("Add", state, change)

    def layer(self, layer, state):
        norm, weights = layer
        return self.plain_convolution(weights, self.normed(norm, state))

    def shaped(self, tensor, *shape):
        return self.node("Reshape", tensor, self.constant(np.array(shape, np.int64)))

    def rows(self, planes):
        """A row of channels for every point."""
        return self.node("Transpose", self.shaped(planes, 0, 0, self.points), perm=[0, 2, 1])

    def planes(self, rows):
        return self.shaped(self.node("Transpose", rows, perm=[0, 2, 1]), 0, 0, self.side, self.side)

    def rms(self, norm, rows):
        mean = self.node("ReduceMean", self.node("Mul", rows, rows), self.constant(np.array([2], np.int64)))
        root = self.node("Sqrt", self.node("Add", mean, self.constant(np.float32(norm["epsilon"]))))
        return self.node("Mul", self.node("Div", rows, root), self.constant(norm["weights"]))

    def feed_forward(self, block, rows):
        first, gate, second = block["matrices"]
        opened = self.activated("ACTIVATION_SILU", self.times(rows, first))
        return self.times(self.node("Mul", opened, self.times(rows, gate)), second)

    def attention(self, block, rows):
        heads, key_heads, width, value_width = (block[name] for name in ["heads", "key_heads", "width", "value_width"])
        query, key, value, out = block["matrices"]
        # Heads that share keys and values get copies of the matrices: the graph stays simple and its products are the same.
        copies = np.repeat(np.arange(key_heads), heads // key_heads)
        spread = lambda matrix, size: matrix.reshape(len(matrix), key_heads, size)[:, copies].reshape(len(matrix), -1)
        split = lambda tensor, size: self.node("Transpose", self.shaped(tensor, 0, 0, heads, size), perm=[0, 2, 1, 3])
        queries = split(self.times(rows, query / np.float32(np.sqrt(width))), width)
        keys = split(self.times(rows, spread(key, width)), width)
        values = split(self.times(rows, spread(value, value_width)), value_width)
        if block["rope"] is not None:
            turns = [self.constant(turn) for turn in self.turns(block["rope"], copies, width)]
            queries, keys = self.turned(queries, turns, heads, width), self.turned(keys, turns, heads, width)
        match = self.node("MatMul", queries, self.node("Transpose", keys, perm=[0, 1, 3, 2]))
        seen = self.node("MatMul", self.node("Softmax", match, axis=3), values)
        return self.times(self.shaped(self.node("Transpose", seen, perm=[0, 2, 1, 3]), 0, 0, heads * value_width), out)

    def turns(self, rope, copies, width):
        """Cosine and sine by head, point and pair of channels."""
        row, column = np.divmod(np.arange(self.points), self.side)
        if isinstance(rope, float):
            pairs, half = width // 2, width // 4
            by_row = row[:, None] * rope ** (-2.0 * np.arange(half) / pairs)
            by_column = column[:, None] * rope ** (-2.0 * np.arange(pairs - half) / pairs)
            angles = np.repeat(np.concatenate([by_row, by_column], 1)[None], len(copies), 0)
        else:
            angles = np.einsum("p,hc->hpc", column, rope[..., 0], dtype=float) + np.einsum("p,hc->hpc", row, rope[..., 1], dtype=float)
            angles = angles[copies]
        return [turn[None, ..., None].astype(np.float32) for turn in (np.cos(angles), np.sin(angles))]

    def turned(self, tensor, turns, heads, width):
        pairs = self.shaped(tensor, 0, heads, self.points, width // 2, 2)
        cosine, sine = turns
        # (u, v) becomes (u cos - v sin, u sin + v cos).
        swapped = self.node("Gather", pairs, self.constant(np.array([1, 0], np.int64)), axis=4)
        signed = self.node("Mul", swapped, self.constant(np.array([-1.0, 1.0], np.float32)))
        both = self.node("Add", self.node("Mul", pairs, cosine), self.node("Mul", signed, sine))
        return self.shaped(both, 0, heads, self.points, width)

    def tip(self, tip, state):
        if "factor" in tip:
            return self.normed(tip, state)
        axes = self.constant(np.array([1, 2, 3] if tip["spatial"] else [1], np.int64))
        mean = self.node("ReduceMean", self.node("Mul", state, state), axes)
        root = self.node("Sqrt", self.node("Add", mean, self.constant(np.float32(tip["epsilon"]))))
        scaled = self.node("Mul", self.node("Div", state, root), self.channels(tip["gamma"]))
        return self.activated(tip["activation"], self.node("Add", scaled, self.channels(tip["beta"])))

    def policy(self, head, state):
        pooled = self.pooled(self.normed(head["pool_norm"], self.plain_convolution(head["pooled"], state)), True)
        points = self.add_to_points(self.plain_convolution(head["points"], state), self.times(pooled, head["matrix"]))
        self.node("Identity", self.plain_convolution(head["last"], self.normed(head["norm"], points)), output="policy")
        passing = self.times(pooled, head["passing"])
        if "second" in head:
            hidden = self.activated(head["activation"], self.node("Add", passing, self.constant(head["bias"])))
            passing = self.times(hidden, head["second"])
        self.node("Identity", passing, output="pass")

    def value(self, head, state):
        points = self.normed(head["norm"], self.plain_convolution(head["first"], state))
        hidden = self.dense(head["second"], head["bias"], self.pooled(points, False))
        hidden = self.activated(head["activation"], hidden)
        self.dense(head["value"], head["value_bias"], hidden, output="value")
        self.dense(head["score"], head["score_bias"], hidden, output="score")
        self.node("Identity", self.plain_convolution(head["ownership"], points), output="ownership")


def onnx_model(net, side):
    graph = NetGraph(side)
    state = graph.add_to_points(graph.plain_convolution(net["stem"], "planes"), graph.times("globals", net["globals"]))
    for block in net["blocks"]:
        state = graph.block(block, state)
    state = graph.tip(net["tip"], state)
    graph.policy(net["policy"], state)
    graph.value(net["value"], state)
    shapes = {"planes": [1, PLANES, side, side], "globals": [1, GLOBALS]}
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    spreads = {"policy": 4, "ownership": 4}
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [None] * spreads.get(name, 2)) for name in OUTPUTS
    ]
    built = helper.make_graph(graph.nodes, "katago", inputs, outputs, graph.constants)
    model = helper.make_model(built, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
    onnx.checker.check_model(model)
    return model


OUTPUTS = ["policy", "pass", "value", "score", "ownership"]


def check(folders):
    """The largest difference of ownership from what KataGo said, net by net, where the inputs of a position are recorded too."""
    find = lambda name: next((folder / name for folder in folders if (folder / name).exists()), None)
    rows = lambda name: [json.loads(line) for line in lzma.open(find(name))]
    same = ["width", "height", "rules", "komi", "handicap", "moves", "colors", "toPlay", "cleanup", "pda"]
    position = lambda answer: json.dumps([answer[field] for field in same])
    tiny = rows("recordings-tiny.jsonl.xz")
    # A net whose header asks for other area planes sees something else.
    plain = lambda answer: not any(part in answer["net"] for part in ["meta", "-q.", ".txt"])
    known = {position(tiny[row["row"]]): row for row in rows("inputs-tiny.jsonl.xz") if plain(tiny[row["row"]])}
    nets, worst, count = {}, {}, {}
    for answer in tiny + rows("recordings-real.jsonl.xz"):
        name, side, inputs = answer["net"], answer["width"], known.get(position(answer))
        fills = answer["frame"] == [side, side] == [side, answer["height"]]
        if not fills or answer["symmetry"] != 0 or inputs is None or not plain(answer) or find(name) is None:
            continue
        if name not in nets:
            nets[name] = read_katago(find(name))
        planes = np.zeros((1, PLANES, side * side), np.float32)
        for plane, points in enumerate(inputs["planes"]):
            planes[0, plane, points] = 1
        given = {"planes": planes.reshape(1, PLANES, side, side), "globals": np.array([inputs["globals"]], np.float32)}
        (ownership,) = one_thread_session(onnx_model(nets[name], side)).run(["ownership"], given)
        white = np.tanh(ownership.flatten()) * (1 if answer["toPlay"] == "w" else -1)
        worst[name] = max(worst.get(name, 0), np.abs(white - answer["whiteOwnership"]).max())
        count[name] = count.get(name, 0) + 1
    for name, difference in worst.items():
        print(f"{name}: {count[name]} positions, largest difference of ownership {difference:.1e}")


def compare(arguments):
    print(f"ONNX Runtime {onnxruntime.__version__}; looks a second of processor time, one thread: best round (median)")
    random = np.random.default_rng(1)
    planes = (random.random((1, PLANES, 19, 19)) < 0.2).astype(np.float32)
    planes[:, 0] = 1
    given = {"planes": planes, "globals": np.zeros((1, GLOBALS), np.float32)}
    for net in arguments.nets:
        session = one_thread_session(onnx_model(read_katago(net), 19))
        best, median = speed(arguments.rounds, 1, lambda: session.run(OUTPUTS, given))
        print(f"{net.name}: onnxruntime {best:.1f} ({median:.1f})")
        if arguments.jigo:
            subprocess.run([arguments.jigo, "bench", "net", net], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", nargs="*", type=Path)
    parser.add_argument("--jigo", help="our program, built for release")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--check", nargs="+", type=Path, metavar="FOLDER", help="folders with nets and recordings")
    arguments = parser.parse_args()
    check(arguments.check) if arguments.check else compare(arguments)


if __name__ == "__main__":
    main()
