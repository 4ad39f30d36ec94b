import type { ArtifactKind } from '@atrium/contract/artifacts'

/** Kinds that run in the frame of previews; the others are drawn by the app itself. */
export const framedKinds: readonly ArtifactKind[] = ['html', 'react', 'svg', 'chart']
