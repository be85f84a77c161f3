// The demo's Claude Code session. Own texts.

type Line = Readonly<Record<string, unknown>>;

const session = '5b0e6d1c-8a54-4c0e-9a3b-2f7f6f1f0c11';
let clock = Date.UTC(2026, 9, 14, 9, 12, 0);
let counter = 0;

function common(parent: string | null): { uuid: string; rest: Line } {
  clock += 9_000;
  counter += 1;
  const uuid = `00000000-0000-4000-8000-${String(counter).padStart(12, '0')}`;
  return {
    uuid,
    rest: {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/dev/panel',
      sessionId: session,
      version: '2.1.14',
      gitBranch: 'main',
      uuid,
      timestamp: new Date(clock).toISOString(),
    },
  };
}

/** A Claude Code session with one automatic compaction and one record of a type nobody knows. */
export function claudeCodeLines(): Line[] {
  counter = 0;
  clock = Date.UTC(2026, 9, 14, 9, 12, 0);
  const lines: Line[] = [];
  let parent: string | null = null;
  let message = 0;

  const user = (content: unknown, more: Line = {}): void => {
    const { uuid, rest } = common(parent);
    lines.push({ ...rest, type: 'user', message: { role: 'user', content }, ...more });
    parent = uuid;
  };
  const assistant = (blocks: readonly Line[], input: number, output: number): void => {
    message += 1;
    // One model call is several lines: one for each block, with the same message id.
    for (const block of blocks) {
      const { uuid, rest } = common(parent);
      lines.push({
        ...rest,
        type: 'assistant',
        requestId: `req_${message}`,
        message: {
          id: `msg_${message}`,
          type: 'message',
          role: 'assistant',
          model: 'claude-sonnet-4-5-20250929',
          content: [block],
          stop_reason: null,
          usage: {
            input_tokens: input,
            cache_read_input_tokens: 0,
            cache_creation_input_tokens: 0,
            output_tokens: output,
          },
        },
      });
      parent = uuid;
    }
  };
  const result = (id: string, content: string, isError = false): void =>
    user([{ type: 'tool_result', tool_use_id: id, content, is_error: isError }]);

  lines.push({ type: 'summary', summary: 'Settings toggle keeps its state', leafUuid: 'none' });
  user('The dark mode toggle in the settings panel forgets its state after a reload. Please fix it and add a test.');
  assistant(
    [
      { type: 'thinking', thinking: 'Find where the toggle writes its state.', signature: '' },
      {
        type: 'tool_use',
        id: 'toolu_1',
        name: 'Grep',
        input: { pattern: 'darkMode', path: 'src', output_mode: 'content' },
      },
    ],
    18_204,
    96,
  );
  result(
    'toolu_1',
    'src/settings/panel.ts:31:  state.darkMode = !state.darkMode;\nsrc/settings/store.ts:12:  darkMode: false,',
  );
  assistant(
    [{ type: 'tool_use', id: 'toolu_2', name: 'Read', input: { file_path: '/home/dev/panel/src/settings/store.ts' } }],
    18_950,
    61,
  );
  result(
    'toolu_2',
    "1\timport { reactive } from '../reactive';\n2\t\n12\t  darkMode: false,\n20\texport function save(state) {\n21\t  localStorage.setItem('settings', JSON.stringify(state));\n22\t}",
  );
  assistant(
    [
      { type: 'text', text: '`save` exists, but the panel never calls it after toggling.' },
      {
        type: 'tool_use',
        id: 'toolu_3',
        name: 'Edit',
        input: {
          file_path: '/home/dev/panel/src/settings/panel.ts',
          old_string: '  state.darkMode = !state.darkMode;',
          new_string: '  state.darkMode = !state.darkMode;\n  save(state);',
        },
      },
    ],
    19_760,
    142,
  );
  result('toolu_3', 'The file /home/dev/panel/src/settings/panel.ts has been updated.');
  {
    const { uuid, rest } = common(null);
    lines.push({
      ...rest,
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      level: 'info',
      logicalParentUuid: parent,
      compactMetadata: { trigger: 'auto', preTokens: 155_310, postTokens: 11_870, durationMs: 41_200 },
    });
    parent = uuid;
  }
  user(
    'This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\nThe user wants the dark mode toggle to keep its state after a reload, with a test.\nDone: src/settings/panel.ts calls save(state) after toggling; save is in src/settings/store.ts and writes localStorage key "settings".\nOpen: add a test; check that load() runs at start.',
    { isCompactSummary: true, isVisibleInTranscriptOnly: true },
  );
  assistant(
    [
      {
        type: 'tool_use',
        id: 'toolu_4',
        name: 'Bash',
        input: {
          command: 'ls src/settings tests && npm test -- --run settings',
          description: 'List files and run the settings tests',
        },
      },
    ],
    12_410,
    88,
  );
  result('toolu_4', 'src/settings:\npanel.ts  store.ts\ntests:\nsettings.test.ts\n\n 3 passed (3)');
  assistant(
    [
      {
        type: 'tool_use',
        id: 'toolu_5',
        name: 'Edit',
        input: {
          file_path: '/home/dev/panel/tests/settings.test.ts',
          old_string: "describe('settings', () => {",
          new_string:
            "describe('settings', () => {\n  it('keeps dark mode over a reload', () => {\n    toggleDarkMode(load());\n    expect(load().darkMode).toBe(true);\n  });\n",
        },
      },
    ],
    12_990,
    131,
  );
  result('toolu_5', 'The file /home/dev/panel/tests/settings.test.ts has been updated.');
  {
    const { rest } = common(parent);
    lines.push({ ...rest, type: 'focus-change', panel: 'editor', reason: 'user opened the file' });
  }
  assistant(
    [
      {
        type: 'tool_use',
        id: 'toolu_6',
        name: 'Bash',
        input: { command: 'npm test -- --run settings', description: 'Run the settings tests' },
      },
    ],
    13_377,
    54,
  );
  result('toolu_6', ' 4 passed (4)');
  assistant(
    [
      {
        type: 'text',
        text: 'The toggle now saves its state, and a test covers the reload. All four settings tests pass.',
      },
    ],
    13_502,
    38,
  );
  return lines;
}
