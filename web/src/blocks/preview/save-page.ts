/** An artifact as one file that opens without a network, and never asks for one. */
import type { ArtifactKind } from '@atrium/contract/artifacts'
import { saveFile } from '../save-file.ts'
import { buildPage } from './page.ts'
import { loadCompiler, readLibrary } from './read-library.ts'

/** Throws where it cannot be put together. */
export async function savePage(kind: ArtifactKind, title: string, content: string): Promise<void> {
  const page = await buildPage(kind, content, { readLibrary, compile: loadCompiler, asFile: true })
  saveFile(`${title.replace(/[/\\:*?"<>|\p{C}]/gu, '_')}.html`, page, 'text/html')
}
