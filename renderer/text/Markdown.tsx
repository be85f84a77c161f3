// Markdown of models as React nodes, with marks at their source offsets. Links and images stay text by design.

import type { ReactNode } from 'react';
import { type Block, type Inline, parseMarkdown } from './markdown.ts';
import { Runs } from './Runs.tsx';
import type { Mark } from './runs.ts';

interface Props {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly marks: readonly Mark[];
}

/** text[from, to) rendered as light markdown. */
export function Markdown(props: Props): ReactNode {
  return parseMarkdown(props.text, props.from, props.to).map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks are derived from the text and have no identity of their own
    <BlockView key={index} block={block} text={props.text} marks={props.marks} />
  ));
}

function BlockView({
  block,
  text,
  marks,
}: {
  readonly block: Block;
  readonly text: string;
  readonly marks: readonly Mark[];
}): ReactNode {
  switch (block.kind) {
    case 'code':
      return (
        <pre className="code">
          {block.info.end > block.info.start && (
            <span className="code-info">
              <Runs text={text} from={block.info.start} to={block.info.end} marks={marks} />
            </span>
          )}
          <Runs text={text} from={block.start} to={block.end} marks={marks} />
        </pre>
      );
    case 'rule':
      return <hr className="md-rule" />;
    case 'heading':
      return (
        <p className={`md-heading md-h${Math.min(3, block.level)}`}>
          <Inlines inlines={block.inlines} text={text} marks={marks} />
        </p>
      );
    case 'quote':
      return (
        <blockquote className="md-quote">
          <Inlines inlines={block.inlines} text={text} marks={marks} />
        </blockquote>
      );
    case 'list':
      return (
        <ul className="md-list">
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items are derived from the text and have no identity of their own
            <li key={index} style={{ marginLeft: item.indent * 16 }}>
              <span className="md-bullet">{bullet(item.bullet)}</span>
              <span>
                <Inlines inlines={item.inlines} text={text} marks={marks} />
              </span>
            </li>
          ))}
        </ul>
      );
    case 'paragraph':
      return (
        <p className="md-paragraph">
          <Inlines inlines={block.inlines} text={text} marks={marks} />
        </p>
      );
  }
}

function bullet(written: string): string {
  if (written === '[ ]') return '☐';
  if (/^\[[xX]\]$/.test(written)) return '☑';
  return /^\d/.test(written) ? written : '•';
}

function Inlines(props: {
  readonly inlines: readonly Inline[];
  readonly text: string;
  readonly marks: readonly Mark[];
}): ReactNode {
  return props.inlines.map((inline) => (
    <InlineView key={inline.start} style={inline.style}>
      <Runs text={props.text} from={inline.start} to={inline.end} marks={props.marks} />
    </InlineView>
  ));
}

function InlineView({ style, children }: { readonly style: Inline['style']; readonly children: ReactNode }): ReactNode {
  switch (style) {
    case 'text':
      return children;
    case 'code':
      return <code>{children}</code>;
    case 'strong':
      return <strong>{children}</strong>;
    case 'em':
      return <em>{children}</em>;
    case 'strike':
      return <s>{children}</s>;
  }
}
