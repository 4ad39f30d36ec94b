/** Parts of an Office Open XML package and how they lead to one another (ECMA-376, part 2). */
import { openArchive, type Archive, type Budget } from '../archive.ts'
import { ReadFault } from '../fault.ts'
import { childrenOf, childOf, parseXml, textOf, type Element } from '../xml.ts'

export interface Relation {
  readonly id: string
  /** The last word of the type: `slide`, `sharedStrings`. */
  readonly type: string
  /** The name of the part; null when it stands outside the package, where nothing is ever fetched from. */
  readonly target: string | null
}

export interface OfficePackage {
  readonly archive: Archive
  /** The part that everything starts from. Throws ReadFault when there is none. */
  readonly mainPart: string
  readonly title: string | null
  xml(part: string): Element | null
  relations(part: string): readonly Relation[]
}

/** Throws ReadFault. */
export const openPackage = (bytes: Uint8Array, budget: Budget, usualMain: string): OfficePackage => {
  const archive = openArchive(bytes, budget)
  const xml = (part: string): Element | null => {
    const found = archive.read(part)
    return found && parseXml(found)
  }
  const relations = (part: string): Relation[] => {
    const cut = part.lastIndexOf('/') + 1
    const file = xml(`${part.slice(0, cut)}_rels/${part.slice(cut)}.rels`)
    return childrenOf(childOf(file ?? undefined, 'Relationships'), 'Relationship').map(({ attributes }) => ({
      id: attributes['Id'] ?? '',
      type: (attributes['Type'] ?? '').replace(/^.*\//, ''),
      target: attributes['TargetMode'] === 'External' ? null : resolve(part.slice(0, cut), attributes['Target'] ?? ''),
    }))
  }
  const mainPart = relations('').find(({ type }) => type === 'officeDocument')?.target ?? usualMain
  if (!archive.names.includes(mainPart)) throw new ReadFault('damaged')
  const core = xml('docProps/core.xml')
  return {
    archive,
    mainPart,
    xml,
    relations,
    title: textOf(childOf(core ?? undefined, 'coreProperties', 'title')) || null,
  }
}

/** A target stands beside the part that names it, or from the root. */
const resolve = (folder: string, target: string): string => {
  const path: string[] = []
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') path.pop()
    else if (step !== '' && step !== '.') path.push(step)
  }
  return path.join('/')
}
