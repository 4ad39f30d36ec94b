/** Writes an answer frame by frame, and goes wrong exactly as told. */
import type { ServerResponse } from 'node:http'
import { sleep } from './pace.ts'
import type { Control, FaultKind } from './state.ts'

/** One frame of a stream, already in its framing. `token` frames are paced and counted. */
export interface Frame {
  readonly text: string | Uint8Array
  readonly token: boolean
}

export interface Framing {
  readonly contentType: string
  /** A whole frame that says the provider failed. */
  readonly error: string | Uint8Array
  /** A frame that is not what it should be, with its end. */
  readonly broken: string | Uint8Array
  /** A frame that begins and does not end. */
  readonly half: string | Uint8Array
  /** Before and after bytes that are no UTF-8, so that the frame around them is sound. */
  readonly around: readonly [string, string] | ((middle: Buffer) => Uint8Array)
}

export async function writeFrames(
  res: ServerResponse,
  frames: Iterable<Frame>,
  how: { framing: Framing; fault: FaultKind | null; control: Control; msPerToken: number | null },
): Promise<void> {
  const { framing, fault, control } = how
  res.writeHead(200, { 'content-type': fault === 'wrong-type' ? 'text/html; charset=utf-8' : framing.contentType })
  res.flushHeaders()
  if (fault === 'wrong-type') return void res.end('<!doctype html><title>A portal</title><p>Please sign in.</p>')
  if (fault === 'huge') {
    const begin = typeof framing.broken === 'string' ? framing.broken.slice(0, 6) : ''
    return flood(res, 1024 ** 3, `${begin}${'x'.repeat(65_000)}\n\n`)
  }
  if (fault === 'endless-line') return flood(res, 1024 ** 3, 'x'.repeat(65_536))
  let tokens = 0
  if (control.firstTokenMs > 0) await sleep(control.firstTokenMs)
  for (const frame of frames) {
    const msPerToken = how.msPerToken ?? control.msPerToken
    if (res.destroyed) return
    if (frame.token) {
      if (tokens > 0 && msPerToken > 0) await sleep(msPerToken)
      while (control.holdAfter !== null && tokens >= control.holdAfter && !res.destroyed) await sleep(20)
      if (tokens === control.after && fault && (await strike(res, fault, framing))) return
      tokens += 1
    }
    if (fault === 'chop') await chop(res, frame.text)
    else if (!res.write(frame.text) && msPerToken === 0) await drained(res)
  }
  if (fault && tokens <= control.after && (await strike(res, fault, framing))) return
  res.end()
}

/** Does the wrong thing; true when nothing may follow it. */
async function strike(res: ServerResponse, fault: FaultKind, framing: Framing): Promise<boolean> {
  switch (fault) {
    case 'stall':
      await new Promise((gone) => res.once('close', gone))
      return true
    case 'reset':
      await flushed(res)
      res.socket?.resetAndDestroy()
      return true
    case 'close':
      res.end()
      return true
    case 'half-json':
      res.end(framing.half)
      return true
    case 'bad-frame':
      res.write(framing.broken)
      return false
    case 'error-mid':
      res.end(framing.error)
      return true
    case 'invalid-utf8':
      res.write(around(framing, Buffer.from([0xff, 0xc3, 0x28])))
      return false
    default:
      return false
  }
}

function around({ around: put }: Framing, middle: Buffer): Uint8Array {
  if (typeof put === 'function') return put(middle)
  return Buffer.concat([Buffer.from(put[0]), middle, Buffer.from(put[1])])
}

/** Sends a few bytes at a time, so that frames and characters are cut by the network. */
async function chop(res: ServerResponse, text: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 5) {
    res.write(bytes.subarray(at, at + 5))
    await new Promise(setImmediate)
  }
}

async function flood(res: ServerResponse, total: number, piece: string): Promise<void> {
  for (let sent = 0; sent < total && !res.destroyed; sent += piece.length) {
    if (!res.write(piece)) await drained(res)
  }
  res.end()
}

/** Resolves when there is room again, or nobody listens any more. */
export const drained = (res: ServerResponse): Promise<void> =>
  new Promise((go) => {
    const done = () => {
      res.off('drain', done).off('close', done)
      go()
    }
    res.once('drain', done).once('close', done)
  })

/**
 * Resolves when what was written should have been read: a reset takes away what was not. A reader in this process had its
 * turn by then, however long the process stood still.
 */
export const flushed = async (res: ServerResponse): Promise<void> => {
  await new Promise<void>((go) => res.write('', () => setTimeout(go, 50)))
  for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate)
}

/** Answers in place of the operation, where the fault is one of the whole call; true when it did. */
export async function refuse(res: ServerResponse, fault: FaultKind | null, say: Refusals): Promise<boolean> {
  if (fault === 'stall-headers') {
    await new Promise((gone) => res.once('close', gone))
    return true
  }
  if (fault === 'redirect') {
    res.writeHead(307, { location: '/elsewhere' }).end()
    return true
  }
  if (fault === 'error-200') {
    json(res, 200, say('The model is resting.', 'server_error', null))
    return true
  }
  if (fault === 'context') {
    json(
      res,
      400,
      say("This model's maximum context length is 8192 tokens.", 'invalid_request_error', 'context_length_exceeded'),
    )
    return true
  }
  const status = fault?.startsWith('status-') ? Number(fault.slice(7)) : null
  if (status === null) return false
  if (status === 429) res.setHeader('retry-after', '7')
  json(res, status, say(`Something secret about ${status} sk-leaked-in-body`, 'error', null, status))
  return true
}

/** The shape of an error in the wire's own words. */
export type Refusals = (message: string, type: string, code: string | null, status?: number) => unknown

export function json(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
}
