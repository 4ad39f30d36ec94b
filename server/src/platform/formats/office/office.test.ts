import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readFile } from '../index.ts'

/** The text of a package of these parts, or why there is none. */
const textOf = async (name: string, parts: Readonly<Record<string, string>>): Promise<string> => {
  const bytes = zipSync(Object.fromEntries(Object.entries(parts).map(([part, text]) => [part, strToU8(text)])))
  const result = await readFile({ bytes, name, mediaType: '' })
  return 'failure' in result ? result.failure : result.extract.text
}
const relations = (targets: Readonly<Record<string, string>>): string =>
  `<Relationships>${Object.entries(targets)
    .map(
      ([target, type], at) =>
        `<Relationship Id="r${at}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`
const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`
const chart =
  '<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Rainfall</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser><c:cat><c:strCache><c:pt><c:v>May</c:v></c:pt><c:pt><c:v>June</c:v></c:pt></c:strCache></c:cat><c:val><c:numCache><c:pt><c:v>31</c:v></c:pt><c:pt><c:v>7</c:v></c:pt></c:numCache></c:val></c:ser></c:chart></c:chartSpace>'
const diagram =
  '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>First step</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>'

describe('Word', () => {
  const word = (
    body: string,
    parts: Readonly<Record<string, string>> = {},
    targets: Readonly<Record<string, string>> = {},
  ) =>
    textOf('letter.docx', {
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relations({ 'word/document.xml': 'officeDocument' }),
      'word/_rels/document.xml.rels': relations(targets),
      'word/document.xml': `<w:document ${w}><w:body>${body}</w:body></w:document>`,
      ...parts,
    })

  test('says how signs are read behind them', async () => {
    const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${run('とうきょう')}</w:rt><w:rubyBase>${run('東京')}</w:rubyBase></w:ruby></w:r>`
    expect(await word(`<w:p>${run('in ')}${ruby}${run('.')}</w:p>`)).toBe('in 東京 (とうきょう).')
  })

  test('has its comments, each with its author', async () => {
    const text = await word(
      `<w:p>${run('The price is fixed.')}</w:p>`,
      {
        'word/comments.xml': `<w:comments ${w}><w:comment w:author="Ann"><w:p>${run('Is it?')}</w:p></w:comment></w:comments>`,
      },
      { 'comments.xml': 'comments' },
    )
    expect(text).toBe('The price is fixed.\n\nAnn: Is it?')
  })

  test('has the words of charts and diagrams', async () => {
    const text = await word(
      `<w:p>${run('See below.')}</w:p>`,
      { 'word/charts/chart1.xml': chart, 'word/diagrams/data1.xml': diagram },
      { 'charts/chart1.xml': 'chart', 'diagrams/data1.xml': 'diagramData' },
    )
    expect(text).toBe('See below.\n\nRainfall\nMay\tJune\n31\t7\nFirst step')
  })

  /** Levels as their format and text; `links` names the styles that stand for some of them. */
  const numbering = (
    levels: readonly (readonly [format: string, text: string, more?: string])[],
    nums: string,
  ): string =>
    `<w:numbering ${w}><w:abstractNum w:abstractNumId="7">${levels
      .map(
        ([format, text, more = ''], at) =>
          `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}</w:lvl>`,
      )
      .join('')}</w:abstractNum>${nums}</w:numbering>`
  const num = (id: number, more = ''): string => `<w:num w:numId="${id}"><w:abstractNumId w:val="7"/>${more}</w:num>`
  const item = (text: string, level: number, list = 1): string =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${run(text)}</w:p>`
  const numbered = (body: string, list: string, styles = ''): Promise<string> =>
    word(
      body,
      { 'word/numbering.xml': list, 'word/styles.xml': `<w:styles ${w}>${styles}</w:styles>` },
      { 'numbering.xml': 'numbering', 'styles.xml': 'styles' },
    )

  test('has the numbers of clauses as they are shown, over all levels', async () => {
    const list = numbering(
      [
        ['decimal', '%1.'],
        ['decimal', '%1.%2'],
        ['lowerLetter', '(%3)'],
        ['upperRoman', 'Note %4:'],
      ],
      num(1),
    )
    const body = [
      item('Terms', 0),
      item('Price', 1),
      item('net', 2),
      item('gross', 2),
      item('estimate', 3),
      item('Payment', 1),
      item('in full', 2),
      `<w:p>${run('Between.')}</w:p>`,
      item('Law &amp; court', 0),
      item('Place', 1),
    ]
    expect((await numbered(body.join(''), list)).split(/\n+/)).toEqual([
      '1. Terms',
      '1.1 Price',
      '(a) net',
      '(b) gross',
      'Note I: estimate',
      '1.2 Payment',
      '(a) in full',
      'Between.',
      '2. Law & court',
      '2.1 Place',
    ])
  })

  test('counts headings by their styles, and keeps them as headings', async () => {
    const style = (id: string, name: string, more: string) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`
    const own = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
    const list = numbering(
      [
        ['upperLetter', 'Part %1', '<w:pStyle w:val="H1"/>'],
        ['decimalZero', '%1-%2', '<w:pStyle w:val="H2"/><w:isLgl/>'],
      ],
      num(1),
    )
    const heading = (text: string, id: string) => `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr>${run(text)}</w:p>`
    const result = await numbered(
      heading('Scope', 'H1') + heading('Sites', 'H2') + heading('Staff', 'H2'),
      list,
      style('H1', 'heading 1', own) + style('H2', 'heading 2', '<w:basedOn w:val="H1"/>'),
    )
    expect(result).toBe('Part A Scope\n\n1-1 Sites\n\n1-2 Staff')
  })

  test('goes on with a list, starts one anew where it says so, and leaves bullets as bullets', async () => {
    const list = numbering(
      [
        ['ordinal', '%1'],
        ['bullet', 'o'],
        ['none', ''],
      ],
      num(1) + num(2) + num(3, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="12"/></w:lvlOverride>'),
    )
    const changed = item('fourth', 0).replace('</w:pPr>', '<w:pPrChange><w:pPr><w:ind/></w:pPr></w:pPrChange></w:pPr>')
    const body = [
      item('first', 0),
      item('dot', 1),
      item('second', 0, 2),
      item('twelfth', 0, 3),
      changed,
      item('bare', 2),
    ]
    expect((await numbered(body.join(''), list)).split(/\n+/)).toEqual([
      '1st first',
      '- dot',
      '2nd second',
      '12th twelfth',
      '13th fourth',
      'bare',
    ])
  })

  const withMark = (paragraph: string, mark: string): string =>
    paragraph.replace('</w:pPr>', `<w:rPr>${mark}</w:rPr></w:pPr>`)

  test('counts paragraphs that were moved where they are now', async () => {
    const moved = withMark(item('', 0), '<w:moveFrom w:id="1"/>').replace(
      run(''),
      `<w:moveFrom w:id="2">${run('four')}</w:moveFrom>`,
    )
    const body = item('one', 0) + moved + item('two', 0) + withMark(item('four', 0), '<w:moveTo w:id="3"/>')
    expect((await numbered(body, numbering([['decimal', '%1.']], num(1)))).split(/\n+/)).toEqual([
      '1. one',
      '2. two',
      '3. four',
    ])
  })

  test('has the number of paragraphs that were joined before all that they say', async () => {
    const deleted = '<w:del w:id="1"/>'
    const body = [
      withMark(item('Foo ', 0), deleted),
      withMark(`<w:p><w:pPr></w:pPr>${run('and ')}</w:p>`, deleted),
      item('bar', 0),
      item('two', 0),
      withMark(item('Plain ', 0), deleted),
      `<w:p>${run('text')}</w:p>`,
      item('three', 0),
    ]
    expect((await numbered(body.join(''), numbering([['decimal', '%1.']], num(1)))).split(/\n+/)).toEqual([
      '1. Foo and bar',
      '2. two',
      'Plain text',
      '3. three',
    ])
  })

  test('is read where a paragraph says a hundred thousand times what its mark looks like', async () => {
    const body = withMark(item('one', 0), '</w:rPr><w:rPr>'.repeat(100_000))
    expect(await numbered(body, numbering([['decimal', '%1.']], num(1)))).toBe('1. one')
  })

  test('has the text boxes of its headers, once', async () => {
    const box = `<w:txbxContent><w:p>${run('In the margin')}</w:p></w:txbxContent>`
    const both = `<mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>`
    const text = await word(
      `<w:p>${run('Body')}</w:p>`,
      { 'word/header1.xml': `<w:hdr><w:p>${run('Above')}<w:r>${both}</w:r></w:p></w:hdr>` },
      { 'header1.xml': 'header' },
    )
    expect(text).toBe('Above\nIn the margin\n\nBody')
  })

  test.each([
    ['a web page', 'part.html', '<h1>Page</h1><p>from elsewhere</p>', 'Page\n\nfrom elsewhere'],
    [
      'a saved web page',
      'part.mht',
      'Content-Type: multipart/related; boundary="x"\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>saved</p>\r\n--x--\r\n',
      'saved',
    ],
  ])('has %s that is a piece of it', async (_what, name, content, read) => {
    const text = await word(
      `<w:p>${run('Before')}</w:p><w:altChunk r:id="r0"/>`,
      { [`word/${name}`]: content },
      { [name]: 'aFChunk' },
    )
    expect(text).toBe(`Before\n\n${read}`)
  })
})

