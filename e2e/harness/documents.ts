/** Files for the tests of documents, and how they are dropped. */
import { expect, type Locator, type Page } from '@playwright/test'
import { composer } from './talk.ts'

export interface TestFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

export const markdown = (name: string, text: string): TestFile => ({
  name,
  mimeType: 'text/markdown',
  buffer: Buffer.from(text),
})

/** A PDF with one line of text on each page. Lines must hold no brackets. */
export function pdf(name: string, pages: readonly string[]): TestFile {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((line, index) => {
      const drawing = `BT /F1 14 Tf 60 720 Td (${line}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
        `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  text += places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(text, 'latin1') }
}

/** Drops files on the page, as from a folder window. */
export async function drop(page: Page, files: readonly TestFile[]): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, text: buffer.toString('base64') }))
  await composer(page).waitFor()
  const send = (...types: string[]) =>
    page.evaluate(`(() => {
      const transfer = new DataTransfer()
      for (const { name, mimeType, text } of ${JSON.stringify(given)}) {
        const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
        transfer.items.add(new File([bytes], name, { type: mimeType }))
      }
      for (const type of ${JSON.stringify(types)})
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
    })()`)
  // Who takes files may begin to listen a moment after the box is there; it shows that it does.
  await expect(async () => {
    await send('dragenter')
    await expect(page.getByText('Drop files to add them')).toBeVisible({ timeout: 2000 })
  }).toPass()
  await send('dragover', 'drop')
}

/** The chip of a file in the composer. */
export const chip = (page: Page, name: string): Locator =>
  page.locator('ul[aria-label="Attachments"]:not(article ul)').getByRole('listitem').filter({ hasText: name })

/** Waits until answers find a document. */
export const readable = (page: Page, name: string): Promise<void> =>
  expect(chip(page, name)).toContainText(/passages$|tokens$/, { timeout: 120_000 })
