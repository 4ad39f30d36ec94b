/** Settings and the palette know the actions of the calendar, too; it has no settings of its own. */
import type { FeatureSettings } from '../../lib/settings.ts'
import './actions.ts'

export const settings: FeatureSettings = {}
