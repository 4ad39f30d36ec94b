import { useIsAdmin, usePreferences } from '../../api/account.ts'
import type { RailEntry } from '../../lib/feature.ts'
import { features } from '../features.ts'

/** Every entry that the person may have, whether it is shown or not. */
export function useRailEntries(): RailEntry[] {
  const admin = useIsAdmin()
  return features.flatMap(({ rail }) => (rail && (admin || !rail.adminOnly) ? [rail] : []))
}

export const useRailChoice = () => usePreferences().rail
