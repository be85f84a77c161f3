// The log formats that can be read, in the order in which equally sure recognisers win. One file per format; a new
// format is one more line here.

import type { Format } from '../source.ts';
import { format as atif } from './atif.ts';
import { format as chat } from './chat.ts';
import { format as claudeCode } from './claude-code.ts';
import { format as cline } from './cline.ts';
import { format as codex } from './codex.ts';
import { format as copilotCli } from './copilot-cli.ts';
import { format as geminiCli } from './gemini-cli.ts';
import { format as inspect } from './inspect.ts';
import { format as miniSweAgent } from './mini-swe-agent.ts';
import { format as native } from './native.ts';
import { format as openhands } from './openhands.ts';
import { format as slime } from './slime.ts';
import { format as sweAgent } from './swe-agent.ts';
import { format as sweBenchReport } from './swe-bench-report.ts';
import { format as terminalBench } from './terminal-bench.ts';

/** Every format, the most specific first. */
export const formats: readonly Format[] = [
  native,
  slime,
  atif,
  claudeCode,
  codex,
  inspect,
  openhands,
  sweAgent,
  miniSweAgent,
  sweBenchReport,
  terminalBench,
  cline,
  geminiCli,
  copilotCli,
  chat,
];

/** The format with an id; null for an unknown one. */
export function formatById(id: string): Format | null {
  return formats.find((format) => format.id === id) ?? null;
}
