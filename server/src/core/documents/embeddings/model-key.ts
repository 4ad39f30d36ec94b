/** By what vectors are told apart: `<provider>/<model>`. */
import type { EmbeddingSettings } from '@atrium/contract/documents'

export const modelKey = ({ providerId, model }: Pick<EmbeddingSettings, 'providerId' | 'model'>): string =>
  `${providerId}/${model}`
