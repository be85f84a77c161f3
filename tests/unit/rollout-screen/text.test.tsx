// Text on screen: marks at their exact characters, hidden characters visible, terminal colours, folding, and nothing of a
// log ever becoming markup.

import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ansiPieces } from '../../../renderer/text/ansi.ts';
import { findInvisible } from '../../../renderer/text/invisible.ts';
import { Markdown } from '../../../renderer/text/Markdown.tsx';
import { parseMarkdown } from '../../../renderer/text/markdown.ts';
import { Runs } from '../../../renderer/text/Runs.tsx';
import { cutRuns, type Mark } from '../../../renderer/text/runs.ts';
import { collapsedWindows, headEnd, lineOffsets } from '../../../renderer/text/windows.ts';

function mark(start: number, end: number, change: Partial<Mark> = {}): Mark {
  return { start, end, kind: 'marker', id: 'm1', current: false, ...change };
}

describe('cutRuns', () => {
  it('keeps overlapping marks apart at their exact borders', () => {
    const runs = cutRuns('abcdefgh', 0, 8, [mark(1, 5), mark(3, 7, { kind: 'find', id: '0' })]);
    expect(
      runs.map((run) => ['abcdefgh'.slice(run.start, run.end), run.marks.map((one) => one.kind).join('+')]),
    ).toEqual([
      ['a', ''],
      ['bc', 'marker'],
      ['de', 'marker+find'],
      ['fg', 'find'],
      ['h', ''],
    ]);
  });

  it('covers the text without gaps whatever the marks', () => {
    const marks = fc.array(
      fc.tuple(fc.nat(60), fc.nat(60)).map(([a, b]) => mark(Math.min(a, b), Math.max(a, b))),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), marks, (text, list) => {
        const runs = cutRuns(text, 0, text.length, list);
        expect(runs.map((run) => text.slice(run.start, run.end)).join('')).toBe(text);
      }),
    );
  });
});

describe('findInvisible', () => {
  it('names zero-width, bidirectional, tag and control characters', () => {
    const labels = (text: string) => findInvisible(text).map((one) => one.label);
    expect(labels('a\u200bb\u202ec\u202cd\u2066e')).toEqual(['ZWSP', 'RLO', 'PDF', 'LRI']);
    expect(labels('x\u{e0041}y\u0000z\u0007')).toEqual(['TAG', '␀', '␇']);
    expect(labels('half \ud800 pair')).toEqual(['half']);
    expect(labels('lone\rreturn')).toEqual(['CR']);
  });

  it('judges the border of a range by what stands behind it', () => {
    expect(findInvisible('ab\r\ncd', 0, 3)).toEqual([]);
    expect(findInvisible('a\u200bb\u200bc', 2, 4).map((one) => one.start)).toEqual([3]);
  });

  it('leaves ordinary text alone: line ends, tabs, accents, right-to-left letters, joined emoji', () => {
    expect(findInvisible('a\tb\nc\r\nd é שלום 日本 👩‍💻 👍🏽 ❤️')).toEqual([]);
  });
});

describe('Runs', () => {
  it('shows markup of a log as text', () => {
    const html = renderToStaticMarkup(<Runs text={'<img src=x onerror=alert(1)> & <b>'} marks={[]} />);
    expect(html).toBe('&lt;img src=x onerror=alert(1)&gt; &amp; &lt;b&gt;');
  });

  it('underlines the marked characters and says which mark it is', () => {
    const html = renderToStaticMarkup(
      <Runs text="rm tests/a.py now" marks={[mark(3, 13, { id: 'm-1', current: true })]} />,
    );
    expect(html).toBe('rm <mark class="mark-marker mark-marker-current" data-mark="marker-m-1">tests/a.py</mark> now');
  });

  it('keeps a mark exact across terminal colours', () => {
    const text = '\u001b[31mFAILED\u001b[0m test_a';
    const start = text.indexOf('LED');
    const html = renderToStaticMarkup(<Runs text={text} marks={[mark(start, text.indexOf('test_a') + 4)]} ansi />);
    expect(html).not.toContain('\u001b');
    expect(html.replaceAll(/<mark[^>]*>(.*?)<\/mark>/g, '[$1]').replaceAll(/<[^>]+>/g, '')).toBe('FAI[LED][ test]_a');
    expect(html).toContain('ansi-red');
  });
});

