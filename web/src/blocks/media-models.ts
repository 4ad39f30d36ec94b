/** The models that make media, and the jobs of making: what the gallery and the chat both have to tell of them. Pure. */
import type { MediaItem, MediaJob, MediaJobFailure, MediaModel } from '@atrium/contract/media-gallery'
import type { Preferences } from '@atrium/contract/settings'

/** What tells a model from all others, and finds the one that made an item. */
export const mediaModelKey = ({ pluginId, model }: Pick<MediaItem, 'pluginId' | 'model'>): string =>
  `${pluginId}/${model}`

/** Of the model that the settings name for a kind; null: they name none. */
export const usualModelKey = (set: Preferences['mediaDefaults']['image']): string | null =>
  set ? mediaModelKey({ pluginId: set.providerId, model: set.model }) : null

/** From how many pictures a model draws another one, as the server tells of each that draws; 0: from words alone. */
export const sourcesOf = ({ config }: Pick<MediaModel, 'config'>): number => {
  const most = config['max_reference_images']
  return typeof most === 'number' ? most : 0
}

export const isActiveJob = ({ status }: Pick<MediaJob, 'status'>): boolean =>
  status === 'pending' || status === 'in_progress'

/** Why a film failed that its provider may still have. */
export const resumableFailures: ReadonlySet<MediaJobFailure> = new Set([
  'interrupted',
  'timed_out',
  'unreachable',
  'no_room',
])
