import { strToU8, zipSync, type Zippable } from 'fflate'
import { PDFDocument } from 'pdf-lib'
import { describe, expect, test } from 'vitest'
import { readFile, type ReadResult } from './index.ts'

/** In less memory than files usually get. */
const read = (name: string, bytes: Uint8Array | string): Promise<ReadResult> =>
  readFile({ bytes: typeof bytes === 'string' ? strToU8(bytes) : bytes, name, mediaType: '' }, { memoryMb: 384 })

const wellFormed = async (): Promise<void> => {
  expect(await read('fine.docx', docx('<w:p><w:r><w:t>All is well</w:t></w:r></w:p>'))).toMatchObject({
    extract: { text: 'All is well' },
  })
}

const relations = (target: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${target}"/></Relationships>`
const office = (main: string, xml: string | Uint8Array, more: Zippable = {}): Uint8Array =>
  zipSync({
    '[Content_Types].xml': strToU8('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    '_rels/.rels': strToU8(relations(main)),
    [main]: typeof xml === 'string' ? strToU8(xml) : xml,
    ...more,
  })
const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const docx = (body: string, before = ''): Uint8Array =>
  office('word/document.xml', `${before}<w:document ${word}><w:body>${body}</w:body></w:document>`)
const xlsx = (rows: string, more: Zippable = {}, dimension = ''): Uint8Array =>
  office(
    'xl/workbook.xml',
    '<workbook xmlns:r="r"><sheets><sheet name="Data" sheetId="1" r:id="s1"/></sheets></workbook>',
    {
      'xl/_rels/workbook.xml.rels': strToU8(
        '<Relationships><Relationship Id="s1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      'xl/worksheets/sheet1.xml': strToU8(`<worksheet>${dimension}<sheetData>${rows}</sheetData></worksheet>`),
      ...more,
    },
  )

/** Says something else in the directory of a zip than what stands there: 32-bit fields by their place in an entry. */
const patched = (bytes: Uint8Array, name: string, field: number, value: number): Uint8Array => {
  const copy = Buffer.from(bytes)
  const at = copy.lastIndexOf(name) - 46
  copy.writeUInt32LE(value, at + field)
  return copy
}
const packedSize = 20
const fullSize = 24

/** A PDF out of its objects; the table of where they stand is left to the reader to repair. */
const pdf = (...objects: readonly string[]): Uint8Array =>
  strToU8(
    `%PDF-1.7\n${objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer\n<< /Root 1 0 R >>\n%%EOF`,
    true,
  )

const entities = (depth: number): string =>
  `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "ha">${Array.from(
    { length: depth },
    (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
  ).join('')}]>`

describe('hostile archives', () => {
  test.each(['docx', 'pptx', 'xlsx', 'odt', 'epub', 'zip'])(
    'a %s that unpacks to a thousand times its size',
    async (kind) => {
      const parts: Record<string, string> = {
        docx: 'word/document.xml',
        pptx: 'ppt/presentation.xml',
        xlsx: 'xl/workbook.xml',
        odt: 'content.xml',
        epub: 'META-INF/container.xml',
        zip: 'zeros.txt',
      }
      const bytes = office(parts[kind] ?? '', new Uint8Array(8 * 2 ** 20).fill(32))
      expect(bytes.length).toBeLessThan(2 ** 14)
      expect(await read(`bomb.${kind}`, bytes)).toEqual({ failure: 'too_complex' })
      await wellFormed()
    },
  )

  test('a member that is larger than it says', async () => {
    const bytes = docx(`<w:p><w:r><w:t>${'a'.repeat(2 ** 20)}</w:t></w:r></w:p>`)
    expect(await read('lie.docx', patched(bytes, 'word/document.xml', fullSize, 1000))).toEqual({ failure: 'damaged' })
    expect(await read('lie.docx', patched(bytes, 'word/document.xml', fullSize, 2 ** 31))).toEqual({
      failure: 'too_complex',
    })
    expect(await read('lie.docx', patched(bytes, 'word/document.xml', packedSize, 2 ** 31))).toMatchObject({
      failure: expect.stringMatching(/damaged|too_complex/),
    })
  })

  test('archives in archives in archives', async () => {
    let bytes = zipSync({ 'a.txt': strToU8('deep down') })
    for (let depth = 0; depth < 2; depth += 1) bytes = zipSync({ 'inner.zip': bytes })
    expect(await read('two.zip', bytes)).toMatchObject({ extract: { text: expect.stringContaining('deep down') } })
    expect(await read('three.zip', zipSync({ 'inner.zip': bytes }))).toEqual({ failure: 'too_complex' })
    const wide = zipSync({ 'zeros.txt': new Uint8Array(2 ** 21).fill(65) })
    const wider = zipSync(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}.zip`, wide])))
    const widest = zipSync(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}.zip`, wider])))
    expect(await read('42.zip', widest)).toEqual({ failure: 'too_complex' })
  })

  test('65,535 tiny members', async () => {
    const bytes = zipSync(Object.fromEntries(Array.from({ length: 65_535 }, (_, i) => [`${i}`, new Uint8Array()])), {
      level: 0,
    })
    expect(await read('many.zip', bytes)).toEqual({ failure: 'too_complex' })
    expect(await read('many.docx', bytes)).toEqual({ failure: 'too_complex' })
  })

  test('members that share their bytes', async () => {
    const bytes = Buffer.from(
      zipSync({ 'a.txt': strToU8('a'.repeat(5000)), 'b.txt': strToU8('b'.repeat(5000)) }, { level: 0 }),
    )
    bytes.writeUInt32LE(0, bytes.lastIndexOf('b.txt') - 46 + 42)
    expect(await read('overlap.zip', bytes)).toEqual({ failure: 'too_complex' })
  })

  test.each(['../../etc/passwd', '/etc/passwd', '..\\windows', 'a/../../b', 'nul\0l'])(
    'a member called %j',
    async (name) => {
      expect(await read('path.zip', zipSync({ [name]: strToU8('x'), 'notes.txt': strToU8('x') }))).toEqual({
        failure: 'damaged',
      })
    },
  )

  test('archives that are cut off or empty', async () => {
    const whole = docx('<w:p><w:r><w:t>words</w:t></w:r></w:p>')
    for (const length of [4, 30, Math.floor(whole.length / 2), whole.length - 1])
      expect(await read('cut.docx', whole.subarray(0, length))).toEqual({ failure: 'damaged' })
    expect(await read('empty.zip', zipSync({}))).toEqual({ failure: 'no_text' })
    expect(await read('empty.docx', new Uint8Array())).toEqual({ failure: 'empty' })
  })

  test('a member with a password', async () => {
    const bytes = Buffer.from(zipSync({ 'a.txt': strToU8('secret') }))
    bytes.writeUInt16LE(1, bytes.lastIndexOf('a.txt') - 46 + 8)
    expect(await read('locked.zip', bytes)).toEqual({ failure: 'encrypted' })
  })
})

