/** Temporary chats: in no list, search or export, and deleted for good when their time is over or their owner closes them. */
import type { ChatContext } from '../context.ts'
import { removeChatForGood } from '../trash.ts'

/** So many hours a temporary chat is there after its last question. */
export const temporaryChatHours = (context: Pick<ChatContext, 'temporaryChatHours'>): number =>
  context.temporaryChatHours ?? 24

/** When a temporary chat goes in which something happens now, in ms since 1970. */
export const expiryFrom = (context: Pick<ChatContext, 'temporaryChatHours'>, now: number): number =>
  now + temporaryChatHours(context) * 3600_000

/** Deletes a temporary chat for good, with its answer. Where `overOnly` is set, one that was asked something meanwhile stays. */
export const removeTemporaryChat = async (
  context: ChatContext,
  { id, account_id: accountId }: { readonly id: string; readonly account_id: string },
  overOnly = false,
): Promise<void> => {
  // From here on nobody can ask in it, and what a crash leaves behind is found by the next sweep.
  if (!(await context.store.sessions.claimTemporary(id, context.clock.now(), overOnly))) return
  await context.generations.cancelScopes([id])
  await removeChatForGood(context, id)
  await context.announce(accountId, { type: 'chat-removed', data: { id } })
}

/** Deletes the temporary chats of everybody whose time is over; ends early when the signal aborts. */
export const removeExpiredChats = async (context: ChatContext, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const chats = await context.store.sessions.expired(context.clock.now(), 50)
    for (const chat of chats) await removeTemporaryChat(context, chat, true)
    if (chats.length < 50) return
  }
}
