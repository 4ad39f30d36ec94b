/**
 * Word: the body with its notes and text boxes through mammoth; what it leaves out is read here: headers and footers, charts
 * and diagrams, comments, and files that are shown as a piece of the body.
 */
import { strToU8, zipSync } from 'fflate'
import mammoth from 'mammoth'
import { compose } from '../compose.ts'
import { ReadFault } from '../fault.ts'
import type { Reader, ReadInner } from '../reader.ts'
import { pageExtract } from '../text/html/page.ts'
import type { Extract } from '../types.ts'
import { childrenOf, decodeXml, type Element } from '../xml.ts'
import { bodyPieces, checkNesting, numberedStyle } from './docx-body.ts'
import { paragraphNumbers } from './docx-numbering.ts'
import { graphicLines, linesOf } from './drawing.ts'
import { openPackage, type OfficePackage } from './package.ts'

export const readDocx: Reader = async (bytes, _about, { budget, readInner }) => {
  const office = openPackage(bytes, budget, 'word/document.xml')
  const out = compose()
  out.add(marginsOf(office, 'header'))
  const body = await bodyOf(office)
  if (body) out.append(body, (segment) => segment)
  for (const chunk of await chunksOf(office, readInner)) out.append(chunk, (segment) => segment)
  out.add(graphicLines(office, office.mainPart).join('\n'))
  out.add(commentLines(office).join('\n'))
  out.add(marginsOf(office, 'footer'))
  return { extract: out.finish(office.title ?? body?.title ?? null) }
}

/** First, even and odd pages mostly say the same. */
const marginsOf = (office: OfficePackage, type: 'header' | 'footer'): string => {
  const lines = office.relations(office.mainPart).flatMap((relation) => {
    const part = relation.type === type && relation.target !== null ? office.xml(relation.target) : null
    return part ? linesOf(part) : []
  })
  return [...new Set(lines)].join('\n')
}

/** Files of other formats that Word shows as a piece of the body (`altChunk`). */
const chunksOf = async (office: OfficePackage, readInner: ReadInner): Promise<Extract[]> => {
  const chunks: Extract[] = []
  for (const { type, target } of office.relations(office.mainPart)) {
    const bytes = type === 'aFChunk' && target !== null ? office.archive.read(target) : null
    const read = bytes && target !== null ? await readInner(bytes, target, '') : null
    if (read && !('failure' in read)) chunks.push(read.extract)
  }
  return chunks
}

/** Remarks of readers, each with its author. */
const commentLines = (office: OfficePackage): string[] =>
  office.relations(office.mainPart).flatMap(({ type, target }) => {
    const part = type === 'comments' && target !== null ? office.xml(target) : null
    return childrenOf(part?.children[0], 'comment').map((comment) => {
      const author = comment.attributes['author']
      return `${author ? `${author}: ` : ''}${linesOf(comment).join(' ')}`
    })
  })

const bodyOf = async (office: OfficePackage): Promise<Extract | null> => {
  const { main, parts } = textParts(office)
  const html: string[] = []
  const numbers = paragraphNumbers(partOf(office, 'numbering'), partOf(office, 'styles'))
  for (const piece of bodyPieces(main, numbers))
    html.push(await htmlOf({ ...parts, [office.mainPart]: strToU8(piece) }))
  try {
    return pageExtract(html.join('\n'))
  } catch (error) {
    // A letter of headers only.
    if (error instanceof ReadFault && error.failure === 'no_text') return null
    throw error
  }
}

const partOf = (office: OfficePackage, type: string): Element | null => {
  const target = office.relations(office.mainPart).find((relation) => relation.type === type)?.target
  return target ? office.xml(target) : null
}

/** Packed without compression: mammoth wants an archive. */
const htmlOf = async (parts: Record<string, Uint8Array>): Promise<string> => {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(zipSync(parts, { level: 0 })) },
    {
      styleMap: ["p[style-name='Title'] => h1:fresh", `p.${numberedStyle} => div:fresh`],
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
    },
  )
  return value.replace(/<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g, '')
}

/** What mammoth needs, out of the guarded archive: no pictures, no programs, no entities. */
const textParts = (office: OfficePackage): { main: string; parts: Record<string, Uint8Array> } => {
  let main = ''
  const parts: Record<string, Uint8Array> = {}
  for (const name of office.archive.names) {
    if (!/\.(xml|rels)$/i.test(name) || unneeded.test(name)) continue
    const text = decodeXml(office.archive.read(name) ?? new Uint8Array())
    if (text.includes('<!ENTITY')) throw new ReadFault('too_complex')
    checkNesting(text)
    if (name === office.mainPart) main = text
    else parts[name] = strToU8(text)
  }
  return { main, parts }
}
const unneeded = /^(customXml|docProps|word\/(theme|glossary|charts|embeddings|diagrams|media|header|footer|comments))/
