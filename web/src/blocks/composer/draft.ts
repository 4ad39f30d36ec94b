/**
 * What is typed and attached but not sent. Kept in this browser at once and on the server within a second; it outlives
 * switching between chats, and uploads go on meanwhile.
 */
import { type Attachment, chatRoutes, type Draft, type Quote, type SentDocument } from '@atrium/contract/chat'
import { type Document, documentsRoutes } from '@atrium/contract/documents'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { call } from '../../api/client.ts'
import { codeOf } from '../../api/errors.ts'
import { refresh } from '../../api/query.ts'
import { newId } from '../../lib/id.ts'
import { blankChip, chipOf, chipOfDocument, type DraftFile } from './draft-file.ts'
import { hasRoomFor } from './quotes.ts'
import { chooseDraft, destinationOf, type LocalDraft, parseLocal, pastedName } from './draft-rules.ts'

export interface DraftState {
  readonly content: string
  /** Before the text, when it is sent. */
  readonly quotes: readonly Quote[]
  readonly chips: readonly DraftFile[]
  /** The server's draft is in, or something was typed. */
  readonly seeded: boolean
}

/** Fetches files that come from somewhere else. */
type FetchFiles = (signal: AbortSignal) => Promise<readonly File[]>

/** Has the server put a document into a chat, and gives it. */
export type BringDocument = (sessionId: string, signal: AbortSignal) => Promise<NonNullable<DraftFile['document']>>

export interface DraftBox {
  readonly store: StoreApi<DraftState>
  type(content: string): void
  /** Adds words of a message; false where the message has no room for them. */
  quote(quote: Quote): boolean
  removeQuote(id: string): void
  /** Adds files; what becomes of each is decided by its kind and size unless `home` says. */
  attach(files: readonly File[], pasted?: string, home?: DraftFile['home']): void
  /** Adds a document that the server itself gets: `bring` puts it into the chat. */
  bring(name: string, bring: BringDocument): void
  /** Adds files that have to be fetched first, with one chip until they are there. */
  attachLater(name: string, fetch: FetchFiles): void
  /** Takes a chip away; what was uploaded for the message goes, too, a document stays with its chat. */
  cancel(key: string): void
  /** Puts the chip of a document back. */
  restore(chip: DraftFile): void
  retry(key: string): void
  /** The file of a chip, while this page has it. */
  fileOf(key: string): File | undefined
  /** Makes a document of an attachment, or the other way round. */
  convert(key: string): void
  /** Empties the draft and gives what was in it: everything but failed and unfinished files. */
  take(): { content: string; quotes: readonly Quote[]; attachments: Attachment[]; documents: SentDocument[] }
  /** Puts something back, before what was typed since. */
  putBack(said: TakenDraft): void
  /** The server's draft has arrived. Typing wins over it. */
  seed(server: Draft | null): void
  /** These are the documents of the chat: chips of others go, and each of them has one. */
  showDocuments(sessionId: string, documents: readonly Document[]): void
  /** Hands over what went off while it was still being read, to the draft of the chat that it is in now. */
  handOverSent(other: DraftBox): void
  /** On the start page: gives the id of the chat that documents go to, once it is there. */
  chatForDocuments: (() => Promise<string>) | null
}

interface TakenDraft {
  readonly content: string
  readonly quotes?: readonly Quote[] | undefined
  readonly attachments: readonly Attachment[]
  readonly documents?: readonly SentDocument[] | undefined
}

const boxes = new Map<string, DraftBox>()

/** The draft of one chat of one account; `chatId` null is the chat that does not exist yet. */
export function draftOf(accountId: string, chatId: string | null): DraftBox {
  const key = `atrium.draft:${accountId}:${chatId ?? 'new'}`
  const known = boxes.get(key)
  if (known) return known
  const box = createDraft(key, chatId, (draft) => saveDraft(chatId, draft))
  boxes.set(key, box)
  return box
}

interface Stored {
  content: string
  quotes: Quote[]
  attachmentIds: string[]
}

async function saveDraft(chatId: string | null, body: Stored): Promise<void> {
  // A large one waits in this browser.
  const options = { keepalive: true }
  if (chatId) await call(chatRoutes.saveDraft, { params: { sessionId: chatId }, body }, options)
  else await call(chatRoutes.saveNewDraft, { body }, options)
}

