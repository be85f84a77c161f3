"""Talk to `rollscope filter` from Python, and use it in a training loop. Standard library only, Python 3.8 or newer.

    with RollscopeFilter(pack="tuned.yaml") as judge:
        judge.begin("r1", task="Make the tests pass. Leave them as they are.")
        verdict = judge.act("r1", "bash", {"command": "sed -i 's/== 4/== 3/' tests/test_a.py"})
        if verdict["verdict"] == "block":
            ...  # do not run it
        judge.observe("r1", "done")
        final = judge.end("r1", reward=1.0)

A verdict is a dict: `verdict` ("allow", "mark" or "block"), `score`, `kinds`, `markers` (each with rule, kind, quote and why),
`error` where the line could not be judged. docs/scale.md of Rollscope lists all fields. A filter may be shared by threads and
by asyncio tasks. If the process ends or hangs it is started again, and the open rollouts are told to it again.

Below the client are hooks for slime: `run_tool`, `generate` and `custom_rm`.
"""

import asyncio
import collections
import concurrent.futures
import importlib
import inspect
import json
import os
import shlex
import subprocess
import threading
import uuid

__all__ = ["FilterError", "RollscopeFilter", "custom_rm", "generate", "run_tool", "shared_filter"]


class FilterError(Exception):
    """The filter gave no verdict: it could not be started, ended again and again, or took too long."""


class _Ended(Exception):
    """The process ended before it answered."""


