/** Links of chats: their owners make, change and revoke them, and visitors read by them. */
import type { ChatLink, chatRoutes } from '@atrium/contract/chat'
import { linkAuditEntry } from '../../../core/access/index.ts'
import { type AuditEntry, actorOf } from '../../../platform/audit/index.ts'
import type { BytesAnswer, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { bytesOf } from '../attachments.ts'
import { type ChatContext, openChat } from '../context.ts'
import { openSentMedia } from '../media.ts'
import { readMessageCursor, readMessagePage } from '../messages/serialise.ts'
import { openContent, openTitle } from '../stores/rows.ts'
import type { ChatLinkRow, SessionRow } from '../tables.ts'
import { type ChatVisit, makePass, requirePass, whileAllowed } from './passes.ts'
import { messageForVisitor } from './shown.ts'

type OwnerRoutes = Pick<typeof chatRoutes, 'links' | 'addLink' | 'updateLink' | 'ownLinks' | 'removeLink'>
type VisitorRoutes = Pick<
  typeof chatRoutes,
  | 'openLink'
  | 'linkedMessages'
  | 'linkedAttachment'
  | 'linkedDocument'
  | 'linkedMedia'
  | 'linkedMediaContent'
  | 'followLink'
>

const mostLinks = 20
const dayMs = 24 * 3600_000
const pageSize = 50

export const linkHandlers = (context: ChatContext): Handlers<OwnerRoutes> => ({
  async links({ params }, { caller }) {
    const { chat } = await openChat(context, params.sessionId, caller.accountId)
    const rows = await context.store.links.ofThing(chat.id, context.clock.now())
    return { allowed: await context.linksAllowed(chat.account_id), items: rows.map(rowToLink), nextCursor: null }
  },

  async addLink({ params, body }, asked) {
    const { chat } = await openChat(context, params.sessionId, asked.caller.accountId)
    if (!(await context.linksAllowed(chat.account_id))) throw fail('chat_links_off')
    if (chat.expires_at !== null) throw fail('conflict', 'Temporary chats can’t be shared.')
    const { secret, digest } = context.linkVisits.makeSecret()
    const now = context.clock.now()
    const row: ChatLinkRow = {
      id: context.clock.id(),
      chat_id: chat.id,
      account_id: chat.account_id,
      secret_digest: digest,
      with_files: body.withFiles ? 1 : 0,
      password: body.password ? await context.passwords.hash(body.password) : null,
      wrong_passwords: 0,
      wrong_since: 0,
      expires_at: now + body.expiresInDays * dayMs,
      created_at: now,
    }
    const isAdded = await context.store.links.insert(chat.id, row, mostLinks, (trx, stored) =>
      context.audit.recordIn(trx, { ...actorOf(asked), ...auditEntry('grant.create', stored) }),
    )
    if (!isAdded) throw fail('chat_link_limit')
    context.announceChange(chat.account_id, chat.id)
    // Behind the `#`, so that no server, proxy or log ever sees the secret.
    return { link: rowToLink(row), url: `${(await context.address()) ?? ''}/shared-chat#${secret}` }
  },

  async updateLink({ params, body }, asked) {
    const { accountId } = asked.caller
    const now = context.clock.now()
    const before = await context.store.links.read(params.linkId, accountId, now)
    if (!before) throw fail('chat_link_not_found')
    const { expiresInDays, password } = body
    const fields = Object.keys(body).join(', ')
    if (fields === '') return rowToLink(before)
    const change = {
      ...(expiresInDays === undefined ? {} : { expires_at: now + expiresInDays * dayMs }),
      ...(password === undefined ? {} : { password: password ? await context.passwords.hash(password) : null }),
    }
    const changed = await context.store.links.change({ id: before.id, accountId, now }, change, (trx, row) =>
      context.audit.recordIn(trx, { ...actorOf(asked), ...auditEntry('grant.update', row, { fields }) }),
    )
    if (!changed) throw fail('chat_link_not_found')
    context.linkWatch.look()
    context.announceChange(changed.account_id, changed.chat_id)
    return rowToLink(changed)
  },

  async ownLinks({ query }, { caller }) {
    const { accountId } = caller
    const keys = await context.vault.keyring(accountId)
    const now = context.clock.now()
    const { items, nextCursor } = await context.store.links.page(accountId, now, query.limit, query.cursor)
    const titleOf = (row: ChatLinkRow & Pick<SessionRow, 'title'>) =>
      openTitle(keys, { id: row.chat_id, title: row.title })
    return { items: items.map((row) => ({ ...rowToLink(row), title: titleOf(row) })), nextCursor }
  },

  async removeLink({ params }, asked) {
    const removed = await context.store.links.remove(params.linkId, asked.caller.accountId, (trx, row) =>
      context.audit.recordIn(trx, { ...actorOf(asked), ...auditEntry('grant.delete', row) }),
    )
    if (!removed) throw fail('chat_link_not_found')
    context.linkWatch.look()
    context.announceChange(removed.account_id, removed.chat_id)
    return {}
  },
})

export const visitorHandlers = (context: ChatContext): Handlers<VisitorRoutes> => ({
  async openLink({ body }) {
    const begun = await context.linkVisits.begin(body.secret, body.password)
    if (!begun) return { state: 'password' }
    const ownerName = await context.displayName(begun.live.link.account_id)
    return { state: 'open', visit: begun.visit, validUntil: toIsoTime(begun.until), ownerName }
  },

  async linkedMessages({ body }) {
    const { link, chat } = await context.linkVisits.require(body.visit)
    const keys = await context.vault.keyring(chat.account_id)
    const end = body.cursor === undefined ? chat.active_leaf_id : readMessageCursor(body.cursor)
    // A place on another branch, or of another chat, is none.
    if (body.cursor !== undefined && !(end && (await isShown(context, chat, end)))) throw fail('bad_cursor')
    const { items, nextCursor } = await readMessagePage(context, keys, chat, end, pageSize)
    const withFiles = link.with_files === 1
    const documentIds = withFiles ? items.flatMap(({ documents }) => documents.map(({ id }) => id)) : []
    const files = await context.documents.findOriginals(chat.account_id, chat.id, documentIds)
    return {
      title: openTitle(keys, chat),
      isAnswering: chat.running_generation_id !== null,
      items: items.flatMap((message) => messageForVisitor(message, withFiles, files) ?? []),
      nextCursor,
    }
  },

  async linkedAttachment({ body }) {
    const { link, chat } = await context.linkVisits.require(body.visit)
    const isThere = link.with_files === 1 && (await isShown(context, chat, body.messageId))
    const message = isThere ? await context.store.messages.read(chat.id, body.messageId) : null
    const held = message ? ((await context.store.attachments.ofMessages([message])).get(message.id) ?? []) : []
    return bytesOf(context, held.find(({ id }) => id === body.attachmentId) ?? null)
  },

  async linkedDocument({ body: { visit, messageId, documentId } }) {
    const { link, chat } = await context.linkVisits.require(visit)
    const isThere = link.with_files === 1 && (await isShown(context, chat, messageId))
    const message = isThere ? await context.store.messages.read(chat.id, messageId) : null
    const keys = await context.vault.keyring(chat.account_id)
    const isOfMessage = message && openContent(keys, message).documents.some(({ id }) => id === documentId)
    const file = isOfMessage ? await context.documents.openOriginal(chat.account_id, chat.id, documentId) : null
    if (!file) throw fail('attachment_not_found')
    return file
  },

  async linkedMedia({ body }) {
    const visit = await context.linkVisits.require(body.visit)
    await openLinkedMedia(context, visit, body.messageId)
    const pass = makePass(context, visit, body.messageId)
    return { url: `/api/chat/links/media/${pass}`, validUntil: toIsoTime(visit.until) }
  },

  async linkedMediaContent({ params }) {
    const { messageId, ...visit } = await requirePass(context, params.pass)
    const made = await openLinkedMedia(context, visit, messageId)
    // Whoever plays a film may be at it for long: it ends with the link, as the page does.
    const body = whileAllowed(made.body, context.clock, async () => {
      await requireMedia(context, await requirePass(context, params.pass), messageId)
    })
    return { ...made, body }
  },

  async followLink({ body }, { address, after, signal }) {
    const { link, until } = await context.linkVisits.require(body.visit)
    const leftMs = until - context.clock.now()
    return context.linkWatch.follow({ linkId: link.id, ownerId: link.account_id, leftMs, after, address, signal })
  },
})

/** Refuses with `attachment_not_found` where visitors may not have what was made as this answer. */
const requireMedia = async (context: ChatContext, { link, chat }: ChatVisit, messageId: string): Promise<void> => {
  if (link.with_files !== 1 || !(await isShown(context, chat, messageId))) throw fail('attachment_not_found')
}

const openLinkedMedia = async (context: ChatContext, visit: ChatVisit, messageId: string): Promise<BytesAnswer> => {
  await requireMedia(context, visit, messageId)
  return await openSentMedia(context, visit.chat, messageId)
}

/** Whether a message stands on the path that visitors see. */
const isShown = async (context: ChatContext, chat: SessionRow, messageId: string): Promise<boolean> => {
  const row = await context.store.messages.read(chat.id, messageId)
  return row !== null && (await context.store.messages.isOnPath(chat.id, messageId, chat.active_leaf_id))
}

/** Removes links whose time is over. */
export const removeEndedLinks = (context: ChatContext, signal: AbortSignal): Promise<void> => {
  const actor = { kind: 'system', accountId: null } as const
  return context.store.links.removeEnded(context.clock.now(), signal, (trx, row) =>
    context.audit.recordIn(trx, { actor, ...auditEntry('grant.delete', row, { reason: 'expired' }) }),
  )
}

const auditEntry = (
  action: 'grant.create' | 'grant.update' | 'grant.delete',
  row: ChatLinkRow,
  more: { readonly reason?: string; readonly fields?: string } = {},
): Pick<AuditEntry, 'action' | 'target' | 'details'> =>
  linkAuditEntry(action, { type: 'chat', id: row.chat_id }, row, { withFiles: row.with_files === 1, ...more })

const rowToLink = (row: ChatLinkRow): ChatLink => ({
  id: row.id,
  chatId: row.chat_id,
  withFiles: row.with_files === 1,
  hasPassword: row.password !== null,
  expiresAt: toIsoTime(row.expires_at),
  createdAt: toIsoTime(row.created_at),
})
