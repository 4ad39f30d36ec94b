import { strToU8, zipSync } from 'fflate'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { describe, expect, test } from 'vitest'
import { describeSamples } from '../../testing/sample-documents.ts'
import { readFile, readHtmlPage, type ReadResult } from './index.ts'

describeSamples()

type Success = Extract<ReadResult, { fileType: unknown }>
const read = async (name: string, bytes: Uint8Array): Promise<Success> => {
  const result = await readFile({ bytes, name, mediaType: '' })
  if ('failure' in result) throw new Error(result.failure)
  return result
}
const pack = (files: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, file]) => [name, typeof file === 'string' ? strToU8(file) : file]),
    ),
  )
/** Each stretch with its text. */
const stretches = ({ extract }: Success): string[] =>
  extract.segments.map(
    ({ kind, label, number, start, end }) => `${kind} ${number} ${label}: ${extract.text.slice(start, end)}`,
  )

const relation = (id: string, type: string, target: string, more = '') =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" ${more}/>`
const relations = (...all: string[]) => `<Relationships>${all.join('')}</Relationships>`

describe('Word', () => {
  const paragraph = (text: string, style = '') =>
    `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`
  const docx = (body: string) =>
    pack({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relations(relation('r1', 'officeDocument', 'word/document.xml')),
      'word/_rels/document.xml.rels': relations(
        relation('r2', 'styles', 'styles.xml'),
        relation('r3', 'header', 'header1.xml'),
        relation('r4', 'header', 'header2.xml'),
        relation('r5', 'image', 'file:///etc/passwd', 'TargetMode="External"'),
      ),
      'word/styles.xml':
        '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style></w:styles>',
      'word/header1.xml': '<w:hdr><w:p><w:r><w:t>Every page</w:t></w:r></w:p></w:hdr>',
      'word/header2.xml': '<w:hdr><w:p><w:r><w:t>Every page</w:t></w:r></w:p></w:hdr>',
      'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><w:body>${body}</w:body></w:document>`,
    })

  test('headings become sections, the header is said once', async () => {
    const result = await read(
      'letter.docx',
      docx(`${paragraph('First', 'H1')}${paragraph('one')}${paragraph('Second', 'H2')}${paragraph('two &amp; three')}`),
    )
    expect(result.extract.text).toBe('Every page\n\nFirst\n\none\n\nSecond\n\ntwo & three')
    expect(stretches(result).map((line) => line.replace(/\s+/g, ' '))).toEqual([
      'section null First: First one ',
      'section null First › Second: Second two & three',
    ])
  })

  test('a long letter is read piece by piece, and no paragraph is lost or said twice', async () => {
    const paragraphs = Array.from({ length: 10_000 }, (_, index) =>
      `Paragraph ${index} ${Math.sin(index)} ${'of many words '.repeat(8)}`.trim(),
    )
    const table = `<w:tbl><w:tr><w:tc>${paragraph('in a cell')}</w:tc></w:tr></w:tbl>`
    const { extract } = await read('long.docx', docx(paragraphs.map((text) => paragraph(text)).join(table)))
    const lines = extract.text.split('\n').filter((line) => line.startsWith('Paragraph'))
    expect(lines).toEqual(paragraphs)
    expect(extract.text.split('in a cell')).toHaveLength(10_000)
  })

  test('a text box that only newer programs know is read, and what was deleted is not', async () => {
    const box = `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>${paragraph('in a box')}</w:txbxContent></wps:txbx></w:drawing></mc:Choice></mc:AlternateContent></w:r></w:p>`
    const gone =
      '<w:p><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:ins><w:r><w:t>inserted</w:t></w:r></w:ins></w:p>'
    const { extract } = await read('box.docx', docx(`${paragraph('before')}${box}${gone}`))
    expect(extract.text).toContain('in a box')
    expect(extract.text).toContain('inserted')
    expect(extract.text).not.toContain('deleted')
  })
})

