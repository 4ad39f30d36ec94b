import {
  documentKnowledge,
  type EmbeddingSettings,
  type EmbeddingSettingsPatch,
} from '@atrium/contract/document-knowledge'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient, refresh } from '../../../api/query.ts'

const key = keyOf(documentKnowledge.embeddingSettings)

/** Changes some of the settings of documents; what follows from them is asked for again. */
export async function saveSettings(body: EmbeddingSettingsPatch): Promise<void> {
  take(await call(documentKnowledge.updateEmbeddingSettings, { body }))
}

export async function resetSettings(): Promise<void> {
  take(await call(documentKnowledge.resetEmbeddingSettings))
}

function take(settings: EmbeddingSettings): void {
  queryClient.setQueryData(key, settings)
  void refresh(documentKnowledge.embeddingsStatus)
}
