/** What the next message has made instead of an answer. It is forgotten with the page, and over with the message. */
import type { Attachment, MadeKind, MakeWish } from '@atrium/contract/chat'
import { mediaMakingRoutes } from '@atrium/contract/media-gallery'
import type { MediaModel, MediaModels } from '@atrium/contract/media-gallery'
import { create } from 'zustand'
import { preferencesQuery } from '../../../api/account.ts'
import { queryClient, queryOf } from '../../../api/query.ts'
import { takesMask } from '../../../blocks/media-choices/choices.ts'
import { mediaModelKey, usualModelKey } from '../../../blocks/media-models.ts'
import { optionsFor } from './make-options.ts'

/** `model`: `pluginId/model`; null: the one set in the settings, else the first one. */
export interface MakeMode {
  readonly kind: MadeKind
  readonly model: string | null
  /** What is drawn anew of one of the pictures; it goes with that. */
  readonly mask?: { readonly sourceId: string; readonly attachment: Attachment }
}

export const mediaModelsQuery = { ...queryOf(mediaMakingRoutes.models), staleTime: 300_000 }

const useModes = create<Record<string, MakeMode | null>>(() => ({}))
/** Which model made each kind last, while the page is open. */
const last: Partial<Record<MadeKind, string>> = {}

/** `new` is the chat that does not exist yet. */
export const useMakeMode = (chatId: string): MakeMode | null => useModes((modes) => modes[chatId] ?? null)

export function setMakeMode(chatId: string, mode: MakeMode | null): void {
  if (mode?.model) last[mode.kind] = mode.model
  useModes.setState({ [chatId]: mode && { ...mode, model: mode.model ?? last[mode.kind] ?? null } })
}

export const modelOf = (models: MediaModels | undefined, { kind, model }: MakeMode): MediaModel | undefined =>
  models?.[kind].find((one) => mediaModelKey(one) === (model ?? usualModel(kind))) ?? models?.[kind][0]

const usualModel = (kind: MadeKind): string | null =>
  usualModelKey(queryClient.getQueryData(preferencesQuery.queryKey)?.mediaDefaults[kind])

interface TakenMessage {
  readonly content: string
  readonly attachments: readonly Attachment[]
  readonly make?: MakeWish
}

/** The message that is sent now, and what is made of it: as was chosen, or as it says itself (`/image A red fox`). */
export function takeMaking(
  chatId: string,
  models: MediaModels | undefined,
  { content, attachments }: Pick<TakenMessage, 'content' | 'attachments'>,
): TakenMessage {
  const [, command, rest] = /^\s*\/(image|video|speak)\s+(\S[^]*)$/.exec(content) ?? []
  const said: MakeMode | null = command ? { kind: kindOf[command] ?? 'image', model: null } : null
  const mode = said ?? useModes.getState()[chatId]
  const found = mode && modelOf(models, mode)
  if (!mode || !found) return { content, attachments }
  setMakeMode(chatId, null)
  const options = optionsFor(chatId, mode.kind, found)
  const make = { kind: mode.kind, model: found.model, pluginId: found.pluginId, ...(options ? { options } : {}) }
  const words = said ? (rest ?? content) : content
  const { mask } = mode
  const source = mask && takesMask(found) && attachments.find(({ id }) => id === mask.sourceId)
  if (!source) return { content: words, attachments, make }
  // The mask is of the first one.
  const sorted = [source, ...attachments.filter((one) => one !== source), mask.attachment]
  return { content: words, attachments: sorted, make: { ...make, maskId: mask.attachment.id } }
}

/** Takes up again what was to be made, and gives the pictures that it is made from. */
export function restoreMaking(
  chatId: string,
  { make, attachments }: { readonly make?: MakeWish | null | undefined; readonly attachments: readonly Attachment[] },
): readonly Attachment[] {
  if (!make) return attachments
  const attachment = attachments.find(({ id }) => id === make.maskId)
  const sources = attachments.filter((one) => one !== attachment)
  const [first] = sources
  const mask = attachment && first ? { mask: { sourceId: first.id, attachment } } : {}
  setMakeMode(chatId, { kind: make.kind, model: mediaModelKey(make), ...mask })
  return sources
}

const kindOf: Readonly<Record<string, MadeKind>> = { image: 'image', video: 'video', speak: 'speech' }

/** What is listed here, as far as that is known. */
export const knownMediaModels = (): MediaModels | undefined => queryClient.getQueryData(mediaModelsQuery.queryKey)