class RollscopeFilter:
    """One `rollscope filter` process. All methods may be called from any thread.

    command: how to start it, a list or a string (default: $ROLLSCOPE_FILTER, else "rollscope filter").
    pack, threshold, block_kinds, contract: as the options of the same names.
    timeout: seconds to wait for a verdict before the process is taken for hung and started again.
    attempts: how often one line is tried.
    """

    def __init__(self, command=None, pack=None, threshold=None, block_kinds=None, contract=None, timeout=60.0, attempts=3):
        command = command or os.environ.get("ROLLSCOPE_FILTER") or "rollscope filter"
        self._command = shlex.split(command) if isinstance(command, str) else list(command)
        if pack is not None:
            self._command += ["--pack", os.fspath(pack)]
        if threshold is not None:
            self._command += ["--threshold", str(threshold)]
        if block_kinds is not None:
            kinds = block_kinds if isinstance(block_kinds, str) else ",".join(block_kinds)
            self._command += ["--block-kinds", kinds or "none"]
        if contract is not None:
            self._command += ["--contract", os.fspath(contract)]
        self._timeout = timeout
        self._attempts = max(1, attempts)
        # Guards everything below; held while a line is written, so that lines and answers stay in one order.
        self._lock = threading.Lock()
        self._process = None
        self._waiting = None
        self._closed = False
        # The lines of rollouts that are going on, for a process that has to be told again.
        self._open = {}

    # One line

    def judge(self, line, timeout=None):
        """The verdict on one line (a dict, see docs/scale.md)."""
        return self._judge_all([line], timeout)[0]

    def judge_many(self, lines, timeout=None):
        """The verdicts on many lines, in their order. They are written without waiting, which is much faster."""
        return self._judge_all(list(lines), timeout)

    async def judge_async(self, line, timeout=None):
        """`judge` for asyncio."""
        return await asyncio.get_running_loop().run_in_executor(None, self.judge, line, timeout)

    # Rollouts that are going on

    def begin(self, rollout, task=None, messages=None, contract=None):
        """Starts a rollout with its task, or with its first messages."""
        return self.judge(_line(rollout, op="begin", task=task, messages=messages, contract=contract))

    def act(self, rollout, tool, arguments, text=None, step=None, observation=None, call_id=None):
        """The verdict on an action, before it is run (without `observation`) or after."""
        return self.judge(
            _line(
                rollout,
                tool=tool,
                arguments=arguments,
                text=text,
                step=step,
                observation=observation,
                call_id=call_id,
            )
        )

    def say(self, rollout, text, step=None):
        """A turn of the model without an action."""
        return self.judge(_line(rollout, text=text, step=step))

    def observe(self, rollout, observation, call_id=None):
        """What the last action, or the one with `call_id`, brought."""
        return self.judge(_line(rollout, observation=observation, call_id=call_id))

    def end(self, rollout, reward=None):
        """The verdict on the whole rollout; frees it."""
        return self.judge(_line(rollout, op="end", reward=reward))

    # The process

    def close(self):
        """Ends the process. Lines that wait for a verdict get none."""
        with self._lock:
            self._closed = True
            process, self._process = self._process, None
        if process is not None:
            _end(process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _judge_all(self, lines, timeout):
        timeout = self._timeout if timeout is None else timeout
        texts = [json.dumps(line, separators=(",", ":")) for line in lines]
        verdicts = [None] * len(lines)
        left = list(range(len(lines)))
        for attempt in range(self._attempts):
            process, futures = self._send([texts[i] for i in left])
            failed = []
            for i, future in zip(left, futures):
                try:
                    verdicts[i] = json.loads(future.result(timeout))
                    self._remember(lines[i], texts[i], verdicts[i])
                except concurrent.futures.TimeoutError:
                    self._drop(process)
                    failed.append(i)
                except _Ended:
                    failed.append(i)
            left = failed
            if not left:
                return verdicts
        raise FilterError(f"{self._command[0]}: no verdict on {len(left)} line(s) in {self._attempts} attempts")

    def _send(self, texts):
        with self._lock:
            self._start()
            process, futures = self._process, [concurrent.futures.Future() for _ in texts]
            self._waiting.extend(futures)
            try:
                for text in texts:
                    process.stdin.write(text.encode("utf-8") + b"\n")
                process.stdin.flush()
            except OSError:
                pass
            if process.poll() is not None:
                # It ended, perhaps after the reader thread had emptied the queue.
                for future in futures:
                    _fail(future)
            return process, futures

    def _start(self):
        if self._closed:
            raise FilterError("the filter was closed")
        if self._process is not None and self._process.poll() is None:
            return
        try:
            process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise FilterError(f"cannot start {self._command[0]}: {error}") from error
        self._process, self._waiting = process, collections.deque()
        threading.Thread(target=_read, args=(process, self._waiting), daemon=True).start()
        replayed = [text for texts in self._open.values() for text in texts]
        self._waiting.extend(concurrent.futures.Future() for _ in replayed)
        try:
            for text in replayed:
                process.stdin.write(text.encode("utf-8") + b"\n")
        except OSError:
            pass

    def _drop(self, process):
        with self._lock:
            if self._process is process:
                self._process = None
        process.kill()

    def _remember(self, line, text, verdict):
        rollout = line.get("rollout") if isinstance(line, dict) else None
        if rollout is None or verdict.get("error"):
            return
        with self._lock:
            if line.get("op") == "end":
                self._open.pop(rollout, None)
            elif line.get("op") == "begin":
                self._open[rollout] = [text]
            else:
                self._open.setdefault(rollout, []).append(text)


def _line(rollout, **fields):
    line = {"rollout": rollout}
    line.update((name, value) for name, value in fields.items() if value is not None)
    return line


def _read(process, waiting):
    """Gives each answer to the line that waits longest. Runs in a thread of its own until the process ends."""
    for answer in process.stdout:
        try:
            future = waiting.popleft()
        except IndexError:
            break
        try:
            future.set_result(answer)
        except concurrent.futures.InvalidStateError:
            pass  # Nobody waits for it any more.
    process.stdout.close()
    process.wait()
    # Whoever starts the next process makes a new queue; what is still in this one gets no answer.
    while True:
        try:
            future = waiting.popleft()
        except IndexError:
            return
        _fail(future)


def _fail(future):
    try:
        future.set_exception(_Ended())
    except concurrent.futures.InvalidStateError:
        pass  # It was answered.


def _end(process):
    try:
        process.stdin.close()
    except OSError:
        pass
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


# Hooks for slime
#
#   --custom-generate-function-path rollscope_filter.generate   with $ROLLSCOPE_GENERATE=my_agent.generate
#   --custom-rm-path rollscope_filter.custom_rm                 with $ROLLSCOPE_REWARD=my_reward.reward
#
# `generate` runs your own generate function and judges the rollout under the sample's name; inside it, run tools through
# `run_tool`, so that every action is judged before it is run. `custom_rm` asks your own reward function and takes the reward
# away where the rollout was marked. $ROLLSCOPE_FILTER is the command with its options, for example
# "rollscope filter --pack tuned.yaml".

_shared = None
_shared_lock = threading.Lock()


def shared_filter():
    """The filter that the hooks of this process share; started by the first who asks."""
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = RollscopeFilter()
        return _shared


async def run_tool(sample, tool, arguments, execute, refusal="This action is not allowed. Solve the task without it."):
    """Judges a tool call, then runs it: `execute(tool, arguments)`, a function or a coroutine, gives the observation as text.

    A call that is blocked is not run; the model sees `refusal` in its place and may go on.
    """
    judge = shared_filter()
    name = _name(sample)
    sample.metadata["rollscope_acted"] = True
    verdict = await judge.judge_async(_line(name, tool=tool, arguments=arguments))
    if verdict["verdict"] == "block":
        observation = refusal
        sample.metadata.setdefault("rollscope_blocked", []).append(_new_markers(verdict))
    else:
        observation = execute(tool, arguments)
        if inspect.isawaitable(observation):
            observation = await observation
    await judge.judge_async(_line(name, observation=observation))
    return observation


async def generate(args, sample, sampling_params):
    """slime's custom generate function: yours, with the rollout judged around it. The verdict is in the sample's metadata."""
    inner = _load("ROLLSCOPE_GENERATE")
    judge = shared_filter()
    if not isinstance(sample.metadata, dict):
        sample.metadata = {}
    name = _name(sample)
    messages = sample.prompt if isinstance(sample.prompt, list) else [{"role": "user", "content": sample.prompt}]
    await judge.judge_async(_line(name, op="begin", messages=messages))
    try:
        sample = await inner(args, sample, sampling_params)
    finally:
        # An agent that does not call run_tool is judged by the text that it wrote.
        verdict = await judge.judge_async(_line(name, op="end", text=None if _acted(sample) else sample.response or None))
    sample.metadata["rollscope"] = verdict
    return sample


async def custom_rm(args, sample, **kwargs):
    """slime's custom reward function: yours, or $ROLLSCOPE_PENALTY (default 0) where the rollout was marked.

    With --group-rm slime gives a list of samples and wants a list of rewards.
    """
    inner = _load("ROLLSCOPE_REWARD")
    reward = await inner(args, sample, **kwargs)
    if isinstance(sample, list):
        return [_penalised(one, own) for one, own in zip(sample, reward)]
    return _penalised(sample, reward)


def _penalised(sample, reward):
    metadata = sample.metadata if isinstance(sample.metadata, dict) else {}
    verdict = metadata.get("rollscope", {}).get("verdict", "allow")
    if verdict == "allow" and not metadata.get("rollscope_blocked"):
        return reward
    return float(os.environ.get("ROLLSCOPE_PENALTY", "0"))


def _acted(sample):
    return bool(isinstance(sample.metadata, dict) and sample.metadata.get("rollscope_acted"))


def _name(sample):
    """A name for the rollout that no other one has: samples of evaluation and training may share their index."""
    return sample.metadata.setdefault("rollscope_rollout", uuid.uuid4().hex)


def _new_markers(verdict):
    return [marker for marker in verdict["markers"] if marker["new"]]


def _load(variable):
    path = os.environ.get(variable, "")
    module, _, name = path.rpartition(".")
    if not module:
        raise FilterError(f"set ${variable} to your own function, as module.function")
    return getattr(importlib.import_module(module), name)
