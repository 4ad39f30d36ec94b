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
    summary: 'How the caller is shown to others: mode and status',
    returns: OwnPresence,
  },
  set: {
    method: 'put',
    path: '/api/presence',
    access: 'user',
    summary:
      'Set how you are shown to others: by whether you are there, as away, as not to be disturbed until a time, or not at all; with a line of status. Only people who share a channel with you are told, while they have you on screen',
    body: OwnPresence.partial({ until: true, status: true }).refine(
      ({ mode, until }) => (mode === 'do-not-disturb') === (until !== undefined && until !== null),
      { message: 'give the end of do-not-disturb, and none otherwise', path: ['until'] },
    ),
    returns: OwnPresence,
  },
})

export const presenceArea = area(presenceDescription, { routes: presenceRoutes, shapes: { OwnPresence, Presence } })
