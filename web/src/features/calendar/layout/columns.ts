/** Where the events of one day stand beside each other. Pure. */

/** In minutes of the day. */
export interface Stretch {
  readonly key: string
  readonly start: number
  readonly end: number
}

/** Of `columns` equal ones, it begins at `column` and takes `span`. */
export interface Column {
  readonly column: number
  readonly span: number
  readonly columns: number
}

/** Shorter ones are drawn, and kept apart, as if they took this long: a name needs its room. */
export const shortestDrawn = 30

/**
 * A place for each: events at the same time stand beside each other, earlier and longer ones first; one that has nothing
 * beside it on its end takes that room, too.
 */
export function layOutColumns(stretches: readonly Stretch[]): Map<string, Column> {
  const sorted = [...stretches].sort((a, b) => a.start - b.start || b.end - a.end || (a.key < b.key ? -1 : 1))
  const places = new Map<string, Column>()
  for (const group of groupsOf(sorted)) {
    const columns: Stretch[][] = []
    const columnOf = new Map<string, number>()
    for (const each of group) {
      const free = columns.findIndex((column) => column.every((other) => !overlap(other, each)))
      const at = free < 0 ? columns.push([]) - 1 : free
      columns[at]?.push(each)
      columnOf.set(each.key, at)
    }
    for (const each of group) {
      const column = columnOf.get(each.key) ?? 0
      let span = 1
      while (columns[column + span]?.every((other) => !overlap(other, each))) span++
      places.set(each.key, { column, span, columns: columns.length })
    }
  }
  return places
}

/** Parts it into groups that have no minute in common; `sorted` by their start. */
function groupsOf(sorted: readonly Stretch[]): Stretch[][] {
  const groups: Stretch[][] = []
  let end = -1
  for (const each of sorted) {
    if (each.start >= end) groups.push([])
    groups.at(-1)?.push(each)
    end = Math.max(end, drawnEnd(each))
  }
  return groups
}

const drawnEnd = ({ start, end }: Stretch): number => Math.max(end, start + shortestDrawn)
const overlap = (a: Stretch, b: Stretch): boolean => a.start < drawnEnd(b) && b.start < drawnEnd(a)