describe('ansiPieces', () => {
  const shown = (text: string) =>
    ansiPieces(text, 0, text.length).map((piece) => [text.slice(piece.start, piece.end), piece.classes]);

  it('carries styles on and resets them', () => {
    expect(shown('a\u001b[1;32mb\u001b[4mc\u001b[0md')).toEqual([
      ['a', ''],
      ['b', 'ansi-bold ansi-green'],
      ['c', 'ansi-bold ansi-underline ansi-green'],
      ['d', ''],
    ]);
  });

  it('drops cursor movements, titles and hyperlinks and keeps broken sequences visible', () => {
    expect(shown('a\u001b[2Kb\u001b]0;title\u0007c').map(([text]) => text)).toEqual(['a', 'b', 'c']);
    expect(shown('a\u001b').map(([text]) => text)).toEqual(['a', '\u001b']);
  });

  it('gives exact colours only as three numbers', () => {
    const [piece] = ansiPieces('\u001b[38;2;10;20;30mx', 0, 17);
    expect(piece?.colour).toBe('rgb(10, 20, 30)');
  });

  it('never loses text outside of sequences', () => {
    const part = fc.oneof(
      fc.constantFrom('\u001b[31m', '\u001b[0m', '\u001b[999z', '\u001b[', '\u001b]x\u0007'),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let at = 0;
        for (const piece of ansiPieces(text, 0, text.length)) {
          expect(piece.start).toBeGreaterThanOrEqual(at);
          // What is skipped is a whole sequence and starts with an escape.
          if (piece.start > at) expect(text[at]).toBe('\u001b');
          at = piece.end;
        }
      }),
    );
  });
});

describe('Markdown', () => {
  const html = (text: string, marks: readonly Mark[] = []) =>
    renderToStaticMarkup(<Markdown text={text} from={0} to={text.length} marks={marks} />);

  it('renders code, lists, headings and inline styles', () => {
    const text = '## Plan\n\nUse `lastId` and **keep** *it*.\n- one\n  - two\n1. x\n```ts\nconst a = **b**;\n```\nend';
    expect(html(text)).toContain('<p class="md-heading md-h2">Plan</p>');
    expect(html(text)).toContain('<code>lastId</code> and <strong>keep</strong> <em>it</em>.');
    expect(html(text)).toContain('const a = **b**;');
    expect(html(text).match(/<li/g)).toHaveLength(3);
  });

  it('makes neither links nor images nor markup', () => {
    const text = '[x](javascript:alert(1)) ![y](http://e/v.png) <script>alert(1)</script> <a href=x>z</a>';
    expect(html(text)).not.toMatch(/<(?:a|img|script)\b/);
    expect(html(text)).toContain('&lt;script&gt;');
  });

  it('leaves names with underscores, globs, products and open marks alone', () => {
    for (const text of [
      'call __init__ of a*b*c and 2 ** 3 ** 4',
      'rm a/*.py,b/*.ts "__pycache__"',
      'x ** y',
      'snake_case__name',
      '* `open',
    ]) {
      expect(html(`so: ${text}`)).toBe(`<p class="md-paragraph">so: ${text.replaceAll('"', '&quot;')}</p>`);
    }
  });

  it('shows a tool call that is written as tags word for word', () => {
    const call = '<function=bash>\n<parameter=command>grep -v "__x__" *a* **b**</parameter>\n</function>';
    expect(html(`Now **look**:\n${call}\nthen`)).toBe(
      `<p class="md-paragraph">Now <strong>look</strong>:</p><pre class="code">${call
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')}</pre><p class="md-paragraph">then</p>`,
    );
    expect(html('<function=bash> never closed **b**')).toContain('<strong>b</strong>');
    const cut = '<function=bash>\necho **a**\n</function>';
    const head = renderToStaticMarkup(<Markdown text={cut} from={0} to={cut.indexOf('\n</')} marks={[]} />);
    expect(head).toBe('<pre class="code">&lt;function=bash&gt;\necho **a**</pre>');
  });

  it('keeps a mark that crosses styles at its source characters', () => {
    const text = 'run **sed -i** on `tests`';
    const marked = html(text, [mark(text.indexOf('-i'), text.indexOf('tests') + 2)]);
    expect(marked.replaceAll(/<mark[^>]*>(.*?)<\/mark>/g, '[$1]').replaceAll(/<[^>]+>/g, '')).toBe(
      'run sed [-i][ on ][te]sts',
    );
  });

  it('closes an unfinished code block at the end of the text', () => {
    expect(html('```py\nprint(1)')).toBe('<pre class="code"><span class="code-info">py</span>print(1)</pre>');
  });

  it('loses no word of any text', () => {
    const word = fc.constantFrom(
      'alpha',
      '**b**',
      '`c`',
      '# h',
      '- i',
      '> q',
      '```',
      '\n',
      '\n\n',
      ' ',
      '1. n',
      '*',
      '__',
      '\\*',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const text = words.join('');
        const kept = html(text).replaceAll(/<[^>]+>/g, '');
        for (const letters of ['alpha', 'b', 'c']) {
          expect(kept.split(letters).length).toBeGreaterThanOrEqual(text.split(letters).length);
        }
      }),
    );
  });

  it('is quick on hostile texts', () => {
    for (const text of [
      '*'.repeat(60_000),
      '`'.repeat(60_000),
      '**a'.repeat(20_000),
      '> '.repeat(30_000),
      '[x]('.repeat(20_000),
      '<bash>\n'.repeat(9000),
    ]) {
      const started = performance.now();
      parseMarkdown(text, 0, text.length);
      expect(performance.now() - started).toBeLessThan(3000);
    }
  });
});

