/** Calls a route of the contract, with its types and nothing generated. */
import { toRequest } from '@atrium/contract/request'
import type { Answer, Call, Route } from '@atrium/contract/route'
import { holdFirstView } from '../lib/first-view.ts'
import { takeEarly } from './early.ts'
import { Problem, problemOf } from './errors.ts'

export interface CallOptions {
  signal?: AbortSignal
  /** Lets the call outlive the page, where its body is small: for drafts and preferences that are saved while it closes. */
  keepalive?: boolean
  /** Answers a lost session with the problem at once instead of asking to sign in again. */
  asGuest?: boolean
}

/**
 * Calls a route: `call(chat.read, { params: { sessionId } })`. Gives what the route returns (a `Blob` for bytes).
 * Throws `Problem`, or the abort of `signal`. When the session has ended it waits until the person has signed in again
 * over the page, and when a fresh proof is needed until they have shown again who they are; then it repeats the call,
 * so that nothing typed is lost.
 */
export async function call<R extends Route>(route: R, ...rest: CallArguments<R>): Promise<Answer<R>> {
  const [input, options = {}] = rest
  let response: Response
  try {
    response = await send(route, (input ?? {}) as Call<R>, options)
  } catch (error) {
    if (route.method === 'get' && error instanceof Problem && error.status === 404)
      take(route.path, input ?? {}, undefined)
    const kept = navigator.onLine || route.method !== 'get' ? undefined : await readKept(route.path, input ?? {})
    if (kept === undefined) throw error
    return kept as Answer<R>
  }
  const isBytes = (route as { bytes?: boolean }).bytes ?? route.returns === 'bytes'
  try {
    const answer = (isBytes ? await response.blob() : await response.json()) as Answer<R>
    if (!isBytes && route.method === 'get') take(route.path, input ?? {}, answer)
    return answer
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new Problem(error instanceof SyntaxError ? 'bad_answer' : 'offline', '')
  }
}

/** Answers from before anybody keeps them. */
let early: Parameters<TakeAnswer>[] | null = []
let takeAnswer: TakeAnswer | null = null
type TakeAnswer = (path: string, input: object, answer: unknown) => void

function take(...given: Parameters<TakeAnswer>): void {
  if (takeAnswer) takeAnswer(...given)
  else if (early && early.length < 40) early.push(given)
}

/** Says who keeps answers for reading without a network, `undefined` where there is none any more; null: nobody does. */
export function onAnswer(keep: TakeAnswer | null): void {
  takeAnswer = keep
  for (const given of early ?? []) keep?.(...given)
  early = null
}

let readKept: (path: string, input: object) => Promise<unknown> = async () => undefined

/** And here what was kept of an answer is read; undefined where nothing was. */
export function onOffline(read: typeof readKept): void {
  readKept = read
}

/** What `call` takes after the route; the input may be left out where nothing in it is needed. */
export type CallArguments<R extends Route> =
  Record<string, never> extends Call<R>
    ? [input?: Call<R>, options?: CallOptions]
    : [input: Call<R>, options?: CallOptions]

export interface SendOptions extends CallOptions {
  headers?: Record<string, string>
  /** The body, for routes that take a form. */
  form?: FormData
}

/** Sends the request of a route and gives the successful response, whatever its body. */
export async function send<R extends Route>(route: R, input: Call<R>, options: SendOptions = {}): Promise<Response> {
  const request = toRequest(route, input)
  const headers = { ...request.headers, ...options.headers }
  // A form names its own parts.
  if (options.form) delete headers['content-type']
  let isProved = false
  for (;;) {
    const response = await fetchOrProblem(request.path, {
      method: request.method,
      headers,
      body: options.form ?? request.body,
      signal: options.signal,
      keepalive: options.keepalive && isSmall(request.body),
      credentials: 'same-origin',
      redirect: 'error',
    })
    if (response.ok) return response
    const problem = await problemOf(response)
    if (problem.code === 'fresh_proof_needed' && !isProved) {
      if (!(await prove(options.signal))) throw problem
      isProved = true
      continue
    }
    if (problem.code !== 'unauthenticated' || options.asGuest || !(await signInAgain(options.signal))) throw problem
  }
}

/** Browsers refuse requests that outlive their pages beyond 64 KiB of all together; a letter takes three bytes at most. */
const isSmall = (body: unknown): boolean => typeof body !== 'string' || body.length < 15_000

async function fetchOrProblem(path: string, init: RequestInit & { method: string }): Promise<Response> {
  const release = holdFirstView()
  try {
    return await (takeEarly(path, init.method) ?? fetch(path, init))
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new Problem('offline', '')
  } finally {
    release()
  }
}

let signInAgain: (signal?: AbortSignal) => Promise<boolean> = async () => false

/** The app says here how a lost session is regained; the promise tells whether it was. */
export function onSessionLost(handler: typeof signInAgain): void {
  signInAgain = handler
}

let prove: typeof signInAgain = async () => false

/** And here how somebody shows again who they are. */
export function onProofNeeded(handler: typeof prove): void {
  prove = handler
}
