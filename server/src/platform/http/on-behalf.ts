/** An account that acts where no request came: through a tool. */
import type { AuthorisedResource, Caller, Context } from './area.ts'
import { StaticFile } from './static-file.ts'

/** With the rights of every account, and none of an administrator’s: no support access opens anything to it. */
export const callerOf = (accountId: string): Caller => ({
  accountId,
  sessionId: '',
  role: 'user',
  via: 'cookie',
  token: null,
})

/** For whom a handler is called; `resource` is what was authorised for it. */
export interface Behalf<T> {
  readonly accountId: string
  readonly signal: AbortSignal
  readonly resource: T
}

/** Has the handler of a route answer for an account, with input as the route’s schemas give it; for routes of JSON. */
export const callFor = async <I, T extends AuthorisedResource | null, O>(
  { accountId, signal, resource }: Behalf<T>,
  handler: (input: I, context: Context<Caller, T>) => Promise<O | StaticFile>,
  input: Partial<I>,
): Promise<O> => {
  const answer = await handler(input as I, {
    caller: callerOf(accountId),
    provisioner: null,
    resource,
    requestId: '',
    address: '',
    userAgent: null,
    origin: '',
    signal,
    header: () => null,
    cookie: () => null,
    streams: false,
    after: 0,
    answerStatus: () => undefined,
    auditedHere: () => undefined,
    setCookie: () => undefined,
  })
  if (answer instanceof StaticFile) throw new Error('A route of JSON answered with a file.')
  return answer
}