describe('folding', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');

  it('shows the head within both caps', () => {
    expect(lines.slice(0, headEnd(lines, { lines: 3, chars: 500 }))).toBe('line 0\nline 1\nline 2');
    const wide = 'word '.repeat(400);
    expect(headEnd(wide, { lines: 5, chars: 300 })).toBeLessThanOrEqual(300);
  });

  it('does not fold away less than the button would take', () => {
    expect(collapsedWindows('a\nb\nc\nd', { lines: 3, chars: 500 }, [])).toEqual([{ start: 0, end: 7 }]);
  });

  it('opens a window around a mark behind the head', () => {
    const at = lines.indexOf('line 70');
    const windows = collapsedWindows(lines, { lines: 3, chars: 500 }, [mark(at, at + 7)]);
    expect(windows.map((one) => lines.slice(one.start, one.end))).toEqual(['line 0\nline 1\nline 2', 'line 70']);
  });

  it('always shows the current hit, in order, however many there are', () => {
    const marks = Array.from({ length: 200 }, (_, index) =>
      mark(index * 20 + 2, index * 20 + 4, { current: index === 190 }),
    );
    const text = 'x'.repeat(19).concat('\n').repeat(200);
    const windows = collapsedWindows(text, { lines: 2, chars: 500 }, marks);
    expect(windows.some((one) => one.start <= 190 * 20 + 2 && one.end >= 190 * 20 + 4)).toBe(true);
    for (const [index, one] of windows.entries())
      if (index > 0) expect(one.start).toBeGreaterThan(windows[index - 1]?.end ?? 0);
  });

  it('cuts no surrogate pair in two', () => {
    const text = '😀'.repeat(2000);
    for (const one of collapsedWindows(text, { lines: 5, chars: 301 }, [mark(3001, 3003)])) {
      expect(text.slice(one.start, one.end).isWellFormed()).toBe(true);
    }
    expect(lineOffsets(text, 101).every((offset) => offset % 2 === 0)).toBe(true);
  });

  it('splits text into lines and long lines into pieces without losing a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '😀'), maxLength: 80 }),
        fc.integer({ min: 2, max: 9 }),
        (text, longest) => {
          const offsets = lineOffsets(text, longest);
          const pieces = offsets.map((offset, index) => text.slice(offset, offsets[index + 1] ?? text.length));
          expect(pieces.join('')).toBe(text);
          for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(longest + 1);
        },
      ),
    );
  });
});
