/** What of the page stands in its address. */
export const harnessTabs = ['runs', 'automations', 'usage', 'configuration'] as const
export type HarnessTab = (typeof harnessTabs)[number]

export interface HarnessSearch {
  /** The runs, where it says nothing. */
  tab?: HarnessTab
  /** The run that is open. */
  run?: string
}

export function readSearch({ tab, run }: Record<string, unknown>): HarnessSearch {
  const known = harnessTabs.find((one) => one === tab)
  return {
    ...(known && known !== 'runs' ? { tab: known } : {}),
    ...(typeof run === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(run) ? { run } : {}),
  }
}

export const harnessLink = ({ tab, run }: HarnessSearch = {}): string => {
  const given = new URLSearchParams([
    ...(tab && tab !== 'runs' ? [['tab', tab]] : []),
    ...(run ? [['run', run]] : []),
  ]).toString()
  return `/harness${given && `?${given}`}`
}
