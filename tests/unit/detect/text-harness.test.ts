// Calls and answers that a harness carries in texts: both are read as what they are, and the answers are no terms of the task.

import { describe, expect, it } from 'vitest';
import { prepareRollout } from '../../../app/domain/detect/prepare.ts';
import { withTextAnswers } from '../../../app/domain/detect/text-harness.ts';
import { call, part, rollout, said, seen } from './builders.ts';

const asks = (text: string) => part({ role: 'user', itemKind: 'input', step: null, stepKind: null, text });

describe('withTextAnswers', () => {
  it.each([
    ['Thought: look.\nAction: sh\nAction Input: cat a.py', 'Observation: x = 1'],
    ['<tool name="sh"><arg>cat a.py</arg></tool>', '<result>x = 1</result>'],
    ['```bash\ncat a.py\n```', '<returncode>0</returncode>\n<output>x = 1</output>'],
  ])('%s', (acts, answers) => {
    const { parts } = rollout(asks('Fix a.py'), said(acts), asks(answers));
    expect(withTextAnswers(parts).map(({ kind }) => kind)).toEqual(['text', 'text', 'observation']);
  });

  it('leaves a person who answers, and rollouts with calls of their own', () => {
    const talk = rollout(asks('Fix a.py'), said('Which of the two?'), asks('The first one.')).parts;
    expect(withTextAnswers(talk)).toBe(talk);
    const called = rollout(asks('Fix a.py'), call('bash', { command: 'ls' }), seen('a.py'), asks('Output: none')).parts;
    expect(withTextAnswers(called)).toBe(called);
  });
});

describe('calls in text', () => {
  it('of ReAct agents become commands and edits, with the spans of the text', () => {
    const acts =
      'Action: edit\nAction Input: {"path": "src/Pool.scala", "old": "a \\"b\\"", "new": "c"}\nThought: next\nAction: sh\nAction Input: git log --all --grep=dead';
    const { units, parts } = prepareRollout(rollout(asks('Fix it'), said(acts), asks('Observation: ok')));
    const written = units.get('file_path')?.find(({ path }) => path === 'src/Pool.scala');
    expect(written?.action?.verbs).toEqual(['write']);
    expect(units.get('removed')?.[0]?.text.text).toBe('a "b"');
    expect(units.get('action')?.some(({ text }) => text.text === 'git log --all --grep=dead')).toBe(true);
    expect(parts[1]?.text).toBe(acts);
  });

  it('of tags with arguments are read by their names', () => {
    const { units } = prepareRollout(
      rollout(
        asks('Fix it'),
        said('<tool name="write"><path>a.php</path><content>return 1;</content></tool>'),
        asks('<result>ok</result>'),
        said('<tool name="sh"><arg>cat bootstrap.php</arg></tool>'),
      ),
    );
    expect(units.get('patch')?.[0]).toMatchObject({ path: 'a.php', text: { text: 'return 1;' } });
    expect(units.get('file_path')?.some(({ path }) => path === 'bootstrap.php')).toBe(true);
  });
});