describe('PowerPoint', () => {
  test('slides follow the presentation, not the names of their files', async () => {
    const slide = (text: string) =>
      `<p:sld xmlns:a="a"><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sld>`
    const result = await read(
      'talk.pptx',
      pack({
        '[Content_Types].xml': '<Types/>',
        '_rels/.rels': relations(relation('r1', 'officeDocument', 'ppt/presentation.xml')),
        'ppt/presentation.xml':
          '<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId id="300" r:id="b"/><p:sldId id="256" r:id="a"/></p:sldIdLst></p:presentation>',
        'ppt/_rels/presentation.xml.rels': relations(
          relation('a', 'slide', 'slides/slide1.xml'),
          relation('b', 'slide', '/ppt/slides/slide2.xml'),
        ),
        'ppt/slides/slide1.xml': slide('made first'),
        'ppt/slides/slide2.xml': slide('shown first'),
      }),
    )
    expect(stretches(result)).toEqual(['slide 1 Slide 1: shown first', 'slide 2 Slide 2: made first'])
    expect(result.parts).toBe(2)
  })
})

describe('Excel', () => {
  const workbook = (sheets: Record<string, string>, properties = '') =>
    pack({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relations(relation('r1', 'officeDocument', 'xl/workbook.xml')),
      'xl/workbook.xml': `<workbook xmlns:r="r">${properties}<sheets>${Object.keys(sheets)
        .map((name, index) => `<sheet name="${name}" sheetId="${index + 7}" r:id="s${index}"/>`)
        .join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relations(
        relation('t', 'sharedStrings', 'sharedStrings.xml'),
        relation('u', 'styles', 'styles.xml'),
        ...Object.keys(sheets).map((_, index) => relation(`s${index}`, 'worksheet', `worksheets/sheet${index}.xml`)),
      ),
      'xl/sharedStrings.xml':
        '<sst><si><t>Name</t></si><si><r><t>Ri</t></r><r><t xml:space="preserve">ch &lt;b&gt;</t></r><rPh><t>reading</t></rPh></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="200" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/><xf numFmtId="10"/></cellXfs></styleSheet>',
      ...Object.fromEntries(
        Object.values(sheets).map((rows, index) => [
          `xl/worksheets/sheet${index}.xml`,
          `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
        ]),
      ),
    })

  test('sheets with their names, heads, strings of every kind, and gaps kept', async () => {
    const result = await read(
      'book.xlsx',
      workbook({
        'People &amp; pay':
          '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Share</t></is></c></row>' +
          '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="C2" s="2"><f>1/4</f><v>0.25</v></c><c r="D2" t="b"><v>1</v></c></row>' +
          '<row r="3"/><row r="9"><c r="A9" t="str"><f>A1&amp;""</f><v>a\nb</v></c><c r="B9" t="e"><v>#N/A</v></c></row>',
        Second: '<row><c><v>1</v></c><c><v>2.5</v></c></row>',
      }),
    )
    expect(stretches(result)).toEqual([
      'sheet 1 People & pay: Name\t\tShare\nRich <b>\t\t25.00%\tTRUE\na b\t#N/A',
      'sheet 2 Second: 1\t2.5',
    ])
    expect(result.extract.segments.map(({ head }) => head)).toEqual(['Name\t\tShare', undefined])
    expect(result.parts).toBe(2)
  })

  test('dates of both calendars', async () => {
    const row = { Days: '<row r="1"><c r="A1" s="1"><v>45000</v></c><c r="B1"><v>45000</v></c></row>' }
    expect((await read('1900.xlsx', workbook(row))).extract.text).toBe('2023-03-15\t45000')
    expect((await read('1904.xlsx', workbook(row, '<workbookPr date1904="1"/>'))).extract.text).toBe(
      '2027-03-16\t45000',
    )
  })
})

