/** Word: the body with its notes and text boxes through mammoth; headers and footers, which it leaves out, are read here. */
import { strToU8, zipSync } from 'fflate'
import mammoth from 'mammoth'
import { compose } from '../compose.ts'
import { ReadFault } from '../fault.ts'
import type { Reader } from '../reader.ts'
import { pageExtract } from '../text/html/page.ts'
import type { Extract } from '../types.ts'
import { decodeXml } from '../xml.ts'
import { bodyPieces, checkNesting } from './docx-body.ts'
import { linesOf } from './drawing.ts'
import { openPackage, type OfficePackage } from './package.ts'

export const readDocx: Reader = async (bytes, _about, { budget }) => {
  const office = openPackage(bytes, budget, 'word/document.xml')
  const out = compose()
  out.add(marginsOf(office, 'header'))
  const body = await bodyOf(office)
  if (body) out.append(body, (segment) => segment)
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

const bodyOf = async (office: OfficePackage): Promise<Extract | null> => {
  const { main, parts } = textParts(office)
  const html: string[] = []
  for (const piece of bodyPieces(main)) html.push(await htmlOf({ ...parts, [office.mainPart]: strToU8(piece) }))
  try {
    return pageExtract(html.join('\n'))
  } catch (error) {
    // A letter of headers only.
    if (error instanceof ReadFault && error.failure === 'no_text') return null
    throw error
  }
}

/** Packed without compression: mammoth wants an archive. */
const htmlOf = async (parts: Record<string, Uint8Array>): Promise<string> => {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(zipSync(parts, { level: 0 })) },
    {
      styleMap: ["p[style-name='Title'] => h1:fresh"],
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
