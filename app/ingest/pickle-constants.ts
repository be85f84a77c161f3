// The opcodes of a pickle that stand for one value: numbers, texts, bytes, None and the booleans. They fill most of a dump.

import { decimalFloat, decimalInteger, type PickleCursor, quotedString, rawUnicode } from './pickle-cursor.ts';
import type { PickleValue } from './pickle-values.ts';

/** The value of a constant's opcode, read from the cursor; undefined for any other opcode. Throws PickleShapeError. */
export function readConstant(opcode: number, cursor: PickleCursor): PickleValue | undefined {
  switch (opcode) {
    case 0x4b: // BININT1
      return cursor.u1();
    case 0x4d: // BININT2
      return cursor.u2();
    case 0x4a: // BININT
      return cursor.i4();
    case 0x47: // BINFLOAT
      return cursor.f8();
    case 0x4e: // NONE
      return null;
    case 0x88: // NEWTRUE
      return true;
    case 0x89: // NEWFALSE
      return false;
    case 0x8a: // LONG1
      return cursor.integer(cursor.u1());
    case 0x8b: // LONG4
      return cursor.integer(cursor.i4());
    case 0x58: // BINUNICODE
      return cursor.utf8(cursor.u4());
    case 0x8c: // SHORT_BINUNICODE
      return cursor.utf8(cursor.u1());
    case 0x8d: // BINUNICODE8
      return cursor.utf8(cursor.u8());
    case 0x42: // BINBYTES
      return cursor.bytes(cursor.u4());
    case 0x43: // SHORT_BINBYTES
      return cursor.bytes(cursor.u1());
    case 0x8e: // BINBYTES8
    case 0x96: // BYTEARRAY8
      return cursor.bytes(cursor.u8());
    case 0x54: // BINSTRING
      return cursor.latin1(cursor.i4());
    case 0x55: // SHORT_BINSTRING
      return cursor.latin1(cursor.u1());
    case 0x49: // INT
      return protocol0Integer(cursor.line());
    case 0x4c: // LONG
      return decimalInteger(cursor.line());
    case 0x46: // FLOAT
      return decimalFloat(cursor.line());
    case 0x53: // STRING
      return quotedString(cursor.line().trimEnd());
    case 0x56: // UNICODE
      return rawUnicode(cursor.line());
    default:
      return undefined;
  }
}

/** INT of protocol 0, where `00` and `01` are the booleans. */
function protocol0Integer(line: string): number | bigint | boolean {
  if (line === '00') return false;
  if (line === '01') return true;
  return decimalInteger(line);
}
