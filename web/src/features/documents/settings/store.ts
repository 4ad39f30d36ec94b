import { documentsRoutes, type EmbeddingSettings, type EmbeddingSettingsPatch } from '@atrium/contract/documents'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { saveInTurn } from '../../../api/saves.ts'

/** Changes some of the settings of documents; what follows from them is asked for again. */
export async function saveSettings(body: EmbeddingSettingsPatch): Promise<void> {
  await store(() => call(documentsRoutes.updateEmbeddingSettings, { body }))
}

export async function resetSettings(): Promise<void> {
  await store(() => call(documentsRoutes.resetEmbeddingSettings))
}

async function store(save: () => Promise<EmbeddingSettings>): Promise<void> {
  await saveInTurn(documentsRoutes.embeddingSettings, save)
  void refresh(documentsRoutes.embeddingsStatus)
}