describe('OpenDocument', () => {
  const open = (kind: string, body: string, styles = '') =>
    pack({
      mimetype: `application/vnd.oasis.opendocument.${kind}`,
      'content.xml': `<office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
      'styles.xml': `<office:document-styles><office:master-styles>${styles}</office:master-styles></office:document-styles>`,
      'meta.xml':
        '<office:document-meta><office:meta><dc:title>Its title</dc:title></office:meta></office:document-meta>',
    })

  test('a text with headings, lists, tables, notes and a footer', async () => {
    const result = await read(
      'text.odt',
      open(
        'text',
        '<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>' +
          '<text:h text:outline-level="1">One</text:h><text:p>a<text:s text:c="2"/>b<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>noted</text:p></text:note-body></text:note></text:p>' +
          '<text:section><text:h text:outline-level="2">Two</text:h></text:section><text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>' +
          '<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table>',
        '<style:master-page><style:footer><text:p>Below</text:p></style:footer></style:master-page>',
      ),
    )
    expect(result.extract).toMatchObject({ title: 'Its title' })
    expect(result.extract.text).toBe('One\n\na  b [noted]\n\nTwo\n\nitem\n\nx\ty\n\nBelow')
    expect(stretches(result)).toEqual([
      'section null One: One\n\na  b [noted]\n\n',
      'section null One › Two: Two\n\nitem\n\nx\ty\n\nBelow',
    ])
  })

  test('slides with notes, and sheets with what was shown', async () => {
    const slides = await read(
      'talk.odp',
      open(
        'presentation',
        '<draw:page><draw:frame><draw:text-box><text:p>Hello</text:p></draw:text-box></draw:frame><presentation:notes><text:p>Say hello</text:p></presentation:notes></draw:page><draw:page/><draw:page><text:p>Bye</text:p></draw:page>',
      ),
    )
    expect(stretches(slides)).toEqual(['slide 1 Slide 1: Hello\nSay hello', 'slide 3 Slide 3: Bye'])
    expect(slides.parts).toBe(3)
    const sheet = await read(
      'sheet.ods',
      open(
        'spreadsheet',
        '<table:table table:name="Costs"><table:table-row><table:table-cell><text:p>What</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"/><table:table-cell><text:p>Price</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated="2"><table:table-cell office:value="3.5"><text:p>3,50 €</text:p></table:table-cell></table:table-row></table:table>',
      ),
    )
    expect(stretches(sheet)).toEqual(['sheet 1 Costs: What\t\t\tPrice\n3,50 €\n3,50 €'])
    expect(sheet.extract.segments[0]?.head).toBe('What\t\t\tPrice')
  })

  test('one with a password says so', async () => {
    const bytes = pack({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'META-INF/manifest.xml':
        '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
      'content.xml': 'noise',
    })
    expect(await readFile({ bytes, name: 'sealed.odt', mediaType: '' })).toEqual({ failure: 'encrypted' })
  })
})

describe('books and archives', () => {
  test('chapters in the order of the spine', async () => {
    const chapter = (head: string, body: string) =>
      `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${head}</title></head><body>${body}</body></html>`
    const result = await read(
      'book.epub',
      pack({
        mimetype: 'application/epub+zip',
        'META-INF/container.xml':
          '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        'OEBPS/book.opf':
          '<package><metadata><dc:title>The Book</dc:title></metadata><manifest><item id="a" href="text/a.xhtml"/><item id="b" href="text/b%20b.xhtml"/><item id="c" href="text/cover.xhtml"/></manifest><spine><itemref idref="c"/><itemref idref="b"/><itemref idref="a"/><itemref idref="lost"/></spine></package>',
        'OEBPS/text/a.xhtml': chapter('A', '<h1>Second chapter</h1><p>then</p>'),
        'OEBPS/text/b b.xhtml': chapter('First chapter', '<p>once</p>'),
        'OEBPS/text/cover.xhtml': '<html><head><title/></head><body><img src="cover.jpg"/></body></html>',
      }),
    )
    expect(result.extract.title).toBe('The Book')
    expect(stretches(result)).toEqual([
      'section null First chapter: once',
      'section null Second chapter: Second chapter\n\nthen',
    ])
  })

  test('an archive gives each member under its name, and of those it cannot read the name', async () => {
    const inner = await PDFDocument.create()
    inner
      .addPage([300, 300])
      .drawText('Words in a PDF in a zip', { font: await inner.embedFont(StandardFonts.Helvetica) })
    const result = await read(
      'all.zip',
      pack({
        'notes/a.txt': 'first notes',
        'paper.pdf': await inner.save(),
        'program.exe': 'MZ\0\0\0',
        '__MACOSX/._a.txt': 'noise',
        'broken.docx': 'PK\x03\x04 and nothing',
      }),
    )
    expect(stretches(result)).toEqual([
      'file null notes/a.txt: notes/a.txt\n\nfirst notes',
      'file null paper.pdf › Page 1: Words in a PDF in a zip',
      'file null program.exe: program.exe',
      'file null broken.docx: broken.docx',
    ])
  })
})

describe('archives of other machines', () => {
  /** A zip with one member, whose name is not said to be UTF-8. */
  const zipOf = (name: Uint8Array, method: number, body: Uint8Array): Uint8Array => {
    const header = (signature: string, more: number, offset: number) => {
      const bytes = Buffer.alloc(more)
      bytes.write(signature, 'latin1')
      bytes.writeUInt16LE(method, offset)
      for (const at of [offset + 10, offset + 14]) bytes.writeUInt32LE(body.length, at)
      bytes.writeUInt16LE(name.length, offset + 18)
      return Buffer.concat([bytes, name])
    }
    const local = Buffer.concat([header('PK\x03\x04', 30, 8), body])
    const directory = header('PK\x01\x02', 46, 10)
    const end = Buffer.alloc(22)
    end.write('PK\x05\x06', 'latin1')
    for (const at of [8, 10]) end.writeUInt16LE(1, at)
    end.writeUInt32LE(directory.length, 12)
    end.writeUInt32LE(local.length, 16)
    return new Uint8Array(Buffer.concat([local, directory, end]))
  }

  test('have the names of their files in the encoding of the machine', async () => {
    const name = Buffer.from('95b68fcd82c682b782c882cc82e082cc82aa82bd82e82e747874', 'hex')
    const result = await read('letters.zip', zipOf(name, 0, strToU8('some words')))
    expect(result.extract.text).toBe('文章とすなのものがたり.txt\n\nsome words')
  })

  const two = pack({ 'a.txt': 'first words', 'b.txt': 'second words' })

  test('whose places were counted without what stands before them are read', async () => {
    const behindText = new Uint8Array(Buffer.concat([two.subarray(0, 4), Buffer.alloc(5), two]))
    expect((await read('all.zip', behindText)).extract.text).toBe('a.txt\n\nfirst words\n\nb.txt\n\nsecond words')
  })

  test('whose places were counted without what stands behind each file are read', async () => {
    const second = Buffer.from(two).indexOf('PK\x03\x04', 4, 'latin1')
    const descriptor = Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), Buffer.alloc(12)])
    const bytes = Buffer.concat([two.subarray(0, second), descriptor, two.subarray(second)])
    const result = await read('all.zip', new Uint8Array(bytes))
    expect(result.extract.text).toBe('a.txt\n\nfirst words\n\nb.txt\n\nsecond words')
  })

  test('that are packed in a way that is not known say so', async () => {
    const bytes = zipOf(strToU8('README'), 6, strToU8('imploded'))
    expect(await readFile({ bytes, name: 'old.zip', mediaType: '' })).toEqual({ failure: 'unsupported' })
  })
})

describe('pictures and sound', () => {
  test('are handed on as they are', async () => {
    const wav = strToU8('RIFF\x24\0\0\0WAVEfmt ', true)
    expect(await read('talk.wav', wav)).toMatchObject({
      fileType: 'audio',
      mediaType: 'audio/wav',
      sound: true,
      pictures: [],
    })
    const gif = strToU8('GIF89a\x20\0\x10\0\0\0\0', true)
    const { pictures, extract } = await read('small.gif', gif)
    expect(pictures).toEqual([{ page: null, mediaType: 'image/gif', bytes: gif }])
    expect(extract).toEqual({ text: '', segments: [], title: null })
  })
})

describe('web pages', () => {
  test('are read elsewhere, too', async () => {
    expect(await readHtmlPage('<title>Page</title><p>Words of a page</p>')).toMatchObject({ text: 'Words of a page' })
    expect(await readHtmlPage('<div>'.repeat(100_000))).toEqual({ failure: 'too_complex' })
    expect(await readHtmlPage('<p></p>')).toEqual({ failure: 'no_text' })
  })

  test('reading can be called off', async () => {
    const signal = AbortSignal.abort()
    await expect(readHtmlPage('<p>x</p>', { signal })).rejects.toMatchObject({ kind: 'aborted' })
  })
})
