/** How many tiles stand in a row, and where an arrow key leads from one. Pure. */
const leastTile = 152
export const gap = 12

/** `isNarrow`: a phone, which has two. */
export const columnsOf = (width: number, isNarrow: boolean): number =>
  isNarrow ? 2 : Math.max(1, Math.floor((width + gap) / (leastTile + gap)))

/** The place that a key leads to; null where it leads nowhere. */
export function placeByKey(
  key: string,
  at: number,
  { columns, count, isRtl }: { readonly columns: number; readonly count: number; readonly isRtl: boolean },
): number | null {
  const forward = isRtl ? -1 : 1
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: at + forward,
    ArrowLeft: at - forward,
    ArrowDown: at + columns,
    ArrowUp: at - columns,
    Home: 0,
    End: count - 1,
  }
  const to = steps[key]
  return to === undefined || to < 0 || to >= count ? null : to
}
