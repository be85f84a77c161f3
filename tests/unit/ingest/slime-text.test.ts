// Splitting a sampled response at the markers of its chat template.

import { describe, expect, test } from 'vitest';
import { splitPrompt, splitResponse } from '../../../app/ingest/formats/slime-text.ts';

/** Turns in short: `role: kind(name)=text`. */
function short(turns: ReturnType<typeof splitResponse>): string[] {
  return turns.map(
    (turn) =>
      `${turn.role}${turn.ended ? '.' : ''} ${turn.parts.map((p) => `${p.kind}${p.name == null ? '' : `(${p.name})`}=${p.text}`).join(' | ')}`,
  );
}

describe('responses', () => {
  test('ChatML with reasoning, calls and their responses', () => {
    const text =
      '<think>\nLook.\n</think>\nOn it.\n<tool_call>\n{"name": "bash", "arguments": {"command": "ls -la"}}\n</tool_call><|im_end|>\n' +
      '<|im_start|>user\n<tool_response>\na\n\nb\n</tool_response>\n<tool_response>\nc\n</tool_response><|im_end|>\n' +
      '<|im_start|>assistant\nDone.<|im_end|>';
    expect(short(splitResponse(text))).toEqual([
      'assistant. reasoning=Look. | text=On it. | tool_call(bash)={"command":"ls -la"}',
      'user. observation=a\n\nb | observation=c',
      'assistant. text=Done.',
    ]);
  });

  test('the opening that nobody wrote is no turn', () => {
    const text = 'x<|im_end|>\n<|im_start|>user\nobserved<|im_end|>\n<|im_start|>assistant\n';
    expect(short(splitResponse(text))).toEqual(['assistant. text=x', 'user. text=observed']);
  });

  test('GLM: roles without an end marker, argument pairs, reasoning opened by the prompt', () => {
    const text =
      'Check first.</think>I run it.<tool_call>terminal\n<arg_key>command</arg_key>\n<arg_value>pytest -q\n</arg_value>\n<arg_key>timeout</arg_key><arg_value>5</arg_value></tool_call>' +
      '<|observation|>\n<tool_response>\n3 passed\n</tool_response><|assistant|>\n<think></think>Good.<|user|>\nGo on';
    expect(short(splitResponse(text))).toEqual([
      'assistant reasoning=Check first. | text=I run it. | tool_call(terminal)={"command":"pytest -q\\n","timeout":"5"}',
      'tool observation=3 passed',
      'assistant text=Good.',
      'user text=Go on',
    ]);
  });

  test('Llama 3', () => {
    const text =
      'ls<|eom_id|><|start_header_id|>ipython<|end_header_id|>\n\nfile.txt<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nOne file.<|eot_id|>';
    expect(short(splitResponse(text))).toEqual([
      'assistant. text=ls',
      'tool. observation=file.txt',
      'assistant. text=One file.',
    ]);
  });

  test('DeepSeek', () => {
    const text = 'Hi<｜end▁of▁sentence｜><｜User｜>More<｜Assistant｜>Yes<｜end▁of▁sentence｜>';
    expect(short(splitResponse(text))).toEqual(['assistant. text=Hi', 'user text=More', 'assistant. text=Yes']);
  });

  test('calls as function tags', () => {
    const text = '<tool_call>\n<function=edit>\n<parameter=path>\na.py\n</parameter>\n</function>\n</tool_call>';
    expect(short(splitResponse(text))).toEqual(['assistant tool_call(edit)={"path":"a.py"}']);
  });

  test('text without markers stays whole', () => {
    expect(short(splitResponse('The answer is 42.\n\nTruly.'))).toEqual(['assistant text=The answer is 42.\n\nTruly.']);
    expect(splitResponse('')).toEqual([]);
  });

  test('what was cut off is kept', () => {
    expect(short(splitResponse('<think>\nstill thinking'))).toEqual(['assistant reasoning=still thinking']);
    expect(short(splitResponse('<tool_call>\n{"name": "bash", "argu'))).toEqual([
      'assistant tool_call={"name": "bash", "argu',
    ]);
  });

  test('markers of another template inside a text are text', () => {
    const text = 'I print <|user|> here.<|im_end|>\n<|im_start|>user\nok<|im_end|>\n';
    expect(short(splitResponse(`plain<|im_end|>\n<|im_start|>assistant\n${text}`))).toEqual([
      'assistant. text=plain',
      'assistant. text=I print <|user|> here.',
      'user. text=ok',
    ]);
  });
});

test('prompts begin with the user, or with their markers', () => {
  expect(short(splitPrompt('Fix it.'))).toEqual(['user text=Fix it.']);
  expect(
    short(
      splitPrompt('<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n'),
    ),
  ).toEqual(['system. text=Be brief.', 'user. text=Hi']);
});
