/**
 * The files that are uploaded, three at a time, wherever the person goes in the app. Nothing is lost in silence: a
 * broken connection is waited for, and what the server refuses stays here with its reason.
 */
import type { Document } from '@atrium/contract/documents'
import { create } from 'zustand'
import { codeOf, Problem } from '../../../api/errors.ts'
import { newId } from '../../../lib/id.ts'
import { refreshSoon } from '../data/cache.ts'
import type { DroppedFile } from './entries.ts'
import { type UploadRefusal, refusalOf } from './rules.ts'
import { sendFile } from './send.ts'

export interface Upload {
  readonly key: string
  readonly file: File
  readonly folder: string
  readonly collectionId: string | null
  /** `reading`: the server has it. `retrying`: a while until the next try. */
  readonly state: 'waiting' | 'sending' | 'retrying' | 'reading' | 'done' | 'known' | 'failed' | 'refused'
  /** Of its bytes, 0 to 1. */
  readonly share: number
  readonly error: unknown
  readonly refusal: UploadRefusal | null
  readonly document: Document | null
}

interface Queue {
  readonly items: readonly Upload[]
  readonly paused: boolean
  /** Files of the system in folders, which were not taken. */
  readonly leftOut: number
  /** Files that the browser may not read, by name. */
  readonly unreadable: readonly string[]
  /** When the first of those under way began, and how much had been sent then. */
  readonly since: { readonly at: number; readonly bytes: number } | null
}

const atOnce = 3
const mostTries = 6
export const useQueue = create<Queue>(() => ({ items: [], paused: false, leftOut: 0, unreadable: [], since: null }))

const under = new Map<string, AbortController>()
/** Ends the wait of those that try again. */
const awake = new Set<() => void>()

export const isUnderWay = ({ state }: Upload): boolean =>
  state === 'waiting' || state === 'sending' || state === 'retrying'
export const sentBytes = (items: readonly Upload[]): number =>
  items.reduce((sum, { file, share, state }) => sum + (state === 'refused' ? 0 : file.size * share), 0)

/** Adds files; those that cannot be read anyway are refused at once, with the reason. */
export function addFiles(
  files: readonly DroppedFile[],
  collectionId: string | null,
  missed: { leftOut?: number; unreadable?: readonly string[] } = {},
): void {
  const items = files.map(({ file, folder }): Upload => {
    const refusal = refusalOf(file)
    const state = refusal ? 'refused' : 'waiting'
    return { key: newId(), file, folder, collectionId, state, share: 0, error: null, refusal, document: null }
  })
  useQueue.setState((queue) => ({
    items: [...queue.items, ...items],
    leftOut: queue.leftOut + (missed.leftOut ?? 0),
    unreadable: [...queue.unreadable, ...(missed.unreadable ?? [])],
  }))
  pump()
}

export function pauseQueue(paused: boolean): void {
  useQueue.setState({ paused, since: null })
  pump()
}

/** Takes one out; what is being sent is stopped. */
export function dropUpload(key: string): void {
  under.get(key)?.abort()
  useQueue.setState((queue) => ({ items: queue.items.filter((item) => item.key !== key) }))
}

/** Stops everything that the server does not have yet. */
export function stopUploads(): void {
  for (const item of useQueue.getState().items) if (isUnderWay(item)) dropUpload(item.key)
}

export function retryUpload(key: string): void {
  changeUpload(key, { state: 'waiting', share: 0, error: null, refusal: null })
  pump()
}

/** Forgets all that have come to an end. */
export function clearQueue(): void {
  useQueue.setState((queue) => ({
    items: queue.items.filter((item) => isUnderWay(item) || item.state === 'reading'),
    leftOut: 0,
    unreadable: [],
  }))
}

export function changeUpload(key: string, changes: Partial<Upload>): void {
  useQueue.setState((queue) => ({
    items: queue.items.map((item) => (item.key === key ? { ...item, ...changes } : item)),
  }))
}

function pump(): void {
  const { items, paused } = useQueue.getState()
  const some = items.some(isUnderWay)
  guardTab(some)
  if (!some) useQueue.setState({ since: null })
  if (paused) return
  for (const item of items) {
    if (under.size >= atOnce) return
    if (item.state === 'waiting' && !under.has(item.key)) void work(item)
  }
}

async function work({ key, file, collectionId }: Upload): Promise<void> {
  const stop = new AbortController()
  under.set(key, stop)
  useQueue.setState((queue) => ({ since: queue.since ?? { at: Date.now(), bytes: sentBytes(queue.items) } }))
  try {
    for (let tries = 1; ; tries++) {
      changeUpload(key, { state: 'sending', share: 0 })
      try {
        const document = await sendFile(file, collectionId, stop.signal, progressOf(key))
        changeUpload(key, { state: document.deduplicated ? 'known' : 'reading', share: 1, document, error: null })
        refreshSoon()
        return
      } catch (error) {
        if (stop.signal.aborted) return
        if (!isPassing(error) || (codeOf(error) !== 'offline' && tries >= mostTries)) {
          changeUpload(key, { state: 'failed', error })
          return
        }
        changeUpload(key, { state: 'retrying', share: 0, error })
        await pause(Math.min(30_000, 1000 * 2 ** (tries - 1)), stop.signal)
        if (stop.signal.aborted) return
      }
    }
  } finally {
    under.delete(key)
    pump()
  }
}

/** Whether it may go well another time: no connection, a server that starts, stops or has too much to do. */
const isPassing = (error: unknown): boolean =>
  error instanceof Problem &&
  (error.code === 'offline' || error.status === 429 || (error.status >= 500 && error.status !== 507))

/** Tells of every hundredth, not of every packet. */
function progressOf(key: string) {
  let told = 0
  return (share: number) => {
    if (share < 1 && share - told < 0.01) return
    told = share
    changeUpload(key, { share })
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      awake.delete(done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    awake.add(done)
    signal.addEventListener('abort', done)
  })
}
addEventListener('online', () => {
  for (const wake of awake) wake()
})

let guarded = false
const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/** While something is uploaded the browser asks before it closes the tab. */
function guardTab(wanted: boolean): void {
  if (wanted === guarded) return
  guarded = wanted
  if (wanted) addEventListener('beforeunload', ask)
  else removeEventListener('beforeunload', ask)
}
