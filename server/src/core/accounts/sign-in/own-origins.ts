/**
 * Which addresses are this instance's own: where BASE_URL is not set, a request says where it was sent to, and whoever
 * sends it can say anything. Loopback and the addresses of this machine are its own, and every place at which an
 * administrator was signed in: browsers keep a session for the place that it was begun at.
 */
import { z } from 'zod'
import type { Caller, Context } from '../../../platform/http/area.ts'
import type { AccountOptions } from '../options.ts'

/** Places that administrators came by; the oldest are forgotten, as one of them moved more often than anybody does. */
const mostKept = 20

const SavedOrigins = z.object({ origins: z.array(z.string()).default([]) })
type Visit = Pick<Context<Caller | null>, 'caller' | 'origin'>

export interface OwnOrigins {
  /** The address of the instance as this visitor may be told it, scheme and host; null where it is not known as its own. */
  of(context: Pick<Visit, 'origin'>): Promise<string | null>
  /** Remembers the place at which an administrator is signed in; anybody else's visit says nothing. */
  confirm(context: Visit): Promise<void>
}

export const unknownOrigin =
  'This server doesn’t know this address as its own. Sign in here once as an administrator, or set BASE_URL.'

export const createOwnOrigins = (deps: Pick<AccountOptions, 'baseUrl' | 'saved' | 'machineAddresses'>): OwnOrigins => {
  const { baseUrl, machineAddresses = () => new Set<string>() } = deps
  const kept = deps.saved.document('own-origins', SavedOrigins)

  const isMachine = (hostname: string): boolean => {
    const name = hostname.replace(/^\[|\]$/g, '')
    if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true
    return /^127\.\d+\.\d+\.\d+$/.test(name) || machineAddresses().has(name)
  }
  const isKnown = async (origin: string): Promise<boolean> => {
    const url = URL.parse(origin)
    return url !== null && (isMachine(url.hostname) || (await kept.read()).origins.includes(origin))
  }

  return {
    async of({ origin }) {
      if (baseUrl) return baseUrl.origin
      return (await isKnown(origin)) ? origin : null
    },
    async confirm({ caller, origin }) {
      if (baseUrl || caller?.role !== 'admin' || caller.token !== null || (await isKnown(origin))) return
      if (!URL.canParse(origin)) return
      await kept.change(({ origins }) => ({
        origins: [...origins.filter((each) => each !== origin), origin].slice(-mostKept),
      }))
    },
  }
}
