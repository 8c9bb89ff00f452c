"""Our trainer beside PyTorch: steps of the same architecture and batch, one thread, positions per second of processor time."""

import argparse
import resource
import subprocess
import tempfile

ARCHITECTURE = "planes=compact-1 channels=64 blocks=rprprp head=64 hidden=64 value=mixture ownership=yes"


def our_seconds(arguments, side, batch, steps):
    """Processor time of a whole run of the trainer."""
    with tempfile.TemporaryDirectory() as run:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [arguments.jigo, "train", "sl", "--data", arguments.data, "--files", arguments.files, "--run", run]
            + ["--architecture", ARCHITECTURE, "--boards", f"{side}:{batch}", "--steps", str(steps)]
            + ["--workers", "1", "--validation-positions", "1"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def our_speed(arguments, side, batch, steps):
    """What more steps cost more, so that reading games and the final look do not count."""
    extra = our_seconds(arguments, side, batch, 2 + steps) - our_seconds(arguments, side, batch, 2)
    return batch * steps / extra


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jigo", default="jigo", help="our program, built for release")
    parser.add_argument("--data", required=True, help="folder with game records")
    parser.add_argument("--files", default="nine-cgos-test,tygem-test")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--steps", type=int, default=20)
    arguments = parser.parse_args()
    print(f"{ARCHITECTURE}\nbatch {arguments.batch}, positions per second of processor time")
    try:
        from torch_net import torch_speed
    except (ImportError, OSError, ValueError) as error:
        print(f"PyTorch cannot be used here ({str(error).splitlines()[0][:60]}); ours alone:")
        torch_speed = None
    for side in [9, 19]:
        ours = our_speed(arguments, side, arguments.batch, arguments.steps)
        line = f"{side}x{side}: ours {ours:.0f}"
        if torch_speed is not None:
            theirs = torch_speed(side, arguments.batch, arguments.steps)
            line += f", PyTorch {theirs:.0f}, {ours / theirs:.2f}x"
        print(line)


if __name__ == "__main__":
    main()
