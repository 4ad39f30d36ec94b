/**
 * Everything that can be done by keys or from the palette. A feature defines its actions once, with their usual keys;
 * a component that can do one takes it over while it is there.
 */
import type { LucideIcon } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'

export interface Action {
  /** Stable, such as `chat.new`: rebound keys are stored under it. */
  id: string
  /** Where its name is found, such as `chat-list:action.new`. */
  name: string
  /** The usual keys, such as `Mod+Shift+O`. */
  keys?: string
  icon?: LucideIcon
  /** More words that find it in the palette, as a key of texts. */
  words?: string
  /** Offered while one writes, after `/`, by this word: in English, one word, as `rename`. */
  command?: string
  /** Not worth an entry in the palette: only keys. */
  keysOnly?: boolean
  /** Not offered in the palette to anybody else. */
  adminOnly?: boolean
  /** Works while a dialog is open, too. */
  overDialogs?: boolean
  /** What it does wherever one is; without it, it works only while a component offers it by `useAction`. */
  run?: (go: Navigate) => void
}

/** Opens an address of this app; `state` travels with it and is not in the address. */
export type Navigate = (to: string, state?: Record<string, unknown>) => void

/** Keys that a part of the page hears by itself and that cannot be changed, for the list of shortcuts. */
export interface FixedKeys {
  /** A key of texts. */
  name: string
  keys: string
}

const defined = new Map<string, Action>()
const fixed = new Map<string, readonly FixedKeys[]>()
const offered = new Map<string, { current: () => void }[]>()

/** Adds actions; at module level. */
export function defineActions(actions: readonly Action[]): void {
  for (const action of actions) defined.set(action.id, action)
}

/** Adds keys of a part of the page under a heading, which is a key of texts; at module level. */
export const defineFixedKeys = (heading: string, keys: readonly FixedKeys[]): void => void fixed.set(heading, keys)

/** Fixed keys by their headings. */
export const listFixedKeys = (): ReadonlyMap<string, readonly FixedKeys[]> => fixed

/** All actions, in the order they were defined. */
export const listActions = (): Action[] => [...defined.values()]

/** Under which headings lists of shortcuts have them, in this order. */
export const actionGroups = ['general', 'chat', 'channels', 'pages'] as const

/** What leads to a page stands apart from what does something; what a chat can do stands together, and what a channel can. */
export function groupOfAction({ id, run }: Action): (typeof actionGroups)[number] {
  if (id.startsWith('chat.')) return 'chat'
  if (id.startsWith('channels.')) return 'channels'
  return run && !/^(?:theme|account|shortcuts)\./.test(id) ? 'pages' : 'general'
}

/** Offers to do an action while the component is there and `enabled`; the latest offer wins. */
export function useAction(id: string, run: () => void, enabled = true): void {
  const latest = useRef(run)
  // With what is seen, not a moment later: a key may be pressed as soon as it is there.
  useLayoutEffect(() => {
    latest.current = run
  })
  useLayoutEffect(() => {
    if (!enabled) return
    const stack = offered.get(id) ?? []
    offered.set(id, stack)
    stack.push(latest)
    return () => void stack.splice(stack.indexOf(latest), 1)
  }, [id, enabled])
}

/** Whether an action would do something just now. */
export const canRun = (id: string): boolean => Boolean(offered.get(id)?.length || defined.get(id)?.run)

/** Does an action; false where nothing can do it just now. */
export function runAction(id: string, go: Navigate): boolean {
  const offer = offered.get(id)?.at(-1)
  const run = defined.get(id)?.run
  if (offer) offer.current()
  else if (run) run(go)
  else return false
  return true
}
