/** Replay data of answers: read for a turn, copied with a message, never shown. */
import type { Selection } from '@atrium/contract/common'
import { readableOf } from '../../../platform/stored-json.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { UsableModel } from '../../../core/generation/index.ts'
import { type Part, ProviderFailure, type Replay, type Turn } from '../../../providers/types.ts'
import type { ChatContext } from '../context.ts'
import { openReplay, sealReplay, textToSelection } from '../stores/rows.ts'
import type { MessageRow, ReplayRow } from '../tables.ts'

/** Older answers are sent without: providers forget their own thoughts about what lies behind. */
const answersWithReplay = 8

/** By message id, for the newest answers that this very model of this very provider gave. */
export const readReplays = async (
  context: ChatContext,
  keys: Keyring,
  messages: readonly { readonly answer?: Pick<MessageRow, 'id' | 'selection'> }[],
  selection: Selection,
): Promise<Map<string, Replay>> => {
  // The local runtime and the excerpts ask for nothing back.
  if (selection.providerType === 'local' || selection.providerType === 'builtin') return new Map()
  const own = messages.flatMap(({ answer }) => (answer && isSame(answer.selection, selection) ? [answer.id] : []))
  const rows = await context.store.replays.ofMessages(own.slice(-answersWithReplay))
  return new Map(
    readableOf(rows, (row) => [row.message_id, { ...openReplay(keys, row), model: selection.model }] as const),
  )
}

/**
 * Asks, and where the provider refuses before its first word, asks once more without what it was to see again: under
 * another key it may not know its own thoughts, and the words of the chat are enough to go on with.
 */
export async function* askModelWithReplays(
  model: UsableModel,
  turn: Turn,
  signal: AbortSignal,
): AsyncGenerator<readonly Part[]> {
  let begun = false
  try {
    for await (const parts of model.ask(turn, signal)) {
      begun = true
      yield parts
    }
    return
  } catch (error) {
    const refused = error instanceof ProviderFailure && error.kind === 'rejected' && error.status === 400
    if (begun || !refused) throw error
  }
  const messages = turn.messages.map((message) =>
    message.role === 'assistant' ? { ...message, replay: undefined } : message,
  )
  yield* model.ask({ ...turn, messages }, signal)
}

/** Replay data for copies of messages, sealed again under their ids. `copies`: the new id of each old one. */
export const copyReplays = async (
  context: ChatContext,
  keys: Keyring,
  copies: ReadonlyMap<string, string>,
): Promise<ReplayRow[]> => {
  const rows = await context.store.replays.ofMessages([...copies.keys()])
  return readableOf(rows, (row) => ({ id: copies.get(row.message_id), kept: openReplay(keys, row) })).flatMap(
    ({ id, kept }) => (id === undefined ? [] : [sealReplay(keys, id, kept)]),
  )
}

const isSame = (text: string | null, selection: Selection): boolean => {
  const given = textToSelection(text)
  return (
    given !== null &&
    given.providerType === selection.providerType &&
    given.providerId === selection.providerId &&
    given.model === selection.model
  )
}
