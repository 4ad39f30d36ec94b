/** What a program finds in `/files`: the files of its chat, under names that a file system takes. */
import type { ChatFile } from '../../core/generation/index.ts'
import { isGoodPath, type SandboxFile } from '../../platform/sandbox/index.ts'

const mostFiles = 100
const mostBytes = 50 * 1024 * 1024

/** The newest are taken while there is room; `leftOut`: there were more, or larger ones. */
export const readGivenFiles = async (
  files: readonly ChatFile[],
): Promise<{ readonly files: SandboxFile[]; readonly leftOut: boolean }> => {
  const taken: SandboxFile[] = []
  const names = new Set<string>()
  let bytesTaken = 0
  let leftOut = false
  for (const file of files.toReversed()) {
    if (taken.length >= mostFiles || bytesTaken + file.sizeBytes > mostBytes) {
      leftOut = true
      continue
    }
    const bytes = await file.read()
    if (!bytes) continue
    const name = freeName(toFileName(file.name), names)
    names.add(name.toLowerCase())
    bytesTaken += bytes.byteLength
    taken.push({ path: `/files/${name}`, bytes })
  }
  return { files: taken.toReversed(), leftOut }
}

/** One part of a path, without what misleads. */
export const toFileName = (name: string): string => {
  const plain = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]/gu, '_')
    .trim()
    .slice(-120)
  return isGoodPath(`/files/${plain}`) ? plain : 'file'
}

/** Numbered where there is one of this name: `report (2).csv`. */
const freeName = (name: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(name.toLowerCase())) return name
  const dot = name.lastIndexOf('.')
  const [start, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 2; ; number++) {
    const next = `${start} (${number})${end}`
    if (!taken.has(next.toLowerCase())) return next
  }
}
