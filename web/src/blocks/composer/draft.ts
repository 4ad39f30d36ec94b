/**
 * What is typed and attached but not sent. Kept in this browser at once and on the server within a second; it outlives
 * switching between chats, and uploads go on meanwhile.
 */
import { type Attachment, chat, type Draft } from '@atrium/contract/chat'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { call } from '../../api/client.ts'
import { codeOf } from '../../api/errors.ts'
import { newId } from '../../lib/id.ts'
import { chooseDraft, type LocalDraft, parseLocal, pastedName } from './draft-rules.ts'
import { upload } from './upload.ts'

export interface Chip {
  readonly key: string
  readonly name: string
  readonly sizeBytes: number
  readonly state: 'uploading' | 'ready' | 'failed'
  /** 0 to 1. */
  readonly progress: number
  readonly attachment: Attachment | null
  readonly error: unknown
  /** For text that was pasted: itself, so that it can be put into the box after all. */
  readonly pasted: string | null
  /** Shows an image before the server has it. */
  readonly preview: string | null
}

export interface DraftState {
  readonly content: string
  readonly chips: readonly Chip[]
  /** The server's draft is in, or something was typed. */
  readonly seeded: boolean
}

export interface DraftBox {
  readonly store: StoreApi<DraftState>
  type(content: string): void
  attach(files: readonly File[], pasted?: string): void
  cancel(key: string): void
  retry(key: string): void
  /** Empties the draft and gives what was in it: everything but failed and unfinished files. */
  take(): { content: string; attachments: Attachment[] }
  /** Puts something back, before what was typed since. */
  putBack(said: { content: string; attachments: readonly Attachment[] }): void
  /** The server's draft has arrived. Typing wins over it. */
  seed(server: Draft | null): void
}

const boxes = new Map<string, DraftBox>()

/** The draft of one chat of one account; `chatId` null is the chat that does not exist yet. */
export function draftOf(accountId: string, chatId: string | null): DraftBox {
  const key = `atrium.draft:${accountId}:${chatId ?? 'new'}`
  const known = boxes.get(key)
  if (known) return known
  const box = createDraft(key, (draft) => saveDraft(chatId, draft))
  boxes.set(key, box)
  return box
}

interface Stored {
  content: string
  attachmentIds: string[]
}

async function saveDraft(chatId: string | null, body: Stored): Promise<void> {
  // Only small bodies may outlive the page; a large draft waits in this browser.
  const options = { keepalive: body.content.length < 30_000 }
  if (chatId) await call(chat.saveDraft, { params: { sessionId: chatId }, body }, options)
  else await call(chat.saveNewDraft, { body }, options)
}

function createDraft(place: string, save: (draft: Stored) => Promise<void>): DraftBox {
  const store = createStore<DraftState>(() => ({ content: '', chips: [], seeded: false }))
  const running = new Map<string, { file: File; abort: AbortController }>()
  const get = store.getState
  const ready = () => get().chips.flatMap((chip) => (chip.attachment ? [chip.attachment] : []))
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving: Promise<void> = Promise.resolve()
  let version = 0

  const keep = (saved: boolean) => {
    const local: LocalDraft = { content: get().content, attachments: ready(), saved }
    try {
      if (!local.content && local.attachments.length === 0 && saved) localStorage.removeItem(place)
      else localStorage.setItem(place, JSON.stringify(local))
    } catch {
      // The browser's space is used up; the server still gets it.
    }
  }
  const push = () => {
    clearTimeout(timer)
    timer = undefined
    const mine = version
    saving = saving
      .then(() => save({ content: get().content, attachmentIds: ready().map((attachment) => attachment.id) }))
      .then(
        () => {
          if (mine === version) keep(true)
        },
        (error: unknown) => {
          // Kept here meanwhile. A chat that is gone needs no draft.
          if (codeOf(error) === 'offline' && mine === version) timer = setTimeout(push, 5000)
        },
      )
  }
  const changed = () => {
    version++
    keep(false)
    clearTimeout(timer)
    timer = setTimeout(push, 700)
  }
  addEventListener('pagehide', () => timer && push())

  const setChip = (key: string, change: Partial<Chip>) =>
    store.setState(({ chips }) => ({ chips: chips.map((chip) => (chip.key === key ? { ...chip, ...change } : chip)) }))
  const send = async (key: string, file: File) => {
    const abort = new AbortController()
    running.set(key, { file, abort })
    setChip(key, { state: 'uploading', progress: 0, error: null })
    try {
      const attachment = await upload(file, abort.signal, (progress) => setChip(key, { progress }))
      setChip(key, { state: 'ready', progress: 1, attachment })
      changed()
    } catch (error) {
      if (!abort.signal.aborted) setChip(key, { state: 'failed', error })
    }
  }
  const forget = (chip: Chip) => {
    running.get(chip.key)?.abort.abort()
    running.delete(chip.key)
    if (chip.preview) URL.revokeObjectURL(chip.preview)
  }

  return {
    store,
    type(content) {
      store.setState({ content, seeded: true })
      changed()
    },
    attach(files, pasted) {
      const names = get().chips.map((chip) => chip.name)
      for (const given of files) {
        const file = pasted === undefined ? given : new File([given], pastedName(names, 'txt'), { type: 'text/plain' })
        names.push(file.name)
        const key = newId()
        const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null
        const chip: Chip = {
          key,
          name: file.name,
          sizeBytes: file.size,
          state: 'uploading',
          progress: 0,
          attachment: null,
          error: null,
          pasted: pasted ?? null,
          preview,
        }
        store.setState(({ chips }) => ({ chips: [...chips, chip], seeded: true }))
        void send(key, file)
      }
    },
    cancel(key) {
      const chip = get().chips.find((other) => other.key === key)
      if (!chip) return
      forget(chip)
      store.setState(({ chips }) => ({ chips: chips.filter((other) => other !== chip) }))
      // What was uploaded but never sent is of no use to anybody; the server sweeps what this does not reach.
      if (chip.attachment)
        void call(chat.removeAttachment, { params: { attachmentId: chip.attachment.id } }).catch(() => undefined)
      changed()
    },
    retry(key) {
      const file = running.get(key)?.file
      if (file) void send(key, file)
    },
    take() {
      const said = { content: get().content, attachments: ready() }
      const left = get().chips.filter((chip) => !chip.attachment)
      for (const chip of get().chips) if (chip.attachment) forget(chip)
      store.setState({ content: '', chips: left, seeded: true })
      changed()
      push()
      return said
    },
    putBack({ content, attachments }) {
      const now = get()
      const joined = [content, now.content].filter(Boolean).join('\n\n')
      store.setState({ content: joined, chips: [...attachments.map(chipOf), ...now.chips], seeded: true })
      changed()
    },
    seed(server) {
      if (get().seeded) return
      const local = parseLocal(localStorage.getItem(place))
      const { content, attachments } = chooseDraft(local, server)
      store.setState({ content, chips: attachments.map(chipOf), seeded: server !== null || local?.saved === false })
      if (local && !local.saved) timer ??= setTimeout(push, 700)
    },
  }
}

const chipOf = (attachment: Attachment): Chip => ({
  key: attachment.id,
  name: attachment.name,
  sizeBytes: attachment.sizeBytes,
  state: 'ready',
  progress: 1,
  attachment,
  error: null,
  pasted: null,
  preview: null,
})
