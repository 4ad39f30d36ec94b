/** Tries what a quick connection would be, before anything of it is stored. */
import type { TestEvent } from '@atrium/contract/connections'
import type { Platform } from '../../../platform/platform.ts'
import type { Outbound } from '../../../platform/outbound/types.ts'
import { hostAndPort } from '../../../platform/outbound/destination.ts'
import { createRunner } from '../../../providers/runner.ts'
import { resolveConnectionEndpoint } from '../calls/endpoint.ts'
import { toUsableModel } from '../calls/resolve.ts'
import { quickDefinition } from '../definitions/quick-definition.ts'
import { routeOf } from '../definitions/routing.ts'
import type { AccountConnection } from '../types.ts'
import { withScheme } from './probe.ts'
import { checkDefinition, isRefused, type QuickDeps, type QuickInput, readUrl, requireKey } from './quick.ts'
import { smallChatModel, tryConnection } from './trial.ts'

type QuickTrialDeps = Pick<QuickDeps, 'outbound' | 'openGate'> & Pick<Platform, 'clock'>

/**
 * The steps of a test, of an address with its key. Refuses as connecting would: `validation_failed` for what is no
 * address or key, `url_not_allowed` for a private address that is not to be allowed.
 */
export async function tryQuickly(
  deps: QuickTrialDeps,
  accountId: string,
  input: Omit<QuickInput, 'name'>,
  signal: AbortSignal,
): Promise<AsyncIterable<TestEvent>> {
  const url = readUrl(withScheme(input.url))
  requireKey(input.apiKey)
  const key = input.apiKey ?? null
  const connectionTo = (models: readonly string[]): AccountConnection => asStored(url, key, models)
  const connection = connectionTo(input.models ?? ['x'])
  const widen = input.allowPrivate === true && (await isRefused(deps.outbound, url))
  const gate = widen ? deps.openGate([hostAndPort(url)]) : deps.outbound
  const close = async (): Promise<void> => (widen ? await gate.close() : undefined)
  try {
    await gate.check(url)
  } catch (error) {
    await close()
    throw error
  }
  const steps = tryConnection(trialDeps(deps, gate, accountId, connectionTo, input), connection, undefined, signal)
  return closing(steps, close)
}

const trialDeps = (
  { clock }: Pick<Platform, 'clock'>,
  outbound: Outbound,
  accountId: string,
  connectionTo: (models: readonly string[]) => AccountConnection,
  { models = [] }: Pick<QuickInput, 'models'>,
): Parameters<typeof tryConnection>[0] => {
  const endpointDeps = { outbound, clock, environmentKey: () => undefined }
  // No meter: there is no connection yet that the tokens could be counted for.
  const calls = { outbound, runner: createRunner({ outbound, clock }), signIn: undefined }
  return {
    ...endpointDeps,
    chooseModel: (listed) => smallChatModel(listed) ?? models[0] ?? null,
    async resolve(model) {
      const found = await resolveConnectionEndpoint(endpointDeps, connectionTo([model]), model)
      return 'unavailable' in found ? found : toUsableModel({ ...calls, admit: async (call) => call }, accountId, found)
    },
  }
}

/** The connection as an account would have it. */
const asStored = (url: string, key: string | null, models: readonly string[]): AccountConnection => {
  const definition = checkDefinition(quickDefinition('New', url, key !== null, models))
  const route = routeOf(definition, {}, null)
  const nothing = { bundled: null, values: {}, fingerprint: '', createdAt: null, updatedAt: null }
  const unused = { shared: false, excluded: false, sharedKey: null, keyElsewhere: false, values: {}, catalogue: null }
  return { installed: { ...nothing, definition, source: 'installed', route }, own: { ...unused, activatedAt: 0, key } }
}

async function* closing<T>(items: AsyncIterable<T>, close: () => Promise<void>): AsyncIterable<T> {
  try {
    yield* items
  } finally {
    await close()
  }
}