describe('hostile XML and HTML', () => {
  test.each([
    ['nested entities', entities(10), '&e10;'],
    ['an entity from a file', '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]>', '&f;'],
    ['an entity from an address', '<!DOCTYPE x [<!ENTITY f SYSTEM "http://127.0.0.1:9/x">]>', '&f;'],
    ['an entity of parameters', '<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]>', ''],
  ])('%s are never expanded', async (_what, before, reference) => {
    expect(await read('entities.docx', docx(`<w:p><w:r><w:t>${reference}</w:t></w:r></w:p>`, before))).toEqual({
      failure: 'too_complex',
    })
    const sheet = strToU8(`${before}<sst><si><t>${reference}</t></si></sst>`)
    const withStrings = xlsx('<row><c t="s"><v>0</v></c></row>', {
      'xl/sharedStrings.xml': sheet,
      'xl/_rels/workbook.xml.rels': strToU8(
        '<Relationships><Relationship Id="s1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="s2" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
      ),
    })
    expect(await read('entities.xlsx', withStrings)).toEqual({ failure: 'too_complex' })
    const html = await read('entities.html', `${before}<html><body><p>seen ${reference}</p></body></html>`)
    if ('extract' in html) expect(html.extract.text.length).toBeLessThan(1000)
    await wellFormed()
  })

  test('elements 200,000 deep', async () => {
    const depth = 200_000
    const nested = `${'<w:p>'.repeat(depth)}${'</w:p>'.repeat(depth)}`
    expect(await read('deep.docx', docx(nested))).toEqual({ failure: 'too_complex' })
    expect(await read('deep.pptx', office('ppt/presentation.xml', nested))).toEqual({ failure: 'too_complex' })
    expect(await read('deep.xlsx', office('xl/workbook.xml', nested))).toEqual({ failure: 'too_complex' })
    expect(
      await read(
        'deep.odt',
        zipSync({ mimetype: strToU8('application/vnd.oasis.opendocument.text'), 'content.xml': strToU8(nested) }),
      ),
    ).toEqual({ failure: 'too_complex' })
    expect(await read('deep.html', '<div>'.repeat(depth))).toMatchObject({ failure: expect.any(String) })
    await wellFormed()
  })

  test('JSON 200,000 deep', async () => {
    const result = await read('deep.json', '['.repeat(200_000))
    expect('failure' in result ? result.failure : result.fileType).toMatch(/too_complex|json/)
    await wellFormed()
  })

  test('a part that is no XML', async () => {
    expect(await read('noise.xlsx', office('xl/workbook.xml', '<a><b></a>'))).toMatchObject({
      failure: expect.any(String),
    })
    expect(await read('noise.docx', office('word/document.xml', 'no XML at all'))).toMatchObject({
      failure: expect.any(String),
    })
  })
})

