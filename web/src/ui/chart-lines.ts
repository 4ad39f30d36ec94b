/** The lines of a chart. */
export interface ChartLine {
  readonly name: string
  /** As many as there are times; null where nothing is known. */
  readonly values: readonly (number | null)[]
}

/** The colours of the lines, in their order, as variables of the theme; further lines begin anew. */
export const lineColours = ['accent', 'info-ink', 'warn-ink', 'danger-ink', 'ok-ink'] as const
