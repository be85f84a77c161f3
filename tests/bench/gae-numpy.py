# The same estimator (cross-trajectory GAE, gamma 1, lambda 1 - 1/(1.5 n_s)) in numpy and scipy, over the arrays that
# make-values.ts wrote. Prints JSON: seconds by layout of the files. (torch has no such filter; its loop over tokens is slower by far.)
# Run: python3 gae-numpy.py FOLDER RESULT.npy
import json
import sys
import time

import numpy as np
from scipy.signal import lfilter

folder, result = sys.argv[1], sys.argv[2]
counts = np.load(f"{folder}/counts.npy").astype(int)
rewards = np.load(f"{folder}/rewards.npy")


def segment(values, mask, reward, after):
    """Advantages and return targets of one segment over its raw tokens; masked tokens are 0."""
    at = np.flatnonzero(mask)
    out = np.zeros((2, len(mask)), dtype=np.float32)
    n = len(at)
    if n == 0:
        return out
    v = values[at].astype(np.float64)
    delta = np.append(v[1:], 0.0) - v
    delta[-1] += reward
    c = max(0.0, 1.0 - 1.0 / (1.5 * n))
    local = lfilter([1.0], [1.0, -c], delta[::-1])[::-1]
    out[0, at] = local * c**after
    out[1, at] = local + v
    return out


def run(read):
    started = time.perf_counter()
    outs = []
    for r, count in enumerate(counts):
        pieces = [read(r, s) for s in range(count)]
        trained = [int(mask.sum()) for _, mask in pieces]
        for s, (values, mask) in enumerate(pieces):
            outs.append(segment(values, mask, rewards[r], sum(trained[s + 1 :])))
    return time.perf_counter() - started, outs


def from_each(r, s):
    return np.load(f"{folder}/each/{r}_{s}.values.npy"), np.load(f"{folder}/each/{r}_{s}.mask.npy")


def whole():
    started = time.perf_counter()
    values, mask = np.load(f"{folder}/values.npy"), np.load(f"{folder}/mask.npy")
    ends = np.concatenate([[0], np.cumsum(np.load(f"{folder}/segments.npy").astype(int))])
    firsts = np.concatenate([[0], np.cumsum(counts)])

    def read(r, s):
        k = firsts[r] + s
        return values[ends[k] : ends[k + 1]], mask[ends[k] : ends[k + 1]]

    took, outs = run(read)
    return time.perf_counter() - started, outs


seconds_each, _ = run(from_each)
seconds_whole, outs = whole()
# What "to the database" is for numpy: one file with all results.
started = time.perf_counter()
np.save(result, np.concatenate(outs, axis=1))
took = time.perf_counter() - started
print(json.dumps({"each": seconds_each, "whole": seconds_whole, "save": took}))
