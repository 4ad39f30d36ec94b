/** Links that administrators hand out: invitations, and links with which somebody sets a new password. */
import type { MailSender } from '../options.ts'
import { InviteDetails, linkLifetimes, linkTo } from './rules.ts'
import type { LinkStore, LiveLink } from './store.ts'

/** An invitation that nobody took yet. */
export interface OpenInvitation extends Pick<InviteDetails, 'email' | 'role' | 'groupIds'> {
  readonly id: string
  readonly createdBy: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface HandedLinks {
  /** The open invitations, newest first. Refuses with `bad_cursor`. */
  invitations(
    limit: number,
    cursor: string | undefined,
  ): Promise<{ items: OpenInvitation[]; nextCursor: string | null }>
  countInvitations(): Promise<number>
  createInvitation(
    details: InviteDetails,
    createdBy: string,
    expiresInDays: number,
  ): Promise<{ invitation: OpenInvitation; url: string }>
  /** false: there is none. */
  revokeInvitation(id: string): Promise<boolean>
  /** A link for a new password, in place of earlier ones. */
  createPasswordLink(accountId: string, createdBy: string): Promise<{ url: string; expiresAt: number }>
}

export const createHandedLinks = (deps: { links: LinkStore; mail: Pick<MailSender, 'address'> }): HandedLinks => {
  const { links, mail } = deps
  return {
    async invitations(limit, cursor) {
      const { items, nextCursor } = await links.invitations(limit, cursor)
      return { items: items.map(toInvitation), nextCursor }
    },

    countInvitations: () => links.count('invite', null),

    async createInvitation(details, createdBy, expiresInDays) {
      const { token, link } = await links.insert({
        purpose: 'invite',
        accountId: null,
        details,
        createdBy,
        lifetimeMs: expiresInDays * 24 * 3600_000,
      })
      return { invitation: toInvitation(link), url: linkTo('invite', token, await mail.address()) }
    },

    revokeInvitation: (id) => links.revokeInvitation(id),

    async createPasswordLink(accountId, createdBy) {
      await links.revokeOf(accountId, 'reset')
      const { token, link } = await links.insert({
        purpose: 'reset',
        accountId,
        details: { email: null },
        createdBy,
        lifetimeMs: linkLifetimes['password-link'],
      })
      return { url: linkTo('reset', token, await mail.address()), expiresAt: link.expiresAt }
    },
  }
}

/** One that cannot be read stands here without what it gives, and can be taken back. */
const toInvitation = ({ id, details, createdBy, createdAt, expiresAt }: LiveLink): OpenInvitation => {
  const { email, role, groupIds } = InviteDetails.safeParse(details).data ?? unreadableInvitation
  return { id, email, role, groupIds, createdBy, createdAt, expiresAt }
}
const unreadableInvitation = { email: null, role: 'user' as const, groupIds: [] }
