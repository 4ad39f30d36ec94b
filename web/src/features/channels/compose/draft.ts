/**
 * What is typed and attached in a channel or below a message, and not sent. The text is kept in this browser at once and on the
 * server within a second; files are kept as long as the page, because the server takes back what was not sent within minutes.
 */
import type { ChannelAttachment } from '@atrium/contract/channels'
import type { Selection } from '@atrium/contract/common'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { sameSelection } from '../../../blocks/models.ts'
import { newId } from '../../../lib/id.ts'
import { type DraftPlace, onArrival, saveSoon } from './draft-sync.ts'
import { keepDraft, placeOf, readKept } from './kept-draft.ts'

export interface DraftFile {
  readonly key: string
  readonly name: string
  readonly sizeBytes: number
  readonly state: 'uploading' | 'ready' | 'failed'
  /** 0 to 1. */
  readonly progress: number
  readonly attachment: ChannelAttachment | null
  readonly error: unknown
  /** Shows an image before the server has it. */
  readonly preview: string | null
}

/** A model that is to answer, as it is called in the list. */
export interface PickedModel {
  readonly selection: Selection
  readonly name: string
}

export interface DraftState {
  readonly content: string
  readonly models: readonly PickedModel[]
  readonly files: readonly DraftFile[]
}

export interface ChannelDraft {
  readonly store: StoreApi<DraftState>
  type(content: string): void
  attach(files: readonly File[]): void
  cancel(key: string): void
  retry(key: string): void
  /** Has a model answer, once. */
  pickModel(model: PickedModel): void
  dropModel(selection: Selection): void
  /** Empties the draft and gives what was in it. */
  take(): { content: string; attachments: ChannelAttachment[]; models: Selection[] }
}

type Upload = (
  channelId: string,
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
) => Promise<ChannelAttachment>

const drafts = new Map<string, ChannelDraft>()
/** The draft of one account in a channel, or in the thread below a message of it. */
export function draftOf(accountId: string, channelId: string, rootId: string | null): ChannelDraft {
  const place = placeOf(accountId, channelId, rootId)
  const known = drafts.get(place)
  if (known) return known
  const draft = createDraft({ place, channelId, rootId }, async (...sent) =>
    (await import('./upload.ts')).uploadFile(...sent),
  )
  drafts.set(place, draft)
  return draft
}

/** Whether something is typed there, for the list. */
export const hasDraft = (accountId: string, channelId: string): boolean =>
  Boolean(readKept(placeOf(accountId, channelId, null))?.content)

onArrival((place, content) => drafts.get(place)?.store.setState({ content }))

function createDraft(at: DraftPlace, upload: Upload): ChannelDraft {
  const { place, channelId } = at
  const store = createStore<DraftState>(() => ({ content: readKept(place)?.content ?? '', files: [], models: [] }))
  const running = new Map<string, { file: File; abort: AbortController }>()
  const setFile = (key: string, change: Partial<DraftFile>) =>
    store.setState(({ files }) => ({ files: files.map((file) => (file.key === key ? { ...file, ...change } : file)) }))

  async function send(key: string, file: File): Promise<void> {
    const abort = new AbortController()
    running.set(key, { file, abort })
    setFile(key, { state: 'uploading', progress: 0, error: null })
    try {
      const attachment = await upload(channelId, file, abort.signal, (progress) => setFile(key, { progress }))
      setFile(key, { state: 'ready', progress: 1, attachment })
    } catch (error) {
      if (!abort.signal.aborted) setFile(key, { state: 'failed', error })
    }
  }
  function forget(file: DraftFile): void {
    running.get(file.key)?.abort.abort()
    running.delete(file.key)
    if (file.preview) URL.revokeObjectURL(file.preview)
  }
  function type(content: string): void {
    store.setState({ content })
    keepDraft(place, { content, saved: false, at: new Date().toISOString() })
    saveSoon(at)
  }

  return {
    store,
    type,
    attach(files) {
      for (const file of files) {
        const key = newId()
        const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null
        const chip = { key, name: file.name, sizeBytes: file.size, progress: 0, attachment: null, error: null, preview }
        store.setState((now) => ({ files: [...now.files, { ...chip, state: 'uploading' as const }] }))
        void send(key, file)
      }
    },
    cancel(key) {
      const file = store.getState().files.find((one) => one.key === key)
      if (!file) return
      forget(file)
      store.setState(({ files }) => ({ files: files.filter((one) => one.key !== key) }))
    },
    retry(key) {
      const from = running.get(key)
      if (from) void send(key, from.file)
    },
    pickModel(model) {
      store.setState(({ models }) => ({
        models: [...models.filter(({ selection }) => !sameSelection(selection, model.selection)), model],
      }))
    },
    dropModel(dropped) {
      store.setState(({ models }) => ({
        models: models.filter(({ selection }) => !sameSelection(selection, dropped)),
      }))
    },
    take() {
      const { content, files, models } = store.getState()
      const sent = files.filter(({ attachment }) => attachment !== null)
      for (const file of sent) forget(file)
      store.setState({ files: files.filter((file) => !sent.includes(file)), models: [] })
      if (content !== '') type('')
      return {
        content: content.trim(),
        attachments: sent.flatMap(({ attachment }) => attachment ?? []),
        models: models.map(({ selection }) => selection),
      }
    },
  }
}
