/** The tests' client: the contract's routes with full types, over real HTTP. */
import type { Problem } from '@atrium/contract/common'
import type { Answer, Call, EventOf, Route } from '@atrium/contract/route'
import { eventStream, toRequest } from '@atrium/contract/request'
import { createParser } from 'eventsource-parser'

/** An answer that is a problem. */
export class ClientProblem extends Error {
  readonly status: number
  readonly problem: Problem
  readonly headers: Headers
  constructor(problem: Problem, headers: Headers) {
    super(`${problem.status} ${problem.code}: ${problem.detail}${faults(problem)}`)
    this.status = problem.status
    this.problem = problem
    this.headers = headers
  }
}

export interface ClientFrame<E> {
  /** 0 for an event that has no place in the log, such as an error of the stream itself. */
  readonly seq: number
  readonly event: E
}

export interface Client {
  readonly baseUrl: string
  readonly token: string | undefined
  /** Calls a route; throws ClientProblem for anything but success. */
  call<R extends Route>(route: R, call: Call<R>, init?: RequestInit): Promise<Answer<R>>
  /** Calls a route and gives the bare response. */
  answer<R extends Route>(route: R, call: Call<R>, init?: RequestInit): Promise<Response>
  /** Any request at all, with the token if there is one. */
  raw(path: string, init?: RequestInit): Promise<Response>
  /** Follows a stream to its end, or until the loop is left. */
  follow<R extends Route>(route: R, call: Call<R>, options?: FollowOptions): AsyncGenerator<ClientFrame<EventOf<R>>>
  /** The code and status a call is refused with; throws when it succeeds. */
  refusal<R extends Route>(route: R, call: Call<R>): Promise<{ status: number; code: string; problem: Problem }>
  as(token: string | undefined): Client
}

export interface FollowOptions {
  readonly after?: number
  readonly signal?: AbortSignal
}

export const createClient = (baseUrl: string, token?: string): Client => {
  const raw = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (token && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`)
    return fetch(new URL(path, baseUrl), { ...init, headers })
  }
  const answer: Client['answer'] = (route, call, init = {}) => {
    const { path, headers, ...request } = toRequest(route, call)
    const all = new Headers(init.headers)
    for (const [name, value] of Object.entries(headers)) if (!all.has(name)) all.set(name, value)
    return raw(path, { ...init, ...request, headers: all })
  }
  const call: Client['call'] = async (route, input, init) => {
    const response = await answer(route, input, init)
    if (!response.ok) throw await problemOf(response)
    // The server checked the answer against the same schema.
    return (route.returns === 'bytes' ? await response.blob() : await response.json()) as never
  }
  return {
    baseUrl,
    token,
    raw,
    answer,
    call,
    async refusal(route, input) {
      const response = await answer(route, input)
      if (response.ok) throw new Error(`${route.method} ${route.path} was not refused`)
      const { problem, status } = await problemOf(response)
      return { status, code: problem.code, problem }
    },
    async *follow(route, input, { after, signal } = {}) {
      const leave = new AbortController()
      const init: RequestInit = {
        signal: signal ? AbortSignal.any([signal, leave.signal]) : leave.signal,
        headers: { accept: eventStream, ...(after === undefined ? {} : { 'last-event-id': String(after) }) },
      }
      try {
        const response = await answer(route, input, init)
        if (!response.ok) throw await problemOf(response)
        for await (const frame of readFrames(response)) yield frame as never
      } catch (error) {
        if (!signal?.aborted) throw error
      } finally {
        leave.abort()
      }
    },
    as: (other) => createClient(baseUrl, other),
  }
}

/** The frames of an event stream; data is parsed, comments are left out. */
export async function* readFrames(response: Response): AsyncGenerator<ClientFrame<{ type: string; data: unknown }>> {
  let ready: ClientFrame<{ type: string; data: unknown }>[] = []
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      ready.push({ seq: Number(id ?? 0), event: { type: event ?? 'message', data: JSON.parse(data) } }),
  })
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    const frames = ready
    ready = []
    yield* frames
  }
}

const problemOf = async (response: Response): Promise<ClientProblem> => {
  const text = await response.text()
  if (!response.headers.get('content-type')?.startsWith('application/problem+json'))
    throw new Error(`expected a problem, got ${response.status} ${text.slice(0, 500)}`)
  return new ClientProblem(JSON.parse(text) as Problem, response.headers)
}

const faults = (problem: Problem): string =>
  problem.errors ? ` (${problem.errors.map(({ path, message }) => `${path}: ${message}`).join('; ')})` : ''
