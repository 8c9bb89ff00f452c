"""Our kernels beside ONNX Runtime: the same weights, the same planes, one thread, in one run."""

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file, save_file

from net_file import POINT_OUTPUTS, read_net

SHIPPED = Path(__file__).parents[3] / "mind/net/weights/default.safetensors"
KERNELS = ["portable", "avx2", "vnni256", "avx512", "vnni512", "amx", "amx-int8"]
TOLERANCE = 1e-3


class Graph:
    """An ONNX graph in the making; every method adds a node and returns the name of its output."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, values):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, operator, *inputs, output=None, **attributes):
        output = output or f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def convolution(self, layer, planes):
        side = layer.weights.shape[-1]
        weights, bias = self.constant(layer.weights), self.constant(layer.bias)
        return self.node("Conv", planes, weights, bias, kernel_shape=[side, side], pads=[side // 2] * 4)

    def pool(self, planes):
        """Averages and then maxima of every channel, as one row per image."""
        both = self.node("Concat", self.node("GlobalAveragePool", planes), self.node("GlobalMaxPool", planes), axis=1)
        return self.node("Flatten", both)

    def dense(self, weights, bias, row, output=None):
        return self.node("Gemm", row, self.constant(weights), self.constant(bias), output=output)


def onnx_model(net, side):
    graph = Graph()
    state = graph.node("Relu", graph.convolution(net.stem, "planes"))
    for block in net.blocks:
        middle = graph.node("Relu", graph.convolution(block.first, state))
        change = graph.convolution(block.second, middle)
        if block.pool is not None:
            shift = graph.dense(block.pool, np.zeros(block.pool.shape[1], np.float32), graph.pool(middle))
            shape = graph.constant(np.array([0, -1, 1, 1], np.int64))
            change = graph.node("Add", change, graph.node("Reshape", shift, shape))
        state = graph.node("Relu", graph.node("Add", change, state))
    head = graph.node("Relu", graph.convolution(net.head, state))
    points = graph.constant(net.points.T[:, :, None, None])
    graph.node("Conv", head, points, kernel_shape=[1, 1], output="points")
    hidden = graph.node("Relu", graph.dense(net.hidden, net.hidden_bias, graph.pool(head)))
    graph.dense(net.pooled, net.pooled_bias, hidden, output="pooled")
    channels = net.stem.weights.shape[1]
    inputs = [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["images", channels, side, side])]
    shapes = {"points": ["images", POINT_OUTPUTS, side, side], "pooled": ["images", len(net.pooled_bias)]}
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    built = helper.make_graph(graph.nodes, "jigo", inputs, outputs, graph.constants)
    model = helper.make_model(built, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def one_thread_session(model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    # b10c384h6 has many weights below the smallest normal number, with which it would be ten times as slow.
    options.add_session_config_entry("session.set_denormal_as_zero", "1")
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def speed(rounds, images, work):
    """Positions per second of processor time, as `jigo net run` counts them: the best round and the median one."""
    work()
    rates = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        rates.append(images / (time.process_time() - start))
    return max(rates), float(np.median(rates))


def our_run(arguments, kernel, planes, folder):
    """Speed and outputs of one of our kernels, or None if this machine lacks it."""
    given, told = folder / "planes.safetensors", folder / "raw.safetensors"
    save_file({"planes": planes}, given)
    command = [arguments.jigo, "net", "run", str(arguments.net), "--input", given, "--output", told]
    run = subprocess.run(
        [*command, "--kernel", kernel, "--rounds", str(arguments.rounds)], capture_output=True, text=True
    )
    if run.returncode != 0:
        print(f"{kernel}: {run.stderr.strip().splitlines()[0]}")
        return None
    best, median = map(float, run.stdout.split()[1:])
    return (best, median), load_file(told)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jigo", default="jigo", help="our program, built for release")
    parser.add_argument("--net", type=Path, default=SHIPPED)
    parser.add_argument("--rounds", type=int, default=60)
    arguments = parser.parse_args()

    net = read_net(arguments.net)
    print(" ".join(f"{name}={value}" for name, value in net.architecture.items()))
    print(f"ONNX Runtime {onnxruntime.__version__}; positions per second of processor time, one thread: best round (median)")
    random = np.random.default_rng(1)
    channels = net.stem.weights.shape[1]
    for side in [9, 19]:
        session = one_thread_session(onnx_model(net, side))
        for images in [1, 16]:
            planes = (random.random((images, side, side, channels)) < 0.2).astype(np.float32)
            given = {"planes": np.ascontiguousarray(planes.transpose(0, 3, 1, 2))}
            points, pooled = session.run(["points", "pooled"], given)
            best, median = speed(arguments.rounds, images, lambda: session.run(["points", "pooled"], given))
            print(f"{side}x{side} batch {images:2}  onnxruntime {best:8.0f} ({median:.0f})")
            with tempfile.TemporaryDirectory() as folder:
                for kernel in KERNELS:
                    ours = our_run(arguments, kernel, planes, Path(folder))
                    if ours is None:
                        continue
                    (our_best, our_median), outputs = ours
                    difference = max(
                        np.abs(outputs["points"] - points.transpose(0, 2, 3, 1)).max(),
                        np.abs(outputs["pooled"] - pooled).max(),
                    )
                    verdict = "" if difference <= TOLERANCE else "  (more than 1e-3)"
                    print(
                        f"{'':16}  {kernel:11} {our_best:8.0f} ({our_median:.0f})  "
                        f"{our_best / best:.2f}x ({our_median / median:.2f}x)  difference {difference:.1e}{verdict}"
                    )


if __name__ == "__main__":
    main()
