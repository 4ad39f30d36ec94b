/** PDF: the text of each physical page through pdf.js; pages without text as the pictures they are made of. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { compose } from '../compose.ts'
import { ReadFault } from '../fault.ts'
import type { Reader, ReaderOutput } from '../reader.ts'
import { annotationLines } from './annotations.ts'
import { hasUnnamed, withPlainNames } from './glyph-names.ts'
import { withOpenText } from './open-text.ts'
import { pageText } from './page-text.ts'
import { pagePictures, type PageRef } from './pictures.ts'
import { asTyped, hasRightToLeft, inOwnLetters, namedWords } from './right-to-left.ts'
import { formText } from './xfa.ts'

const mostPages = 10_000
/** A stamp or the name of a program over a scanned page; less than this is no text layer. */
const handful = 16

export const readPdf: Reader = async (bytes, _about, { picturesFrom }) => {
  try {
    return await readPages(bytes, picturesFrom)
  } catch (error) {
    const open = error instanceof ReadFault && error.failure === 'encrypted' ? await withOpenText(bytes) : null
    if (!open) throw error
    return readPages(open, picturesFrom)
  }
}

/** Throws ReadFault `encrypted`. */
const readPages = async (bytes: Uint8Array, picturesFrom: number): Promise<ReaderOutput> => {
  try {
    const laidOut = await readShown(bytes, picturesFrom, true)
    if (laidOut) return laidOut
  } catch (error) {
    if (error instanceof ReadFault) throw error
    // A description of a form that is damaged; what is drawn may be sound.
  }
  return (await readShown(bytes, picturesFrom, false)) ?? { extract: compose().finish() }
}

/** `asForm`: a form that is described and not drawn is laid out; null where that shows nothing. */
const readShown = async (
  bytes: Uint8Array,
  picturesFrom: number,
  asForm: boolean,
  plainNames = false,
): Promise<ReaderOutput | null> => {
  const { getDocument, PasswordException } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const task = getDocument({
    // pdf.js takes what it is given for good.
    data: new Uint8Array(bytes),
    cMapUrl: `${join(folder, 'cmaps')}/`,
    standardFontDataUrl: `${join(folder, 'standard_fonts')}/`,
    useSystemFonts: false,
    disableFontFace: true,
    useWasm: false,
    enableXfa: asForm,
    verbosity: 0,
  })
  try {
    const document = await task.promise
    if (document.numPages > mostPages) throw new ReadFault('too_complex')
    const pages: Page[] = []
    let length = 0
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number)
      const text = document.isPureXfa
        ? await formText(page)
        : pageText(await page.getTextContent({ disableNormalization: true }))
      const added = (await annotationLines(page)).join('\n')
      length += text.length + added.length
      if (length > mostPageText) throw new ReadFault('too_complex')
      pages.push({ text, added, ref: page.ref })
      page.cleanup()
    }
    if (document.isPureXfa && pages.every(({ text }) => text === '')) return null
    if (!plainNames && pages.some(({ text }) => hasUnnamed(text))) {
      const plain = await withPlainNames(bytes)
      if (plain) return await readShown(plain, picturesFrom, asForm, true)
    }
    if (pages.some(({ text }) => hasRightToLeft(text))) {
      const named = await namedWords(bytes)
      for (const page of pages) page.text = inOwnLetters(asTyped(page.text, named))
    }
    const { info } = await document.getMetadata().catch(() => ({ info: {} }))
    const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : ''
    return { ...(await putTogether(bytes, pages, title || null, picturesFrom)), parts: pages.length }
  } catch (error) {
    throw error instanceof PasswordException ? new ReadFault('encrypted') : error
  } finally {
    await task.destroy()
  }
}
const mostPageText = 30_000_000

interface Page {
  text: string
  /** What was filled into its fields, and remarks that were put on it. */
  readonly added: string
  readonly ref: PageRef | null
}

const putTogether = async (
  bytes: Uint8Array,
  pages: readonly Page[],
  title: string | null,
  picturesFrom: number,
): Promise<ReaderOutput> => {
  const out = compose()
  const bare = new Map(
    pages.flatMap(({ text, ref }, index) =>
      ref && text.replace(/\s+/g, '').length < handful ? [[index + 1, ref] as const] : [],
    ),
  )
  const { pictures, pictured, unread } = await pagePictures(bytes, bare, picturesFrom)
  // In a file that has text otherwise, a few words over a picture are the title of that page.
  const usable = pictured.size > unread.lost.length
  const scanned = usable && pages.every(({ text }, index) => text === '' || pictured.has(index + 1))
  for (const [index, { text, added }] of pages.entries()) {
    const number = index + 1
    const shown = [scanned ? '' : text, added].filter((part) => part !== '').join('\n\n')
    out.add(shown, { kind: 'page', label: `Page ${number}`, number })
  }
  // A page with some words on its picture counts as read where those words are shown.
  const isUnread = (page: number): boolean => scanned || pages[page - 1]?.text === ''
  const [waiting, lost] = [unread.waiting.filter(isUnread), unread.lost.filter(isUnread)]
  return { extract: out.finish(title), pictures, unread: { waiting, lost } }
}
