import { links } from '../../../lib/links.ts'

/** The page of one job in the settings. */
export const jobAddress = (id: string): string => `${links.settings('jobs')}/${encodeURIComponent(id)}`