describe('hostile sheets', () => {
  test('a used range of 1,048,576 rows with three cells costs three cells', async () => {
    const far =
      '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>2</v></c><c r="XFD1048576"><v>3</v></c></row>'
    const bytes = xlsx(far, {}, '<dimension ref="A1:XFD1048576"/>')
    expect(await read('range.xlsx', bytes)).toMatchObject({ extract: { text: expect.stringMatching(/^1\n2\t+3$/) } })
  })

  test('200,000 rows without a value are passed over', async () => {
    const bytes = xlsx(Array.from({ length: 200_000 }, (_, i) => `<row r="${i + 1}"/>`).join(''))
    expect(await read('empty-rows.xlsx', bytes)).toEqual({ failure: 'no_text' })
  })

  test('a hundred thousand rows are read', async () => {
    const rows = Array.from({ length: 100_000 }, (_, i) => `<row r="${i + 1}"><c r="A${i + 1}"><v>${i}</v></c></row>`)
    const bytes = xlsx(rows.join(''))
    const result = await readFile({ bytes, name: 'rows.xlsx', mediaType: '' })
    if ('failure' in result) throw new Error(result.failure)
    expect(result.extract.text.split('\n')).toHaveLength(100_000)
  })

  test('rows that grow beyond all text are refused', async () => {
    const row = `<row><c t="str"><v>${'many words '.repeat(2000)}</v></c></row>`
    const noise = Array.from({ length: 1500 }, (_, i) => row.replace('<v>', `<v>${i}${Math.sin(i)}`))
    const bytes = xlsx(noise.join(''))
    expect(await read('grown.xlsx', bytes)).toEqual({ failure: 'too_complex' })
  })

  test('the same OpenDocument row a million times is said a few times', async () => {
    const table = `<table:table table:name="T"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`
    const content = `<office:document-content><office:body><office:spreadsheet>${table}</office:spreadsheet></office:body></office:document-content>`
    const result = await read(
      'repeated.ods',
      zipSync({ mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet'), 'content.xml': strToU8(content) }),
    )
    if ('failure' in result) throw new Error(result.failure)
    expect(result.extract.text.length).toBeLessThan(20_000)
  })
})

describe('hostile PDF files', () => {
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>'
  const stream = (content: string, dict = '') =>
    `<< /Length ${content.length} ${dict} >>\nstream\n${content}\nendstream`
  const single = (contents: string): Uint8Array =>
    pdf('<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', page, contents)

  test('the file that the others are made from is read', async () => {
    expect(await read('fine.pdf', single(stream('BT /F 12 Tf 10 10 Td (plain words here) Tj ET')))).toMatchObject({
      extract: { text: 'plain words here' },
      parts: 1,
    })
  })

  test('a tree of pages that holds itself', async () => {
    const loop = pdf('<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000 >>')
    expect(await read('loop.pdf', loop)).toMatchObject({
      failure: expect.stringMatching(/damaged|no_text|too_complex/),
    })
    await wellFormed()
  })

  test('a million pages that are one', async () => {
    const kids = '3 0 R '.repeat(1_000_000)
    const many = pdf(
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count 1000000 >>`,
      page,
      stream('q Q'),
    )
    expect(await read('pages.pdf', many)).toMatchObject({ failure: expect.stringMatching(/damaged|too_complex/) })
    const claims = pdf(
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 2147483647 >>',
      page,
      stream('q Q'),
    )
    expect(await read('claims.pdf', claims)).toMatchObject({ failure: expect.any(String) })
  })

  test('filters upon filters', async () => {
    const { deflateSync } = await import('node:zlib')
    let content: Buffer = Buffer.alloc(200 * 2 ** 20)
    for (let i = 0; i < 5; i += 1) content = deflateSync(content)
    const stacked = stream(
      content.toString('latin1'),
      '/Filter [/FlateDecode /FlateDecode /FlateDecode /FlateDecode /FlateDecode]',
    )
    expect(await read('stacked.pdf', single(stacked))).toMatchObject({ failure: expect.any(String) })
    await wellFormed()
  })

  test('content nested without end', async () => {
    const saved = { bytes: single(stream('q '.repeat(1_000_000))), name: 'q.pdf', mediaType: '' }
    expect(await readFile(saved, { timeoutMs: 1_000 })).toEqual({ failure: 'timeout' })
    expect(await read('arrays.pdf', single(stream('['.repeat(200_000))))).toMatchObject({ failure: expect.any(String) })
    expect(await read('kids.pdf', pdf(`<< /Type /Catalog /Pages ${'['.repeat(200_000)} >>`))).toMatchObject({
      failure: expect.any(String),
    })
    await wellFormed()
  })

  test('a form that draws itself', async () => {
    const self = pdf(
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>',
      stream('/X Do'),
      stream('/X Do /X Do', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>'),
    )
    expect(await read('self.pdf', self)).toMatchObject({ failure: expect.any(String) })
    await wellFormed()
  })

  test('a picture of 100,000 × 100,000 is neither drawn nor handed on', async () => {
    const frame = '\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03\x01\x11\x00\x02\x11\x01\x03\x11\x01'
    const giant = pdf(
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject << /X 5 0 R /Y 6 0 R >> >> >>',
      stream('/X Do /Y Do'),
      stream(
        'x',
        '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceRGB',
      ),
      stream(frame.padEnd(9000, '\0'), '/Type /XObject /Subtype /Image /Width 65535 /Height 65535 /Filter /DCTDecode'),
    )
    expect(await read('giant.pdf', giant)).toEqual({ failure: 'no_text' })
  })

  test('files that are cut off', async () => {
    const document = await PDFDocument.create()
    for (let i = 0; i < 20; i += 1) document.addPage([200, 200]).drawText(`Words of page ${i + 1}`)
    const whole = await document.save()
    for (const length of [5, 100, Math.floor(whole.length / 2)])
      expect(await read('cut.pdf', whole.subarray(0, length))).toMatchObject({ failure: expect.any(String) })
    await wellFormed()
  })
})

describe('hostile pictures', () => {
  const png = (width: number, height: number): Uint8Array => {
    const bytes = Buffer.alloc(64)
    bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    return bytes
  }
  test('a picture that declares more than anyone could draw', async () => {
    expect(await read('giant.png', png(100_000, 100_000))).toEqual({ failure: 'too_complex' })
    expect(await read('fine.png', png(800, 600))).toMatchObject({ fileType: 'image', pictures: [{ page: null }] })
    expect(await read('cut.png', png(800, 600).subarray(0, 20))).toEqual({ failure: 'damaged' })
    expect(await read('nothing.png', png(0, 0))).toEqual({ failure: 'damaged' })
  })
})
