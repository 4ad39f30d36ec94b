import encodeJpeg, { init as initJpeg } from '@jsquash/jpeg/encode.js'
import { documentsRoutes as routes } from '@atrium/contract/documents'
import { PDFDocument } from 'pdf-lib'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { decodePicture } from '../../../platform/pictures/codecs.ts'
import { readPrint as readBuiltin } from '../../../platform/reader/index.ts'
import { compileWasm } from '../../../platform/work/wasm.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { type DocumentHarness, openDocuments } from '../../../testing/document-harness.ts'
import { readToEnd, uploadAndRead } from '../../../testing/documents.ts'
import { printPage } from '../../../testing/printed-page.ts'
import type { DocumentsDeps } from '../types.ts'

const print = (text: string) => printPage(text.split(' '), { height: 0.2 }).png
const letter = print('The lighthouse keeper counted forty seagulls before breakfast.')

/** A scan of more pages than a model is asked about at once. */
const scan = async (pages: number): Promise<Uint8Array> => {
  const { pixels } = await decodePicture(letter, 1000)
  const document = await PDFDocument.create()
  const picture = await document.embedJpg(await encodeJpeg(pixels as never))
  for (let page = 0; page < pages; page++) document.addPage([600, 150]).drawImage(picture)
  return document.save()
}

beforeAll(() => initJpeg(compileWasm('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm') as never))

withDatabase('print in pictures', (open) => {
  let harness: DocumentHarness
  /** Of the vision model; null where none is chosen. */
  let model: (() => Promise<{ text: string } | { unavailable: string; chosen: boolean }>) | null
  let readPrint: DocumentsDeps['readPrint']
  beforeEach(async () => {
    model = null
    readPrint = (_, bytes, signal) => readBuiltin(bytes, { signal })
    harness = await openDocuments(open, {
      readPrint: (...asked) => readPrint(...asked),
      describePicture: async () => (model ? model() : { unavailable: 'No vision model is selected.', chosen: false }),
    })
  })
  afterEach(() => harness?.close())

  test('is read by the built-in reader where no model can see, and its passages say so', async () => {
    const document = await uploadAndRead(harness.ann, letter, { name: 'letter.png', type: 'image/png' })
    expect(document).toMatchObject({ processingStatus: 'completed', fileType: 'image', readBy: 'builtin' })
    const { items } = await harness.ask('ann', 'How many seagulls did the lighthouse keeper count?')
    expect(items[0]?.source).toMatchObject({ documentId: document.id, readBy: 'builtin' })
    expect(items[0]?.text).toContain('forty seagulls')
    const typed = await uploadAndRead(harness.ann, 'Herons nest in the reeds.', { name: 'typed.txt' })
    expect(typed.readBy).toBeNull()
    expect((await harness.ask('ann', 'herons in reeds')).items[0]?.source).not.toHaveProperty('readBy')
  })

  test('is not read instead of a chosen model that fails, but when it is asked for', async () => {
    for (const failing of [
      async () => ({ unavailable: 'The connection is switched off.', chosen: true }),
      () => Promise.reject(new Error('overloaded')),
    ]) {
      model = failing
      const name = `${model.toString().length}.png`
      const bytes = Buffer.concat([letter, Buffer.from(name)])
      const document = await uploadAndRead(harness.ann, bytes, { name, type: 'image/png' })
      expect(document).toMatchObject({ processingErrorCode: 'vision_failed', readBy: null })
      const params = { documentId: document.id }
      await harness.ann.call(routes.readPrint, { params })
      expect(await readToEnd(harness.ann, document.id)).toMatchObject({
        processingStatus: 'completed',
        processingError: null,
        readBy: 'builtin',
      })
      expect((await harness.ann.call(routes.read, { params })).content).toContain('lighthouse keeper')
    }
  })

  test('is tried by administrators, and nothing of it is kept', async () => {
    const read = await harness.ann.call(routes.tryReader, { file: new Blob([letter]) })
    expect(read).toMatchObject({ language: 'en', text: expect.stringContaining('forty seagulls') })
    expect(read.confidence).toBeGreaterThan(0.8)
    const refused = await harness.ann.refusal(routes.tryReader, { file: new Blob(['%PDF-1.7']) })
    expect(refused.code).toBe('document_unsupported')
    expect((await harness.ann.call(routes.list, { query: {} })).items).toEqual([])
    expect(await harness.ann.call(routes.readerState, {})).toEqual({ state: 'ready', memoryMb: 640 })
  })

  test('is read on all pages of a scan, however many a model would be asked about', async () => {
    let pages = 0
    readPrint = async () =>
      (pages += 1) === 5
        ? { failure: 'damaged' }
        : { text: `Text ${pages} of the scan.`, language: 'en', confidence: 0.9 }
    const document = await uploadAndRead(harness.ann, await scan(43), { name: 'scan.pdf', type: 'application/pdf' })
    expect(document).toMatchObject({ processingStatus: 'completed', parts: 43, partsRead: 42, readBy: 'builtin' })
    expect(document.canReadOn).toBe(false)
    const { content, segments } = await harness.ann.call(routes.read, { params: { documentId: document.id } })
    expect(content.match(/of the scan/g)).toHaveLength(42)
    expect(segments.at(-1)?.label).toBe('Page 43')
    expect(pages).toBe(43)
  })
})
