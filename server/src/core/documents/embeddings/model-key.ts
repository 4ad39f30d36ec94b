/** The key of the model that made a vector: `<provider>/<model>`. */
import type { EmbeddingSettings } from '@atrium/contract/documents'

export const modelKey = ({ providerId, model }: Pick<EmbeddingSettings, 'providerId' | 'model'>): string =>
  `${providerId}/${model}`
