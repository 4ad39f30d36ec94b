/**
 * The landmark that a layer belongs to, so that screen readers find it in its part of the page; undefined inside a
 * dialog, which holds its own layers.
 */
export function landmarkOf(anchor: unknown): HTMLElement | undefined {
  if (!(anchor instanceof Element) || anchor.closest('[role="dialog"]')) return undefined
  return anchor.closest<HTMLElement>('main, nav, aside') ?? undefined
}
