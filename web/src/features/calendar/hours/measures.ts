/** Measures of the grid of hours, in pixels. */
export const hourHeight = 48
export const minutePixels = hourHeight / 60
export const bandHeight = 25
/** No event is drawn lower. */
export const leastHeight = 24

/** The hours, and so many days. */
export const columnsOf = (days: number): React.CSSProperties => ({
  gridTemplateColumns: `3.5rem repeat(${days}, minmax(0, 1fr))`,
})