describe('Excel', () => {
  const excel = (rows: string, after = '', parts: Readonly<Record<string, string>> = {}) =>
    textOf('book.xlsx', {
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relations({ 'xl/workbook.xml': 'officeDocument' }),
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="One" sheetId="1" r:id="r0"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relations({ 'worksheets/sheet1.xml': 'worksheet' }),
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`,
      ...parts,
    })

  test('writes long numbers in full, so that they are found', async () => {
    expect(await excel('<row r="1"><c r="A1"><v>123456789012345</v></c><c r="B1"><v>1.5E+14</v></c></row>')).toBe(
      '123456789012345\t150000000000000',
    )
  })

  test('has its text boxes, charts and diagrams', async () => {
    const text = await excel('<row><c><v>1</v></c></row>', '<drawing/>', {
      'xl/worksheets/_rels/sheet1.xml.rels': relations({ '../drawings/drawing1.xml': 'drawing' }),
      'xl/drawings/drawing1.xml':
        '<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>Mind this</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>',
      'xl/drawings/_rels/drawing1.xml.rels': relations({
        '../charts/chart1.xml': 'chart',
        '../diagrams/data1.xml': 'diagramData',
      }),
      'xl/charts/chart1.xml': chart,
      'xl/diagrams/data1.xml': diagram,
    })
    expect(text).toBe('1\n\nMind this\nRainfall\nMay\tJune\n31\t7\nFirst step')
  })

  test('has its headers and footers without their codes', async () => {
    const margins =
      '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Costs &amp;&amp; gains&amp;R&amp;D</oddHeader><oddFooter>&amp;CPage &amp;P</oddFooter><evenFooter>&amp;P</evenFooter></headerFooter>'
    expect(await excel('<row><c><v>1</v></c></row>', margins)).toBe('1\n\nCosts & gains\nPage')
  })
})

describe('PowerPoint', () => {
  const shape = (text: string, place = ''): string =>
    `<p:sp><p:nvSpPr><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`

  test('has comments of both kinds with their authors, notes with their tables, and what its masters show, once', async () => {
    const text = await textOf('talk.pptx', {
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relations({ 'ppt/presentation.xml': 'officeDocument' }),
      'ppt/presentation.xml':
        '<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="r0"/><p:sldId id="257" r:id="r1"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations({
        'slides/slide1.xml': 'slide',
        'slides/slide2.xml': 'slide',
        'commentAuthors.xml': 'commentAuthors',
        'authors.xml': 'authors',
      }),
      'ppt/commentAuthors.xml': '<p:cmAuthorLst><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>',
      'ppt/authors.xml': '<p188:authorLst><p188:author id="{B}" name="Bo"/></p188:authorLst>',
      'ppt/slides/slide1.xml': `<p:sld>${shape('One')}</p:sld>`,
      'ppt/slides/slide2.xml': `<p:sld>${shape('Two')}</p:sld>`,
      'ppt/slides/_rels/slide1.xml.rels': relations({
        '../slideLayouts/slideLayout1.xml': 'slideLayout',
        '../comments/comment1.xml': 'comments',
        '../comments/modern.xml': 'comments',
        '../notesSlides/notesSlide2.xml': 'notesSlide',
      }),
      'ppt/slides/_rels/slide2.xml.rels': relations({
        '../slideLayouts/slideLayout1.xml': 'slideLayout',
        '../notesSlides/notesSlide1.xml': 'notesSlide',
      }),
      'ppt/notesSlides/notesSlide2.xml': `<p:notes>${shape('Staff only', '<p:ph type="hdr"/>')}</p:notes>`,
      'ppt/notesSlides/notesSlide1.xml': `<p:notes><p:cSld>${shape('2', '<p:ph type="sldNum"/>')}${shape('Staff only', '<p:ph type="hdr"/>')}${shape('Say it slowly', '<p:ph type="body"/>')}<p:graphicFrame><a:tbl><a:tr><a:tc><a:p><a:r><a:t>Noon</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>Lunch</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:graphicFrame></p:cSld></p:notes>`,
      'ppt/slideLayouts/slideLayout1.xml': `<p:sldLayout>${shape('Click to edit', '<p:ph type="title"/>')}</p:sldLayout>`,
      'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relations({ '../slideMasters/slideMaster1.xml': 'slideMaster' }),
      'ppt/slideMasters/slideMaster1.xml': `<p:sldMaster>${shape('For members only')}</p:sldMaster>`,
      'ppt/comments/comment1.xml': '<p:cmLst><p:cm authorId="0"><p:text>Too long</p:text></p:cm></p:cmLst>',
      'ppt/comments/modern.xml':
        '<p188:cmLst><p188:cm authorId="{B}"><p188:txBody><a:p><a:r><a:t>Too short</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>',
    })
    expect(text).toBe(
      'One\nFor members only\nAnn: Too long\nBo: Too short\nStaff only\n\nTwo\nSay it slowly\nNoon\tLunch',
    )
  })
})

describe('OpenDocument', () => {
  const open = (kind: string, body: string, styles: string, named = '', own = '', objects: readonly string[] = []) =>
    textOf(`file.od${kind[0] === 't' ? 't' : kind[0] === 'p' ? 'p' : 's'}`, {
      mimetype: `application/vnd.oasis.opendocument.${kind}`,
      'content.xml': `<office:document-content><office:automatic-styles>${own}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
      'styles.xml': `<office:document-styles><office:styles>${named}</office:styles><office:master-styles>${styles}</office:master-styles></office:document-styles>`,
      ...Object.fromEntries(objects.map((object, at) => [`Object ${at}/content.xml`, object])),
    })
  const remark =
    '<office:annotation><dc:creator>Ann</dc:creator><dc:date>2026</dc:date><text:p>Is it?</text:p></office:annotation>'

  test('texts have their remarks', async () => {
    expect(await open('text', `<text:p>A ${remark}price</text:p>`, '')).toBe('A price\n\nAnn: Is it?')
  })

  const item = (inside: string, more = '') => `<text:list-item ${more}>${inside}</text:list-item>`
  const list = (items: string, more = '') => `<text:list ${more}>${items}</text:list>`
  const said = (text: string) => `<text:p>${text}</text:p>`

  test('texts have the numbers of items as they are shown, and none at bullets', async () => {
    const own =
      '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" text:display-levels="2" style:num-prefix="(" style:num-suffix=")"/><text:list-level-style-bullet text:level="3"/></text:list-style>'
    const body = [
      list(
        item(said('Terms') + said('more')) +
          item(said('Price') + list(item(said('net') + list(item(said('dot')))) + item(said('gross')))) +
          item(said('Law'), 'text:start-value="9"') +
          item(list(item(said('place')))),
        'text:style-name="L"',
      ),
      said('Between'),
      list(item(said('Last') + list(item(said('part')))), 'text:style-name="L" text:continue-numbering="true"'),
      said('Between'),
      list(item(list(item(said('more')))), 'text:style-name="L" text:continue-numbering="true"'),
      list(item(said('Anew')), 'text:style-name="L"'),
    ]
    expect((await open('text', body.join(''), '', '', own)).split(/\n+/)).toEqual([
      '1. Terms',
      'more',
      '2. Price',
      '(2.a) net',
      'dot',
      '(2.b) gross',
      '9. Law',
      '(9.a) place',
      'Between',
      '10. Last',
      '(10.a) part',
      'Between',
      '(10.b) more',
      '1. Anew',
    ])
  })

  test('texts have the numbers of headings, in lists and in none', async () => {
    const named =
      '<text:outline-style><text:outline-level-style text:level="1" style:num-format="I"/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style><text:list-style style:name="W"><text:list-level-style-number text:level="1" style:num-format="A" style:num-prefix="Part "/></text:list-style>'
    const heading = (text: string, level: number) => `<text:h text:outline-level="${level}">${text}</text:h>`
    const body =
      heading('Scope', 1) +
      heading('Sites', 2) +
      heading('Staff', 2) +
      list(item(heading('Annex', 1)), 'text:style-name="W"')
    expect(await open('text', body, '', named)).toBe('I Scope\n\nI.1 Sites\n\nI.2 Staff\n\nPart A Annex')
  })

  test('texts do not count what was deleted', async () => {
    const named =
      '<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/></text:outline-style>'
    const heading = '<text:h text:outline-level="1">First</text:h>'
    const deleted = `<text:tracked-changes><text:changed-region><text:deletion>${heading}${heading}</text:deletion></text:changed-region></text:tracked-changes>`
    expect(await open('text', deleted + heading, '', named)).toBe('1 First')
  })

  test('texts are read whatever levels they name', async () => {
    const named =
      '<text:outline-style><text:outline-level-style text:level="10" style:num-format="1" text:display-levels="99999999999"/></text:outline-style>'
    expect(await open('text', '<text:h text:outline-level="99999999999">Deep</text:h>', '', named)).toBe(
      `${Array.from({ length: 10 }, () => 1).join('.')} Deep`,
    )
  })

  test('is read without an object that is damaged, and opens one that is shown often once', async () => {
    const formula = `<math:math><!--${' '.repeat(3_500_000)}--><math:mi>a</math:mi></math:math>`
    const shown = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
    const body = `${said('Hello')}<text:p><draw:frame><draw:object xlink:href="./Object 0"/></draw:frame>${shown.repeat(120)}</text:p>`
    const text = await open('text', body, '', '', '', ['<office:document-content <<', formula])
    expect(text).toBe(`Hello\n${'\na'.repeat(120)}`)
  })

  test('has what stands in charts and formulas', async () => {
    const cells = (texts: readonly string[]) =>
      `<table:table-row>${texts.map((text) => `<table:table-cell>${said(text)}</table:table-cell>`).join('')}</table:table-row>`
    const objects = [
      `<office:document-content><office:body><office:chart><chart:chart><chart:title>${said('Rainfall')}</chart:title><table:table>${cells(['', 'May'])}${cells(['Oslo', '31'])}</table:table></chart:chart></office:chart></office:body></office:document-content>`,
      '<math:math><math:semantics><math:mi>a</math:mi><math:annotation>a = b^2</math:annotation></math:semantics></math:math>',
    ]
    const shown =
      '<draw:frame><draw:object xlink:href="./Object 0"/></draw:frame><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
    const words = 'Rainfall\nMay\nOslo\t31\na = b^2'
    expect(await open('text', `${said('See below')}<text:p>${shown}</text:p>`, '', '', '', objects)).toBe(
      `See below\n\n${words}`,
    )
    expect(await open('presentation', `<draw:page>${shown}</draw:page>`, '', '', '', objects)).toBe(words)
    const sheet = `<table:table table:name="One"><table:shapes>${shown}</table:shapes>${cells(['1'])}</table:table>`
    expect(await open('spreadsheet', sheet, '', '', '', objects)).toBe(`1\n\n${words}`)
  })

  test('sheets have their margins, but not those that only number and name them', async () => {
    const cell = `<table:table table:name="One"><table:table-row><table:table-cell>${remark}<text:p>1</text:p></table:table-cell></table:table-row></table:table>`
    const styles =
      '<style:master-page><style:header><text:p><text:sheet-name>???</text:sheet-name></text:p></style:header><style:footer><text:p>Draft</text:p><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer></style:master-page>'
    expect(await open('spreadsheet', cell, styles)).toBe('1\n\nAnn: Is it?\n\nDraft')
  })

  test('slides have what their master shows, once', async () => {
    const slide = (text: string) => `<draw:page draw:master-page-name="M"><text:p>${text}</text:p></draw:page>`
    const frame = (kind: string, text: string) =>
      `<draw:frame presentation:class="${kind}"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`
    const styles = `<style:master-page style:name="M">${frame('title', 'Click to edit')}${frame('footer', 'For members')}</style:master-page>`
    expect(await open('presentation', slide('One') + slide('Two'), styles)).toBe('One\nFor members\n\nTwo')
  })

  test('slides have the footers that they take from a list, each once', async () => {
    const slide = (text: string, footer: string) =>
      `<draw:page presentation:use-footer-name="${footer}">${said(text)}</draw:page>`
    const footer = (name: string, text: string) =>
      `<presentation:footer-decl presentation:name="${name}">${text}</presentation:footer-decl>`
    const body =
      footer('f1', 'Secret') + footer('f2', 'Open') + slide('One', 'f1') + slide('Two', 'f1') + slide('Three', 'f2')
    expect(await open('presentation', body, '')).toBe('One\nSecret\n\nTwo\n\nThree\nOpen')
  })
})
