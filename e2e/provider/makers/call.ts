/** What the makers of media have in common: one call as it arrived, and who is turned away. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Form } from '../operations.ts'
import { faultFor, type State } from '../state.ts'
import { json, refuse, type Refusals } from '../writing.ts'

export interface MakerCall {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** JSON, or a form; null for everything else. */
  readonly body: unknown
}

/** Answers when the call is one of this maker's; false otherwise. */
export type Maker = (state: State, call: MakerCall, res: ServerResponse) => Promise<void | false> | void | false

interface Visitor {
  /** The key that was shown, in the words of this maker. */
  readonly shown: string | undefined
  readonly model?: string
  readonly problem: Refusals
}

/** Answers in place of the maker where the key is not the one, or a fault was ordered; true when it did. */
export async function turnedAway(state: State, res: ServerResponse, { shown, model, problem }: Visitor) {
  const { apiKey } = state.control
  if (apiKey !== null && shown !== apiKey) {
    json(res, 401, problem('This key is not known.', 'authentication_error', 'invalid_api_key', 401))
    return true
  }
  return await refuse(res, faultFor(state, model ?? null), problem)
}

/** What follows `prefix` in the Authorization header. */
export const keyAfter = (prefix: string, { authorization }: IncomingHttpHeaders): string | undefined =>
  authorization?.startsWith(prefix) ? authorization.slice(prefix.length) : undefined

export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** null where the body was no form. */
export const formOf = ({ body }: MakerCall): Form | null =>
  typeof body === 'object' && body !== null && 'fields' in body ? (body as Form) : null

/** Where this server itself is. */
export const rootOf = ({ headers }: MakerCall): string => `http://${headers.host}`

/** Where what was made lies: with many makers on a host of its own, which knows no key. */
export const fileAddress = (state: State, call: MakerCall, name: string): string =>
  `${state.control.filesAt ?? rootOf(call)}/files/${name}`

export function sendBytes(res: ServerResponse, type: string, bytes: Buffer): void {
  res.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
}
