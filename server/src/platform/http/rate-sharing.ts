/**
 * Counts of rate rules, told between processes. All hear the messages in one order, their own among them: when a process
 * hears its own, it knows what was counted before it.
 */
import { z } from 'zod'

/** The other processes, and the way to all of them, this one too. */
export interface RateChannel {
  /** How many processes there are, with this one. */
  processes(): number
  tell(message: string): Promise<void>
  listen(hear: (message: string) => void): () => void
}

/** What was counted for a caller under one rule. */
export interface RateWindow {
  /** Of all processes, as far as it was heard. */
  counted: number
  /** Of this one, and not heard back yet. */
  unconfirmed: number
  endsAt: number
}

/** Where counts of other processes belong: a window that ends by then, which is begun where there is none. */
export type OpenWindow = (rule: string, key: string, leftMs: number) => RateWindow

export interface RateSharing {
  /** How many requests of a rule may be let in before the others know of them: together they are a twentieth of it. */
  creditOf(max: number): number
  /** Counts a request. The others are told soon. */
  add(rule: string, key: string, window: RateWindow): void
  /** Counts a request, and gives its place among those of all processes. */
  place(rule: string, key: string, window: RateWindow): Promise<number>
  stop(): void
}

interface Pending {
  readonly rule: string
  readonly key: string
  readonly window: RateWindow
  count: number
  readonly waiting: ((place: number) => void)[]
}

const Message = z.tuple([z.string(), z.number(), z.array(z.tuple([z.string(), z.string(), z.number(), z.number()]))])

const share = 0.05
/** How long the others may wait to hear of what nobody waits for. */
const shareEveryMs = 100
/** Nobody waits longer to know their place, and what was told by then is taken as heard: the database may be away. */
const usualPatienceMs = 1000
/** What fits into one message. */
const mostBytes = 7000

export const createRateSharing = (
  channel: RateChannel,
  {
    processId,
    now,
    openWindow,
    patienceMs = usualPatienceMs,
  }: { processId: string; now: () => number; openWindow: OpenWindow; patienceMs?: number | undefined },
): RateSharing => {
  let pending = new Map<string, Pending>()
  const sent = new Map<number, { readonly all: readonly Pending[]; readonly late: NodeJS.Timeout }>()
  let last = 0
  let isTelling = false
  let timer: NodeJS.Timeout | null = null

  const settle = (id: number): void => {
    const message = sent.get(id)
    if (!message) return
    sent.delete(id)
    clearTimeout(message.late)
    for (const { window, count, waiting } of message.all) {
      window.counted += count
      window.unconfirmed -= count
      const before = window.counted - waiting.length
      for (const [index, resolve] of waiting.entries()) resolve(before + index + 1)
    }
  }
  const hear = (text: string): void => {
    const { success, data } = Message.safeParse(JSON.parse(text))
    if (!success) return
    const [sender, id, counts] = data
    if (sender === processId) settle(id)
    else for (const [rule, key, count, leftMs] of counts) openWindow(rule, key, leftMs).counted += count
  }
  /** As many as fit; the others go with the next message. */
  const takeSome = (): Pending[] => {
    const some: Pending[] = []
    let bytes = 0
    for (const [name, one] of pending) {
      bytes += Buffer.byteLength(name) + 40
      if (bytes > mostBytes && some.length > 0) break
      some.push(one)
      pending.delete(name)
    }
    return some
  }
  const tell = async (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    if (isTelling) return
    isTelling = true
    // Those who come in the same moment share a message.
    await Promise.resolve()
    while (pending.size > 0) {
      const id = ++last
      const all = takeSome()
      sent.set(id, { all, late: setTimeout(() => settle(id), patienceMs).unref() })
      const counts = all.map(({ rule, key, count, window }) => [rule, key, count, Math.max(0, window.endsAt - now())])
      try {
        await channel.tell(JSON.stringify([processId, id, counts]))
      } catch {
        // The database is away: what was let in counts here alone.
        settle(id)
      }
    }
    isTelling = false
  }
  const note = (rule: string, key: string, window: RateWindow): Pending => {
    const name = `${rule} ${key}`
    const known = pending.get(name)
    const one = known?.window === window ? known : { rule, key, window, count: 0, waiting: [] }
    if (known && one !== known) pending.set(`${name} ${last} ${pending.size}`, known)
    pending.set(name, one)
    one.count += 1
    window.unconfirmed += 1
    return one
  }
  const unlisten = channel.listen(hear)

  return {
    creditOf: (max) => Math.floor((max * share) / channel.processes()),
    add(rule, key, window) {
      note(rule, key, window)
      timer ??= setTimeout(() => void tell(), shareEveryMs).unref()
    },
    place: (rule, key, window) =>
      new Promise((resolve) => {
        // While nobody is told, the place is the one that is known here.
        const late = setTimeout(() => resolve(window.counted + window.unconfirmed), patienceMs)
        note(rule, key, window).waiting.push((found) => {
          clearTimeout(late)
          resolve(found)
        })
        void tell()
      }),
    stop() {
      if (timer) clearTimeout(timer)
      unlisten()
      for (const id of sent.keys()) settle(id)
      pending = new Map()
    },
  }
}
