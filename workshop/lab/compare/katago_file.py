"""A net file of KataGo's as nested dictionaries of numpy arrays, batch norms merged into a factor and a shift."""

import gzip

import numpy as np


class Stream:
    """Words and blocks of numbers, one after the other; a block is `@BIN@` and bytes, without a length."""

    def __init__(self, path):
        self.bytes = gzip.open(path).read() if str(path).endswith(".gz") else open(path, "rb").read()
        self.at = 0

    def word(self):
        while self.bytes[self.at : self.at + 1].isspace():
            self.at += 1
        start = self.at
        while not self.bytes[self.at : self.at + 1].isspace():
            self.at += 1
        return self.bytes[start : self.at].decode()

    def integers(self, count):
        return [int(self.word()) for _ in range(count)]

    def floats(self, *shape):
        self.at = self.bytes.index(b"@", self.at) + len(b"@BIN@")
        count = int(np.prod(shape))
        numbers = np.frombuffer(self.bytes, "<f4", count, self.at).reshape(shape)
        self.at += 4 * count
        return numbers


class Reader:
    def __init__(self, path):
        self.stream = Stream(path)
        self.name, self.version = self.stream.word(), int(self.stream.word())

    def read(self):
        stream = self.stream
        stream.integers(2)
        if self.version >= 13:
            [stream.word() for _ in range(7)]
        metadata = stream.integers(8)[0] if self.version >= 15 else 0
        if metadata:
            raise SystemExit("nets for human play are not compared")
        stream.word()
        blocks = stream.integers(6)[0]
        tip_kind = stream.integers(6)[0] if self.version >= 15 else 0
        net = {"stem": self.convolution(), "globals": self.matrix(), "blocks": [self.block() for _ in range(blocks)]}
        net["tip"] = self.rms_tip() if tip_kind else self.norm()
        if tip_kind:
            net["tip"]["activation"] = self.activation()
        return net | {"policy": self.policy(), "value": self.value()}

    def convolution(self):
        self.stream.word()
        height, width, inputs, outputs, *_ = self.stream.integers(6)
        return self.stream.floats(height, width, inputs, outputs).transpose(3, 2, 0, 1)

    def matrix(self):
        self.stream.word()
        return self.stream.floats(*self.stream.integers(2))

    def bias(self):
        self.stream.word()
        return self.stream.floats(*self.stream.integers(1))

    def activation(self):
        self.stream.word()
        return self.stream.word() if self.version >= 11 else "ACTIVATION_RELU"

    def norm(self):
        """A batch norm and the activation that always follows it."""
        stream = self.stream
        stream.word()
        channels, epsilon = int(stream.word()), float(stream.word())
        has_scale, has_bias = stream.integers(2)
        mean, variance = stream.floats(channels), stream.floats(channels)
        scale = stream.floats(channels) if has_scale else np.ones(channels, np.float32)
        bias = stream.floats(channels) if has_bias else np.zeros(channels, np.float32)
        factor = scale / np.sqrt(variance + np.float32(epsilon))
        return {"factor": factor, "shift": bias - factor * mean, "activation": self.activation()}

    def rms_norm(self):
        self.stream.word()
        channels, epsilon = int(self.stream.word()), float(self.stream.word())
        return {"epsilon": epsilon, "weights": self.stream.floats(channels)}

    def rms_tip(self):
        self.stream.word()
        channels, epsilon = int(self.stream.word()), float(self.stream.word())
        spatial, _ = self.stream.integers(2)
        gamma, beta = self.stream.floats(channels), self.stream.floats(channels)
        return {"epsilon": epsilon, "spatial": spatial, "gamma": gamma, "beta": beta}

    def block(self):
        kind, _ = self.stream.word(), self.stream.word()
        if kind == "ordinary_block":
            return {"kind": kind, "first": self.layer(), "second": self.layer()}
        if kind == "gpool_block":
            block = {"kind": kind, "norm": self.norm(), "regular": self.convolution(), "pooled": self.convolution()}
            return block | {"pool_norm": self.norm(), "matrix": self.matrix(), "second": self.layer()}
        if kind == "nested_bottleneck_block":
            (count,) = self.stream.integers(1)
            first, inner = self.layer(), [self.block() for _ in range(count)]
            return {"kind": kind, "first": first, "inner": inner, "second": self.layer()}
        if kind == "transformer_attention_block":
            heads, key_heads, width, value_width, has_rope, is_learned = self.stream.integers(6)
            block = {"kind": kind, "heads": heads, "key_heads": key_heads, "width": width, "value_width": value_width}
            block["norm"] = self.rms_norm()
            block["matrices"] = [self.matrix() for _ in range(4)]
            block["rope"] = self.rope(is_learned) if has_rope else None
            return block
        if kind == "transformer_ffn_block":
            self.stream.integers(3)
            return {"kind": kind, "norm": self.rms_norm(), "matrices": [self.matrix() for _ in range(3)]}
        raise SystemExit(f"{kind} is unknown")

    def layer(self):
        norm = self.norm()
        return norm, self.convolution()

    def rope(self, is_learned):
        self.stream.word()
        if not is_learned:
            return float(self.stream.word())
        return self.stream.floats(*self.stream.integers(3))

    def policy(self):
        self.stream.word()
        if self.version >= 17:
            self.stream.integers(4)
        policy = {"points": self.convolution(), "pooled": self.convolution(), "pool_norm": self.norm()}
        policy |= {"matrix": self.matrix(), "norm": self.norm(), "last": self.convolution(), "passing": self.matrix()}
        if self.version >= 15:
            policy |= {"bias": self.bias(), "activation": self.activation(), "second": self.matrix()}
        return policy

    def value(self):
        self.stream.word()
        if self.version >= 17:
            self.stream.integers(3)
        value = {"first": self.convolution(), "norm": self.norm(), "second": self.matrix(), "bias": self.bias()}
        value |= {"activation": self.activation(), "value": self.matrix(), "value_bias": self.bias()}
        return value | {"score": self.matrix(), "score_bias": self.bias(), "ownership": self.convolution()}


def read_katago(path):
    return Reader(path).read()
