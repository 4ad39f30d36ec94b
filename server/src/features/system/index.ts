/**
 * The interface itself: its description, and what changes in an account while a page is open, together with the streams
 * that other areas name for it. It gives no figures of the machine and no content of its own.
 */
import { AgoMs, type ClientMessage, mostFollowed, ClientMessage as says, systemRoutes } from '@atrium/contract/system'
import type { Clock } from '../../platform/clock.ts'
import { bindRoutes } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { StaticFile } from '../../platform/http/static-file.ts'
import { createLive, type LiveDeps } from './live.ts'

export interface SystemDeps extends LiveDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly openApi: () => Promise<Record<string, unknown> | StaticFile>
}

const beatMs = 15_000

export const createSystem = ({ clock, openApi, ...deps }: SystemDeps) => {
  const live = createLive(deps)
  return bindRoutes({
    name: 'system',
    routes: systemRoutes,
    handlers: {
      async events({ query }, { caller, after: place, signal }) {
        const after = place > 0 || query.after === 0 ? place : null
        const from = { after, since: timeBefore(clock.now(), query.agoMs ?? 0) }
        if (query.places === undefined) return live.followAccount(caller.accountId, from, signal)
        const { frames, others, visit } = await live.open(caller, from, signal)
        others(readPlaces(query.places))
        // Where no socket gets through, a page cannot say whether somebody is in front of it: while it is open, somebody is.
        if (caller.token === null) visit().here(true)
        return frames
      },
      openapi: () => openApi(),
    },
    sockets: [
      {
        path: '/ws',
        audience: 'events',
        says,
        open: async ({ caller, issuedAt, after, query, signal, onSaid }) => {
          const agoMs = AgoMs.safeParse(query('agoMs') ?? 0)
          if (!agoMs.success)
            throw fail('validation_failed', undefined, [{ path: 'query.agoMs', message: 'must be a time' }])
          // From the ticket on: how long the socket took to come here, the client did not know.
          const from = { after, since: timeBefore(issuedAt, agoMs.data) }
          const { frames, others, visit, beat } = await live.open(caller, from, signal)
          const places = new Map<string, number>()
          let following: (ReturnType<typeof others> & ReturnType<typeof visit>) | null = null
          onSaid((said) => {
            const { type, data } = said as ClientMessage
            if (type !== 'places') {
              if (!following) throw fail('conflict', 'Send your places first.')
              if (type === 'here') return following.here(data.active)
              following.shows(data.people ?? [])
              return following.show(data.streams)
            }
            if (following) throw fail('conflict', 'You have already sent your places.')
            for (const [stream, place] of Object.entries(data.places)) places.set(stream, place)
            if (places.size > mostFollowed) throw fail('too_large')
            if (data.more) return
            following = { ...others(places), ...visit() }
            beat(beatMs)
          })
          return frames
        },
      },
    ],
  })
}

/** So long before a time; null for no time at all: from now on. */
const timeBefore = (time: number, agoMs: number): number | null => (agoMs === 0 ? null : time - agoMs)

const readPlaces = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split(',')
      .filter((part) => part !== '')
      .map((part) => {
        const at = part.lastIndexOf('@')
        return [part.slice(0, at), Number(part.slice(at + 1))]
      }),
  )
