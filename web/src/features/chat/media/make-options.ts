/** How the things of a chat are made: as is set in the settings until something else is chosen, kept in this browser. */
import type { MadeKind, MakeOptions } from '@atrium/contract/chat'
import type { MediaModel } from '@atrium/contract/media-gallery'
import { create } from 'zustand'
import { preferencesQuery } from '../../../api/account.ts'
import { queryClient } from '../../../api/query.ts'
import { choicesOf, filmPartsOf, listedOf, mostPictures, optionsOf } from '../../../blocks/media-choices/choices.ts'
import { mediaModelKey, usualModelKey } from '../../../blocks/media-models.ts'

/** Values by field, as the lists of the form have them; what was not touched is as is set in the settings. */
interface MadeWith {
  readonly fields: Readonly<Record<string, string>>
  readonly count: number
}
type OfChat = Partial<Record<MadeKind, MadeWith>>

const useChats = create<Record<string, OfChat>>(() => ({}))

/** `new` is the chat that does not exist yet. */
export const useMadeWith = (chatId: string, kind: MadeKind, model: MediaModel | undefined): MadeWith => {
  const chosen = useChats((chats) => (chats[chatId] ?? kept(chatId))[kind])
  return withUsual(kind, model, chosen)
}

export function chooseMadeWith(chatId: string, kind: MadeKind, chosen: MadeWith): void {
  keep(chatId, { ...chosenIn(chatId), [kind]: chosen })
}

/** What was chosen for the chat that did not exist yet goes on in it; the next one begins anew. */
export function handOverMadeWith(chatId: string): void {
  const chosen = chosenIn('new')
  if (Object.keys(chosen).length === 0) return
  keep(chatId, chosen)
  keep('new', {})
}

/** The options of a wish; none where nothing was chosen, so that the settings count. */
export function optionsFor(chatId: string, kind: MadeKind, model: MediaModel): MakeOptions | undefined {
  const chosen = chosenIn(chatId)[kind]
  if (!chosen) return undefined
  const { fields, count } = withUsual(kind, model, chosen)
  const { generateAudio } = fields
  const options = optionsOf(kind, listedOf(choicesOf(kind, model), fields), Math.min(count, mostPictures(model)))
  const sounds = generateAudio !== undefined && filmPartsOf(model).audio
  // Each field has the values that the model lists for it, and the server checks them.
  return { ...options, ...(sounds ? { generateAudio: generateAudio === 'true' } : {}) } as MakeOptions
}

const withUsual = (kind: MadeKind, model: MediaModel | undefined, chosen: MadeWith | undefined): MadeWith => {
  const set = queryClient.getQueryData(preferencesQuery.queryKey)?.mediaDefaults[kind]
  const isSet = set && model && mediaModelKey(model) === usualModelKey(set)
  return { fields: { ...(isSet ? set.options : {}), ...chosen?.fields }, count: chosen?.count ?? 1 }
}

const chosenIn = (chatId: string): OfChat => useChats.getState()[chatId] ?? kept(chatId)

function keep(chatId: string, chosen: OfChat): void {
  useChats.setState({ [chatId]: chosen })
  try {
    if (chatId !== 'new') localStorage.setItem(place(chatId), JSON.stringify(chosen))
  } catch {
    // The browser's space is used up: it holds until the page is closed.
  }
}

const place = (chatId: string) => `atrium.make:${chatId}`
const read = new Map<string, OfChat>()
/** Read once: whoever asks gets the same object each time. */
function kept(chatId: string): OfChat {
  const known = read.get(chatId)
  if (known) return known
  const chosen = readPlace(place(chatId))
  read.set(chatId, chosen)
  return chosen
}

function readPlace(name: string): OfChat {
  try {
    return (JSON.parse(localStorage.getItem(name) ?? '{}') as OfChat | null) ?? {}
  } catch {
    // There is no such storage here, or what stands there is not ours: as good as nothing.
    return {}
  }
}
