/** Word: the body with its notes and text boxes through mammoth; headers and footers, which it leaves out, are read here. */
import { strToU8, zipSync } from 'fflate'
import mammoth from 'mammoth'
import { compose } from '../compose.ts'
import { ReadFault } from '../fault.ts'
import type { Reader } from '../reader.ts'
import { pageExtract } from '../text/html/page.ts'
import type { Extract } from '../types.ts'
import { decodeXml } from '../xml.ts'
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
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(safeCopy(office)) },
    {
      styleMap: ["p[style-name='Title'] => h1:fresh"],
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
    },
  )
  const html = value.replace(/<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g, '')
  try {
    return pageExtract(html)
  } catch (error) {
    // A letter of headers only.
    if (error instanceof ReadFault && error.failure === 'no_text') return null
    throw error
  }
}

/** What mammoth needs, out of the guarded archive, packed without compression; no pictures, no programs. */
const safeCopy = (office: OfficePackage): Uint8Array => {
  const parts: Record<string, Uint8Array> = {}
  for (const name of office.archive.names) {
    if (!/\.(xml|rels)$/i.test(name) || /^(customXml|word\/(theme|glossary|charts|embeddings))\//.test(name)) continue
    const text = decodeXml(office.archive.read(name) ?? new Uint8Array())
    if (text.includes('<!ENTITY')) throw new ReadFault('too_complex')
    checkNesting(text)
    parts[name] = strToU8(name === office.mainPart ? withTextBoxes(text) : text)
  }
  return zipSync(parts, { level: 0 })
}

/** mammoth goes down by recursion; real documents, tables in tables included, stay far above this. */
const mostNested = 400
const checkNesting = (xml: string): void => {
  let depth = 0
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at + 1)) {
    const next = xml.charCodeAt(at + 1)
    if (next === slash) depth -= 1
    else if (next !== question && next !== exclamation) {
      const end = xml.indexOf('>', at)
      if (end > 0 && xml.charCodeAt(end - 1) !== slash) depth += 1
      if (end > 0) at = end
    }
    if (depth > mostNested) throw new ReadFault('too_complex')
  }
}
const slash = 0x2f
const question = 0x3f
const exclamation = 0x21

/**
 * mammoth reads text boxes in what Word writes for older programs. Programs that write for newer ones only get that
 * second form here.
 */
const withTextBoxes = (xml: string): string => {
  const open = '<mc:AlternateContent'
  const close = '</mc:AlternateContent>'
  const out: string[] = []
  let done = 0
  for (let start = xml.indexOf(open); start >= 0; start = xml.indexOf(open, done)) {
    const end = xml.indexOf(close, start)
    if (end < 0) break
    const block = xml.slice(start, end)
    out.push(xml.slice(done, end))
    if (!block.includes('<mc:Fallback')) {
      const from = block.indexOf('<w:txbxContent')
      const to = block.lastIndexOf('</w:txbxContent>')
      if (from >= 0 && to > from)
        out.push(`<mc:Fallback><w:pict>${block.slice(from, to)}</w:txbxContent></w:pict></mc:Fallback>`)
    }
    out.push(close)
    done = end + close.length
  }
  out.push(xml.slice(done))
  return out.join('')
}
