/** Who is there: told over the connection of a page to those who have the person on screen, and kept nowhere. */
import { area } from '../area.ts'
import { routes } from '../route.ts'
import { presenceDescription } from './area.ts'
import { OwnPresence, Presence } from './shapes.ts'

export * from './shapes.ts'

export const presenceRoutes = routes({
  own: {
    method: 'get',
    path: '/api/presence',
    access: 'user',
    summary: 'Get your presence: mode and status',
    returns: OwnPresence,
  },
  set: {
    method: 'put',
    path: '/api/presence',
    access: 'user',
    summary:
      'Set your presence (automatic, away, do not disturb until a time, or invisible) and your status line. Only people who share a channel with you see it, while you are on their screen',
    body: OwnPresence.partial({ until: true, status: true }).refine(
      ({ mode, until }) => (mode === 'do-not-disturb') === (until !== undefined && until !== null),
      { message: 'give the end of do-not-disturb, and none otherwise', path: ['until'] },
    ),
    returns: OwnPresence,
  },
})

export const presenceArea = area(presenceDescription, { routes: presenceRoutes, shapes: { OwnPresence, Presence } })
