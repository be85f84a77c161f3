// Which texts of the starter pack earlier releases shipped, so that a workspace that never changed its pack can move on to the newest.

import { createHash } from 'node:crypto';

/** SHA-256 of the starter pack's text, release by release. Add the old one here whenever the pack's version goes up. */
const earlier: ReadonlySet<string> = new Set([
  '5c2227f55df00cf358e7045ec57dc8677a294119836b37a9f9a2d68bfc11a0dc',
  '3ba90def30a32b58db9bf72591c3699bfabaadb3ba1f9a335ef21fd4a6f9989f',
  '73bb5a4d66059e7620eeb166941152e5f68e570c2cb34a05240f9b12e54d5070',
  'e97e42dc90fe1353f36b763ae58b8c53a34f215ca52a4f63d4b273df1741dc7d',
  '0d4944b5c6b774d808909a7feea6a0d346d4bb8dec462b95af5acffd79fc45cd',
  '78fed00849d32957c1c773dca714827c5a8095811432ce5db4d69d3680a3f357',
  '5bdf7056792c4fbbf55f957995908c3f5d73c14941425c4b7d7dc288fcc1df4a',
  '148f7c20695cc791a1d4e5486cb155c871d4cc42725184daaeebd2250a80d570',
]);

/** Whether a pack's text is one that an earlier release shipped, to the letter. */
export function isEarlierStarter(yaml: string): boolean {
  return earlier.has(createHash('sha256').update(yaml).digest('hex'));
}
