/** How notifications leave the inbox, and the door by which somebody who is not signed in stops letters of a kind. */
import { z } from 'zod'
import { area } from '../area.ts'
import { NotificationKind } from '../notifications/content.ts'
import { redirect, routes } from '../route.ts'
import { deliveriesDescription } from './area.ts'

/** The token is told in the letters of one account about one kind, and nowhere else. */
const ByToken = z.strictObject({ token: z.string().max(200) })

/** What letters are about: a kind of notification, or all kinds that come with the digest. */
export const MailKind = z.enum([...NotificationKind.options, 'digest'])
export type MailKind = z.infer<typeof MailKind>

export const deliveriesRoutes = routes({
  unsubscribePage: {
    method: 'get',
    path: '/api/unsubscribe/{token}',
    access: 'public',
    names: 'instance',
    limit: 'link-open',
    noStore: true,
    summary: 'Redirect to the page that asks whether to stop e-mails of a kind. Changes nothing',
    params: ByToken,
    returns: redirect,
    errors: ['unsubscribe_link_not_found'],
  },
  unsubscribe: {
    method: 'post',
    path: '/api/unsubscribe/{token}',
    access: 'public',
    names: 'instance',
    limit: 'link-open',
    noStore: true,
    summary:
      'Stop e-mails of a kind with the token from an e-mail (one-click unsubscribe, RFC 8058). The body is ignored',
    params: ByToken,
    upload: { maxBytes: 4096 },
    returns: z.strictObject({ kind: MailKind }),
    errors: ['unsubscribe_link_not_found'],
  },
})

export const deliveriesArea = area(deliveriesDescription, { routes: deliveriesRoutes, shapes: {} })
