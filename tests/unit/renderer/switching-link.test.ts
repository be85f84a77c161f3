// Calls wait for a transport, follow the newest one, and can be given up.

import { describe, expect, it } from 'vitest';
import { createSwitchingLink, type RpcLink } from '../../../renderer/switching-link.ts';

const answering = (answer: string): RpcLink => ({ call: () => Promise.resolve(answer) });
const call = (link: RpcLink, signal?: AbortSignal) =>
  link.call(['x'], undefined, { context: {}, ...(signal === undefined ? {} : { signal }) });

describe('the switching link', () => {
  it('answers calls that were made before there was a transport', async () => {
    const switching = createSwitchingLink();
    const early = [call(switching.link), call(switching.link)];
    switching.set(answering('first'));
    expect(await Promise.all(early)).toEqual(['first', 'first']);
  });

  it('sends later calls to the newest transport', async () => {
    const switching = createSwitchingLink();
    switching.set(answering('first'));
    expect(await call(switching.link)).toBe('first');
    switching.set(null);
    const waiting = call(switching.link);
    switching.set(answering('second'));
    expect(await waiting).toBe('second');
  });

  it('lets a waiting call be aborted without touching the others', async () => {
    const switching = createSwitchingLink();
    const stop = new AbortController();
    const aborted = call(switching.link, stop.signal);
    const kept = call(switching.link);
    stop.abort(new Error('no longer wanted'));
    await expect(aborted).rejects.toThrow('no longer wanted');
    switching.set(answering('late'));
    expect(await kept).toBe('late');
    await expect(call(switching.link, AbortSignal.abort(new Error('too late')))).resolves.toBe('late');
  });

  it('rejects everything once it was given up, until a transport comes after all', async () => {
    const switching = createSwitchingLink();
    const waiting = call(switching.link);
    switching.fail(new Error('token refused'));
    await expect(waiting).rejects.toThrow('token refused');
    await expect(call(switching.link)).rejects.toThrow('token refused');
    switching.set(answering('again'));
    expect(await call(switching.link)).toBe('again');
  });
});
