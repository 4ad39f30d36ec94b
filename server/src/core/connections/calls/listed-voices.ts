/**
 * The voices of speech models whose definition names where its provider lists them (`voices_endpoint`): asked with the key
 * of the account, whose own voices are among them, and kept in memory for a while. A list that does not come is none:
 * the model still speaks with its default voice, and with any that is named.
 */
import { hash } from 'node:crypto'
import { createCache } from '../../../platform/cache/cache.ts'
import { Refusal } from '../../../platform/http/refusal.ts'
import { makeHarmless } from '../../../providers/harmless-text.ts'
import { askWhole } from '../../../providers/operations/ask.ts'
import { textIn } from '../../../providers/operations/index.ts'
import { asArray, asObject, asText } from '../../../providers/wires/json.ts'
import { keyFor, keyHeaders } from '../keys.ts'
import type { AccountConnection } from '../types.ts'
import { type CapabilityModel, capabilityUrl, originsOf } from './capability-offers.ts'
import { checkAddress, type EndpointDeps } from './endpoint.ts'

/** What a provider asks a voice by, under what people call it. */
type Voices = ReadonlyMap<string, string>

type VoicesDeps = Pick<EndpointDeps, 'outbound' | 'clock' | 'environmentKey'>

const keptMs = 10 * 60_000
/** Whoever lists models waits for this long, once. */
const timeoutMs = 4000
const mostLists = 500
const mostVoices = 300

/** Gives a speech model with the voices that its provider lists, if it lists any. */
export type AddVoices = (
  accountId: string,
  connection: AccountConnection,
  about: CapabilityModel,
) => Promise<CapabilityModel>

export const createListedVoices = (deps: VoicesDeps): AddVoices => {
  const lists = createCache<Voices>({ max: mostLists, ttl: { ms: keptMs, clock: deps.clock } })
  return async (accountId, connection, about) => {
    const named = textIn(about.config, 'voices_endpoint')
    const address = named && addressOf(named, capabilityUrl(connection, 'tts', about.model))
    if (!address) return about
    const key = keyFor(connection, deps.environmentKey)?.value ?? null
    const digest = hash('sha256', JSON.stringify([accountId, about.providerId, address, key]))
    const voices = await lists.load(digest, () => askForVoices(deps, connection, address, key))
    if (voices.size === 0) return about
    return {
      ...about,
      config: { ...about.config, voices: [...voices.keys()], voice_ids: Object.fromEntries(voices) },
    }
  }
}

/** Where it is named in full, else on the server of the speech itself, wherever that was moved to. */
const addressOf = (named: string, speech: string | null): string | undefined =>
  URL.parse(named, speech ?? undefined)?.href

async function askForVoices(
  deps: VoicesDeps,
  connection: AccountConnection,
  address: string,
  key: string | null,
): Promise<Voices> {
  const url = await checkAddress(deps, address)
  if (url instanceof Refusal) return new Map()
  const access = {
    outbound: deps.outbound,
    url,
    origins: originsOf(connection),
    headers: keyHeaders(connection.installed.definition, key),
    hasKey: key !== null,
    signal: AbortSignal.timeout(timeoutMs),
  }
  try {
    return voicesIn((await askWhole(access, {}, { timeoutMs, maxBytes: 4 * 1024 * 1024, maxMembers: 100_000 })).json)
  } catch {
    // Best effort: it speaks without a list as well.
    return new Map()
  }
}

/** `{ voices: [{ voice_id, name }] }` as ElevenLabs has it; names alone, or `id`, as the common servers have it. */
export function voicesIn(json: unknown): Voices {
  const listed = Array.isArray(json) ? json : asArray(asObject(json)?.['voices'])
  const voices = new Map<string, string>()
  for (const entry of listed.slice(0, mostVoices)) {
    const voice = asObject(entry)
    const id = asText(entry) || asText(voice?.['voice_id']) || asText(voice?.['id']) || asText(voice?.['name'])
    const name = makeHarmless(asText(voice?.['name'])).trim() || id
    if (id === '' || id.length > 200 || name.length > 200) continue
    // Two of one name are told apart by what the provider calls them.
    voices.set(voices.has(name) ? id : name, id)
  }
  return voices
}

/** A wish for a voice by its name, as its provider knows it. */
export function withVoiceId<A extends object>(ask: A, config: CapabilityModel['config']): A {
  const ids = asObject(config['voice_ids'])
  const voice = 'voice' in ask && typeof ask.voice === 'string' ? ask.voice : null
  if (ids === null || voice === null || !Object.hasOwn(ids, voice)) return ask
  return { ...ask, voice: asText(ids[voice]) }
}
