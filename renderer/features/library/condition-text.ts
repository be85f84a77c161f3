// A condition of the filter in a person's words, for its chip. Pure.

import type { Clause, Condition, Filter, FilterOp } from '../../../app/contract/index.ts';
import { columnInfo } from './column-info.ts';

/** Operators in words, for the menu. */
export const operatorWords: Record<FilterOp, string> = {
  '=': 'is',
  '!=': 'is not',
  '<': 'less than',
  '<=': 'at most',
  '>': 'more than',
  '>=': 'at least',
  '~': 'contains',
  '!~': 'does not contain',
  none: 'has none',
  some: 'has one',
};

const signs: Record<FilterOp, string> = {
  '=': '',
  '!=': 'not ',
  '<': '< ',
  '<=': '≤ ',
  '>': '> ',
  '>=': '≥ ',
  '~': 'contains ',
  '!~': 'without ',
  none: 'none',
  some: 'any',
};

/** Operators that make sense for a type of column, the usual one first. */
export const operatorsOf: Record<'text' | 'number' | 'choice' | 'flag', readonly FilterOp[]> = {
  text: ['~', '!~', '=', '!=', 'some', 'none'],
  number: ['>=', '<=', '>', '<', '=', '!=', 'some', 'none'],
  choice: ['=', '!=', '~', '!~', 'some', 'none'],
  flag: ['='],
};

/** Title and value of the chip: `segments` and `≥ 3`; for alternatives all of it is the value. */
export function clauseText(clause: Clause): { readonly title: string; readonly value: string } {
  return 'any' in clause
    ? { title: '', value: clause.any.map((option) => filterText(option)).join(' or ') }
    : conditionText(clause);
}

/** A filter within a chip, in words. */
function filterText(where: Filter): string {
  return where
    .map((clause) => {
      const { title, value } = clauseText(clause);
      return 'any' in clause ? `(${value})` : `${title.toLowerCase()} ${value}`;
    })
    .join(' and ');
}

function conditionText(condition: Condition): { readonly title: string; readonly value: string } {
  const title = columnInfo[condition.column].title;
  if (columnInfo[condition.column].type === 'flag') {
    const yes = (condition.value === true) === (condition.op === '=');
    return { title, value: yes ? 'yes' : 'no' };
  }
  const value = condition.op === 'none' || condition.op === 'some' ? '' : String(condition.value);
  return { title, value: `${signs[condition.op]}${value}` };
}
