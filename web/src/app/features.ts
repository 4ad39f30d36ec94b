/** Every feature of the app, in the order of the rail. */
import type { Feature } from '../lib/feature.ts'
import { registerSettings } from '../lib/settings.ts'
import { chatFeature } from '../features/chat/index.tsx'
import { documentsFeature } from '../features/documents/index.tsx'
import { searchFeature } from '../features/search/index.tsx'
import { settingsFeature } from '../features/settings/index.tsx'
import { usageFeature } from '../features/usage/index.tsx'

export const features: readonly Feature[] = [
  chatFeature,
  documentsFeature,
  searchFeature,
  usageFeature,
  settingsFeature,
]

for (const feature of features) if (feature.settings) registerSettings(feature.settings)
