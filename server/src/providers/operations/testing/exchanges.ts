/** Recorded exchanges of every format. */
import type { Exchange } from './exchange.ts'
import { embeddings } from './embeddings.ts'
import { images } from './images.ts'
import { sounds } from './sounds.ts'
import { speech } from './speech.ts'
import { transcriptions } from './transcriptions.ts'
import { videos } from './videos.ts'

export const exchanges: readonly Exchange[] = [
  ...images,
  ...sounds,
  ...speech,
  ...transcriptions,
  ...embeddings,
  ...videos,
]
