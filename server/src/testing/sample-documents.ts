/** What real files must yield; for the tests of formats, where a folder of such files lies beside the project. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readFile, type ReadResult } from '../platform/formats/index.ts'

const folder = new URL('../../../../shared/data/docs/', import.meta.url)

type Success = Extract<ReadResult, { fileType: unknown }>
const resultOf = (name: string): Promise<ReadResult> =>
  readFile({ bytes: new Uint8Array(readFileSync(new URL(name, folder))), name, mediaType: '' })
const read = async (name: string): Promise<Success> => {
  const result = await resultOf(name)
  if ('failure' in result) throw new Error(`${name}: ${result.failure}`)
  return result
}
const segment = ({ extract }: Success, number: number): string => {
  const found = extract.segments.find((one) => one.number === number)
  return found ? extract.text.slice(found.start, found.end) : ''
}

/** Adds the tests; none where there is no such folder. */
export const describeSamples = (): void => {
  if (!existsSync(folder)) return
  describe('real PDF files', () => {
    test('a page of text', async () => {
      const result = await read('pdf-01-one-page.pdf')
      expect(result).toMatchObject({
        fileType: 'pdf',
        mediaType: 'application/pdf',
        parts: 1,
        pictures: [],
        sound: false,
      })
      expect(result.extract.text).toMatch(/^Lorem ipsum dolor sit amet, consetetur/)
      expect(Math.abs(result.extract.text.length - 590)).toBeLessThan(30)
    })

    test('every page has its text and its number', async () => {
      const result = await read('pdf-02-four-pages.pdf')
      expect(result.extract.segments.map(({ kind, label, number }) => [kind, label, number])).toEqual(
        [1, 2, 3, 4].map((number) => ['page', `Page ${number}`, number]),
      )
      for (const [index, length] of [3930, 3953, 3953, 2635].entries())
        expect(Math.abs(segment(result, index + 1).length - length)).toBeLessThan(40)
      expect(segment(result, 1)).toMatch(/^Hello, here is some text without a meaning/)
      expect(segment(result, 3)).toMatch(/^you information about the selected font/)
    })

    test('pages are counted as they lie, not as they are printed', async () => {
      const result = await read('pdf-07-german-117-pages.pdf')
      expect(result.parts).toBe(117)
      expect(Math.abs(result.extract.text.length - 142_000)).toBeLessThan(5_000)
      expect(segment(result, 1).replace(/\s+/g, ' ')).toContain('Einführung in die Geometrie und Topologie')
      expect(segment(result, 10)).toMatch(/METRISCHE RÄUME|Metrische Räume/i)
      expect(segment(result, 10)).toContain('diskrete Topologie')
      expect(segment(result, 50)).toContain('HOMOTOPIE VON WEGEN')
      expect(segment(result, 117)).toContain('Zwischenwertsatz, 107')
    })

    test('columns follow one another, and a row of a table stays a line', async () => {
      const result = await read('pdf-14-two-column.pdf')
      const page = segment(result, 1)
      expect(page).toContain('Abstract')
      expect(page.indexOf('Abstract')).toBeLessThan(page.indexOf('pellentesque ante. Phasellus'))
      expect(page.indexOf('Donec nonummy')).toBeLessThan(page.indexOf('pellentesque ante. Phasellus'))
      expect(segment(result, 3)).toMatch(/^Finland 5\.5 338,424 Helsinki\b/m)
    })

    test('Arabic is read as it is typed, Japanese through its character map, and ligatures as letters', async () => {
      const arabic = await read('pdf-10-arabic-rtl.pdf')
      expect(arabic.extract.text).toContain('habibi')
      expect(arabic.extract.text.split('\u062d\u064e\u0628\u064a\u0628\u064a')).toHaveLength(3)
      expect((await read('pdf-15-japanese-sjis-cmap.pdf')).extract.text).toBe('あいうえお')
      expect((await read('pdf-26-ligatures.pdf')).extract.text).toBe('abcdeffffiflffifflſtstghijklmno')
    })

    test('a scan gives its pictures as they are, with their pages', async () => {
      const scan = await read('pdf-19-scan-jpeg.pdf')
      expect(scan.extract.text).toBe('')
      expect(scan.pictures).toMatchObject([{ page: 1, mediaType: 'image/jpeg' }])
      expect([...(scan.pictures[0]?.bytes.subarray(0, 3) ?? [])]).toEqual([0xff, 0xd8, 0xff])
      expect([...(scan.pictures[0]?.bytes.subarray(-2) ?? [])]).toEqual([0xff, 0xd9])
      const six = await read('pdf-06-six-image-pages.pdf')
      expect(six.parts).toBe(6)
      expect(six.pictures.map(({ page }) => page)).toEqual([4])
    })

    test.each([
      ['pdf-03-password-rc4.pdf', 'encrypted'],
      ['pdf-05-scan-ccitt.pdf', 'no_text'],
      ['pdf-22-broken-dictionary.pdf', 'damaged'],
      ['pdf-24-page-tree-loop.pdf', 'damaged'],
      ['docx-03-truncated.docx', 'damaged'],
    ] as const)('%s ends as %s', async (name, failure) => {
      expect(await resultOf(name)).toEqual({ failure })
    })
  })

  describe('real files of other kinds', () => {
    test('a letter of Word with all its corners', async () => {
      const { extract, fileType } = await read('docx-01-various.docx')
      expect(fileType).toBe('docx')
      for (const words of [
        'This is the header text.',
        'Here is a text box',
        'Bullet 3',
        'Number bullet 3',
        'Row 2 Col 3',
        'This is a hyperlink',
        'ゾルゲと尾崎、淡々と最期',
        '𐌲𐌿𐍄𐌹𐍃𐌺',
        'This is a footnote.',
        'This is the footer text.',
      ])
        expect(extract.text).toContain(words)
    })

    test('slides in the order of the presentation, hidden ones, tables, notes and drawn words', async () => {
      const result = await read('pptx-01-ten-slides.pptx')
      expect(result.parts).toBe(10)
      expect(result.extract.segments.map(({ kind, number }) => [kind, number])).toEqual(
        Array.from({ length: 10 }, (_, index) => ['slide', index + 1]),
      )
      for (const words of ['FirstBullet', 'Slide2TextBox', 'R1c1', 'NotesForSlide2'])
        expect(segment(result, 2)).toContain(words)
      expect(segment(result, 3)).toContain('WordART')
      expect(segment(result, 9)).toContain('This slide is hidden')
      expect(segment(result, 10)).toContain('MASTERFOOTERMSG')
    })

    test('numbers and dates of a sheet as people see them', async () => {
      const { extract } = await read('xlsx-01-number-formats.xlsx')
      expect(extract.segments).toMatchObject([{ kind: 'sheet', label: 'Format Examples', number: 1 }])
      for (const shown of ['1,599.99', '$1,599.99', '1.98E+08', '2.50%', '10/3/2009', '17-May-07', '1/19/2008 4:35'])
        expect(extract.text).toContain(`\t${shown}`)
      expect(extract.text).not.toMatch(/\b40089|33966\b/)
    })

    test('HTML in UTF-16, columns and a letter with attachments', async () => {
      const html = await read('html-01-utf16le.html')
      expect(html.extract).toMatchObject({ title: 'Title' })
      expect(html.extract.text).toContain('This is a sample text')
      const csv = await read('csv-01-columns.csv')
      expect(csv.extract.segments[0]?.head).toContain('Percent Done')
      const { extract } = await read('eml-01-attachments.eml')
      expect(extract.title).toBe('EML 1')
      expect(extract.text).toContain('This is test email for EML1')
      expect(extract.segments.map(({ label }) => label)).toEqual(['EML 1', 'Test TxtA.txt', 'Test TxtB.txt'])
    })
  })
}