function createDraft(place: string, chatId: string | null, save: (draft: Stored) => Promise<void>): DraftBox {
  const store = createStore<DraftState>(() => ({ content: '', quotes: [], chips: [], seeded: false }))
  const running = new Map<string, { from: File | BringDocument | { fetch: FetchFiles }; abort: AbortController }>()
  const get = store.getState
  const ready = () => get().chips.flatMap((chip) => (chip.attachment ? [chip.attachment] : []))
  const documents = () => get().chips.flatMap((chip) => (chip.document && !chip.sent ? [chip.document] : []))
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving: Promise<void> = Promise.resolve()
  let version = 0
  /** The chips of documents that went with the last question, should it come back. */
  let taken: readonly DraftFile[] = []

  const keep = (saved: boolean) => {
    const { content, quotes } = get()
    const local: LocalDraft = { content, quotes, attachments: ready(), documents: documents(), saved }
    const nothing = !content && [quotes, local.attachments, local.documents].every(({ length }) => length === 0)
    try {
      if (nothing && saved) localStorage.removeItem(place)
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
      .then(() =>
        save({ content: get().content, quotes: [...get().quotes], attachmentIds: ready().map(({ id }) => id) }),
      )
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

  const setChip = (key: string, change: Partial<DraftFile>) =>
    store.setState(({ chips }) => ({ chips: chips.map((chip) => (chip.key === key ? { ...chip, ...change } : chip)) }))
  const send = async (key: string, from: File | BringDocument | { fetch: FetchFiles }, home: DraftFile['home']) => {
    const abort = new AbortController()
    running.set(key, { from, abort })
    const onProgress = (progress: number) => setChip(key, { state: 'uploading', progress })
    setChip(key, { state: home === 'document' ? 'waiting' : 'uploading', progress: 0, error: null })
    try {
      if (typeof from === 'function') {
        setChip(key, { state: 'uploading' })
        setChip(key, { state: 'ready', progress: 1, document: await from(await chatOfDocuments(), abort.signal) })
        void refresh(documentsRoutes.ofSession)
      } else if (!(from instanceof File)) {
        setChip(key, { state: 'uploading' })
        const files = await from.fetch(abort.signal)
        if (abort.signal.aborted) return
        box.cancel(key)
        box.attach(files)
      } else if (home === 'attachment') {
        const { upload } = await import('./upload.ts')
        const attachment = await upload(from, abort.signal, onProgress)
        setChip(key, { state: 'ready', progress: 1, attachment })
      } else {
        const { refusalOf, uploadDocument } = await import('./upload-document.ts')
        const refusal = refusalOf(from)
        if (refusal) throw refusal
        const document = await uploadDocument(from, { sessionId: await chatOfDocuments() }, abort.signal, onProgress)
        setChip(key, { state: 'ready', progress: 1, document })
      }
      changed()
    } catch (error) {
      if (!abort.signal.aborted) setChip(key, { state: 'failed', error })
    }
  }
  const chatOfDocuments = async () => chatId ?? (await box.chatForDocuments?.()) ?? ''
  const add = (file: File, home: DraftFile['home'], pasted: string | null) => {
    const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null
    const chip = { ...blankChip, key: newId(), name: file.name, sizeBytes: file.size, home, pasted, preview }
    store.setState(({ chips }) => ({ chips: [...chips, chip], seeded: true }))
    void send(chip.key, file, home)
  }
  const forget = (chip: DraftFile) => {
    running.get(chip.key)?.abort.abort()
    running.delete(chip.key)
    if (chip.preview) URL.revokeObjectURL(chip.preview)
  }

  const box: DraftBox = {
    store,
    type(content) {
      store.setState({ content, seeded: true })
      changed()
    },
    quote(quote) {
      const { content, quotes } = get()
      if (!hasRoomFor(quote, content, quotes)) return false
      store.setState({ quotes: [...quotes, quote], seeded: true })
      changed()
      return true
    },
    removeQuote(id) {
      store.setState(({ quotes }) => ({ quotes: quotes.filter((quote) => quote.id !== id) }))
      changed()
    },
    attach(files, pasted, home) {
      const names = get().chips.map((chip) => chip.name)
      for (const given of files) {
        const file = pasted === undefined ? given : new File([given], pastedName(names, 'txt'), { type: 'text/plain' })
        names.push(file.name)
        add(file, home ?? destinationOf(file), pasted ?? null)
      }
    },
    bring(name, bring) {
      const chip: DraftFile = { ...blankChip, key: newId(), name, home: 'document' }
      store.setState(({ chips }) => ({ chips: [...chips, chip], seeded: true }))
      void send(chip.key, bring, 'document')
    },
    attachLater(name, fetch) {
      const chip: DraftFile = { ...blankChip, key: newId(), name }
      store.setState(({ chips }) => ({ chips: [...chips, chip], seeded: true }))
      void send(chip.key, { fetch }, 'attachment')
    },
    cancel(key) {
      const chip = get().chips.find((other) => other.key === key)
      if (!chip) return
      forget(chip)
      store.setState(({ chips }) => ({ chips: chips.filter((other) => other.key !== key) }))
      // What was uploaded but never sent is of no use to anybody; the server sweeps what this does not reach.
      if (chip.attachment)
        void call(chatRoutes.removeAttachment, { params: { attachmentId: chip.attachment.id } }).catch(() => undefined)
      changed()
    },
    restore(chip) {
      store.setState(({ chips }) => ({ chips: [...chips.filter(({ key }) => key !== chip.key), chip] }))
      changed()
    },
    fileOf(key) {
      const from = running.get(key)?.from
      return from instanceof File ? from : undefined
    },
    convert(key) {
      const chip = get().chips.find((other) => other.key === key)
      const file = box.fileOf(key)
      if (!chip || !file) return
      box.cancel(key)
      add(file, chip.home === 'document' ? 'attachment' : 'document', chip.pasted)
    },
    retry(key) {
      const from = running.get(key)?.from
      const home = get().chips.find((chip) => chip.key === key)?.home
      if (from && home) void send(key, from, home)
    },
    take() {
      const said = {
        content: get().content,
        quotes: get().quotes,
        attachments: ready(),
        documents: documents().map(({ id, filename: name, size: sizeBytes }) => ({ id, name, sizeBytes })),
      }
      const left = get().chips.flatMap((chip) =>
        chip.attachment ? [] : [chip.document ? { ...chip, sent: true } : chip],
      )
      taken = get().chips.filter((chip) => chip.document && !chip.sent)
      for (const chip of get().chips) if (chip.attachment) forget(chip)
      store.setState({ content: '', quotes: [], chips: left, seeded: true })
      changed()
      push()
      return said
    },
    putBack({ content, quotes = [], attachments, documents: sent = [] }) {
      const back = taken.filter(({ document }) => sent.some(({ id }) => id === document?.id))
      const now = { ...get(), chips: get().chips.filter(({ key }) => !back.some((chip) => chip.key === key)) }
      const joined = [content, now.content].filter(Boolean).join('\n\n')
      const chips = [...attachments.map(chipOf), ...back, ...now.chips]
      store.setState({ content: joined, quotes: [...quotes, ...now.quotes], chips, seeded: true })
      changed()
    },
    seed(server) {
      if (get().seeded) return
      const local = parseLocal(localStorage.getItem(place))
      const { content, quotes, attachments } = chooseDraft(local, server)
      const chips = [...attachments.map(chipOf), ...(local?.documents ?? []).map(chipOfDocument)]
      store.setState({ content, quotes, chips, seeded: server !== null || local?.saved === false })
      if (local && !local.saved) timer ??= setTimeout(push, 700)
    },
    showDocuments(sessionId, shown) {
      const { chips } = get()
      const here = chips.filter(({ document }) => document === null || document.sessionId === sessionId)
      const more = shown.filter(({ id }) => !here.some(({ document }) => document?.id === id))
      if (here.length === chips.length && more.length === 0) return
      store.setState({ chips: [...here, ...more.map(chipOfDocument)] })
      keep(false)
    },
    handOverSent(other) {
      const sent = get().chips.filter((chip) => chip.sent)
      if (sent.length === 0) return
      store.setState(({ chips }) => ({ chips: chips.filter((chip) => !chip.sent) }))
      other.store.setState(({ chips }) => ({
        chips: [...chips.filter(({ key }) => !sent.some((chip) => chip.key === key)), ...sent],
      }))
    },
    chatForDocuments: null,
  }
  return box
}
