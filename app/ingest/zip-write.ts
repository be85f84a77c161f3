// Writes a zip archive member by member, stored without compression, as numpy does for npz. Zip64 is left out: a member or an
// archive of 4 GiB is refused.

import { crc32 } from 'node:zlib';
import { Refusal } from '../shared/errors.ts';

const mostBytes = 0xffff_ffff;
const mostMembers = 0xffff;
/** The first moment that the format can name; archives of equal content are equal bytes. */
const dosDate = 0x21;
/** Names are UTF-8. */
const utf8Flag = 0x800;

interface Member {
  readonly name: Buffer;
  readonly crc: number;
  readonly size: number;
  readonly offset: number;
}

/** Gives the bytes of an archive piece by piece: write them one after the other. */
export class ZipWriter {
  readonly #members: Member[] = [];
  #offset = 0;

  /** The bytes of one more member. Throws Refusal('zip-too-large') beyond what a plain zip can hold. */
  add(name: string, data: Uint8Array): Uint8Array {
    const member = { name: Buffer.from(name, 'utf8'), crc: crc32(data), size: data.length, offset: this.#offset };
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    writeCommon(head, 4, member);
    this.#offset += head.length + member.name.length + data.length;
    if (this.#offset > mostBytes || this.#members.length >= mostMembers) {
      throw new Refusal(
        'zip-too-large',
        'The archive would pass 4 GiB or 65,535 arrays, more than a plain zip can hold.',
        'Choose --format parquet, or fewer rollouts with --where.',
      );
    }
    this.#members.push(member);
    return Buffer.concat([head, member.name, data]);
  }

  /** The central directory. */
  end(): Uint8Array {
    const entries = this.#members.map((member) => {
      const head = Buffer.alloc(46);
      head.writeUInt32LE(0x02014b50, 0);
      head.writeUInt16LE(20, 4);
      writeCommon(head, 6, member);
      head.writeUInt32LE(member.offset, 42);
      return Buffer.concat([head, member.name]);
    });
    const directory = Buffer.concat(entries);
    const tail = Buffer.alloc(22);
    tail.writeUInt32LE(0x06054b50, 0);
    tail.writeUInt16LE(entries.length, 8);
    tail.writeUInt16LE(entries.length, 10);
    tail.writeUInt32LE(directory.length, 12);
    tail.writeUInt32LE(this.#offset, 16);
    return Buffer.concat([directory, tail]);
  }
}

/** The fields that a member has in both of its headers, from `at` on. */
function writeCommon(head: Buffer, at: number, { name, crc, size }: Member): void {
  head.writeUInt16LE(20, at);
  head.writeUInt16LE(utf8Flag, at + 2);
  head.writeUInt16LE(0, at + 4);
  head.writeUInt16LE(0, at + 6);
  head.writeUInt16LE(dosDate, at + 8);
  head.writeUInt32LE(crc, at + 10);
  head.writeUInt32LE(size, at + 14);
  head.writeUInt32LE(size, at + 18);
  head.writeUInt16LE(name.length, at + 22);
}
