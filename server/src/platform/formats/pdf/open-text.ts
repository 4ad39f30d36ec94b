/** Files that ask for a password for what is attached to them, and not for their own text (ISO 32000-2, 7.6.6). */
import { PDFDict, PDFDocument, PDFName } from 'pdf-lib'

/** The same file without its lock; null where the text itself is locked. */
export const withOpenText = async (bytes: Uint8Array): Promise<Uint8Array | null> => {
  try {
    const document = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false })
    const { context } = document
    const lock = context.lookup(context.trailerInfo.Encrypt)
    if (!(lock instanceof PDFDict) || !lock.has(PDFName.of('CF'))) return null
    const open = ['StmF', 'StrF'].every((key) => {
      const filter = context.lookup(lock.get(PDFName.of(key)))
      return filter === undefined || filter === PDFName.of('Identity')
    })
    if (!open) return null
    delete context.trailerInfo.Encrypt
    return await document.save({ useObjectStreams: false })
  } catch {
    // pdf-lib forgives less than pdf.js; then the file stays locked.
    return null
  }
}
