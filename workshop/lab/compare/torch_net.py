"""The shipped architecture in PyTorch, and what a step of training costs there."""

import time

import torch
from torch import nn
from torch.nn import functional

POLICY_STEPS = 3
POINT_OUTPUTS = 4
MIXTURE_OUTPUTS = 12
PLANES = 32


class Block(nn.Module):
    def __init__(self, channels, pooled):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self.pool = nn.Linear(2 * channels, channels, bias=False) if pooled else None

    def forward(self, state):
        middle = functional.relu(self.first_norm(self.first(state)))
        change = self.second(middle)
        if self.pool is not None:
            change = change + self.pool(pooled(middle))[:, :, None, None]
        return functional.relu(self.second_norm(change) + state)


def pooled(planes):
    return torch.cat([planes.mean(dim=(2, 3)), planes.amax(dim=(2, 3))], dim=1)


class Net(nn.Module):
    """The shipped architecture, as `jigo train sl` trains it."""

    def __init__(self, channels=64, blocks="rprprp", head=64, hidden=64):
        super().__init__()
        self.stem = nn.Conv2d(PLANES, channels, 3, padding=1, bias=False)
        self.stem_norm = nn.BatchNorm2d(channels)
        self.blocks = nn.Sequential(*[Block(channels, block == "p") for block in blocks])
        self.head = nn.Conv2d(channels, head, 1, bias=False)
        self.head_norm = nn.BatchNorm2d(head)
        self.points = nn.Conv2d(head, POINT_OUTPUTS, 1, bias=False)
        self.hidden = nn.Linear(2 * head, hidden)
        self.outputs = nn.Linear(hidden, POLICY_STEPS + MIXTURE_OUTPUTS)

    def forward(self, planes):
        state = self.blocks(functional.relu(self.stem_norm(self.stem(planes))))
        head = functional.relu(self.head_norm(self.head(state)))
        return self.points(head), self.outputs(functional.relu(self.hidden(pooled(head))))


def torch_speed(side, batch, steps):
    """Forward, backward and a step of momentum; the losses are as costly as ours or cheaper."""
    torch.set_num_threads(1)
    net = Net().to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, nesterov=True)
    planes = (torch.rand(batch, PLANES, side, side) < 0.2).float().contiguous(memory_format=torch.channels_last)
    moves, owners = torch.randint(side * side, (batch,)), torch.rand(batch, side, side)

    def step():
        points, outputs = net(planes)
        loss = functional.binary_cross_entropy_with_logits(points[:, POLICY_STEPS], owners)
        for ahead in range(POLICY_STEPS):
            logits = torch.cat([points[:, ahead].flatten(1), outputs[:, ahead : ahead + 1]], dim=1)
            loss = loss + functional.cross_entropy(logits, moves)
        loss = loss + outputs[:, POLICY_STEPS:].square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    step()
    start = time.process_time()
    for _ in range(steps):
        step()
    return batch * steps / (time.process_time() - start)
