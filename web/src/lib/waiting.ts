/** How much waits for somebody: before the name of the tab, and at the icon of the installed app. */
import { create } from 'zustand'

const useCounts = create<Readonly<Record<string, number>>>(() => ({}))

/** What calls for somebody may be told by several parts: the largest number counts. */
const largest = (counts: Readonly<Record<string, number>>): number => Math.max(0, ...Object.values(counts))

export const useWaiting = (): number => useCounts(largest)

export function setWaiting(part: string, count: number): void {
  const before = largest(useCounts.getState())
  useCounts.setState({ [part]: count })
  const now = largest(useCounts.getState())
  if (now === before) return
  // Not every browser has it, and none must.
  const shown = now > 0 ? navigator.setAppBadge?.(now) : navigator.clearAppBadge?.()
  shown?.catch(() => undefined)
}
