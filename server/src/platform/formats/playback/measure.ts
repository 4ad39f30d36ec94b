/** Measures films and sound by what their heads say; nothing is decoded, and only some places of a file are read. */
import { measureAac, measureFlac, measureMp3, measureOgg, measureWav } from './sound.ts'
import { measureMp4 } from './mp4.ts'
import { type Measures, type ReadableParts, unmeasured } from './parts.ts'
import { measureWebm } from './webm.ts'

export { type Measures, partsOf, type ReadableParts } from './parts.ts'

/** `mediaType` as `mediaTypeOf` tells it. Gives nulls for what a file does not say, or says wrongly; never refuses one. */
export const measureFile = async (file: ReadableParts, mediaType: string): Promise<Measures> => {
  try {
    return (await measurers[mediaType]?.(file)) ?? unmeasured
  } catch (error) {
    // A broken head leads beyond the file.
    if (error instanceof RangeError) return unmeasured
    throw error
  }
}

const measurers: Readonly<Record<string, (file: ReadableParts) => Promise<Measures>>> = {
  'audio/aac': measureAac,
  'audio/flac': measureFlac,
  'audio/mp4': measureMp4,
  'audio/mpeg': measureMp3,
  'audio/ogg': measureOgg,
  'audio/wav': measureWav,
  'audio/webm': measureWebm,
  'video/mp4': measureMp4,
  'video/quicktime': measureMp4,
  'video/webm': measureWebm,
}
