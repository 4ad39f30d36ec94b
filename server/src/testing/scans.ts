/** Scans for tests: pages that are nothing but a picture. */
import { PDFDocument } from 'pdf-lib'

/** The least that is a JPEG by its head: 300 × 300, in grey. */
const jpeg = new Uint8Array(Buffer.from('ffd8ffc0000b08012c012c01011100ffd9', 'hex'))

export const scanOf = async (pages: number): Promise<Uint8Array<ArrayBuffer>> => {
  const document = await PDFDocument.create()
  const picture = await document.embedJpg(jpeg)
  for (let page = 0; page < pages; page += 1) document.addPage([300, 300]).drawImage(picture)
  return new Uint8Array(await document.save())
}
