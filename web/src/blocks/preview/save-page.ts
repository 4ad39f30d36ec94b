/** An artifact as one file that opens without a network, and never asks for one. */
import type { ArtifactKind } from '@atrium/contract/artifacts'
import { makeZip } from '../../lib/zip.ts'
import { saveFile } from '../save-file.ts'
import type { LibraryName } from './libraries.ts'
import { buildPage } from './page.ts'
import { loadCompiler, readLibrary } from './read-library.ts'

/** Throws where it cannot be put together. */
export async function savePage(kind: ArtifactKind, title: string, content: string): Promise<void> {
  const page = await buildPage(kind, content, { readLibrary, compile: loadCompiler, asFile: true })
  saveFile(`${fileTitle(title)}.html`, page, 'text/html')
}

const sourceEndings: Partial<Record<ArtifactKind, string>> = { react: 'tsx', svg: 'svg', chart: 'json' }

/** The page, the libraries that it needs beside it, and what it was made of. Throws where it cannot be put together. */
export async function saveZip(kind: ArtifactKind, title: string, content: string): Promise<void> {
  const needed = new Set<LibraryName>()
  const libraryPath = (name: LibraryName) => {
    needed.add(name)
    return `runtime/${name}.js`
  }
  const page = await buildPage(kind, content, { readLibrary, compile: loadCompiler, asFile: true, libraryPath })
  const runtime = await Promise.all(
    [...needed].map(async (name) => ({ name: `runtime/${name}.js`, text: await readLibrary(name) })),
  )
  const source = { name: `source/source.${sourceEndings[kind] ?? 'html'}`, text: content }
  const zip = makeZip([{ name: 'index.html', text: page }, ...runtime, source], new Date())
  saveFile(`${fileTitle(title)}.zip`, zip, 'application/zip')
}

/** Without what file systems do not take. */
const fileTitle = (title: string): string => title.replace(/[/\\:*?"<>|\p{C}]/gu, '_')
