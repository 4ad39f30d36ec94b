import { PDFDocument, PDFHexString, PDFName, PDFString, StandardFonts } from 'pdf-lib'
import { describe, expect, test } from 'vitest'
import { scanOf } from '../../../testing/scans.ts'
import { readFile } from '../index.ts'

const textOf = async (document: PDFDocument): Promise<string> => {
  const bytes = new Uint8Array(await document.save({ useObjectStreams: false }))
  const result = await readFile({ bytes, name: 'paper.pdf', mediaType: '' })
  return 'failure' in result ? result.failure : result.extract.text
}

/** A page with pieces at their places; each letter of `signs` is drawn as A, B, C … and named by the font as it is. */
const paper = async (signs: string, pieces: readonly (readonly [text: string, x: number, y: number])[]) => {
  const document = await PDFDocument.create()
  const { context } = document
  const letters = Array.from(signs)
  const byte = (at: number) => (at + 65).toString(16).padStart(2, '0')
  const unit = (sign: string) => sign.charCodeAt(0).toString(16).padStart(4, '0')
  const names = letters.map((sign, at) => `<${byte(at)}> <${unit(sign)}>`).join('\n')
  const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${letters.length} beginbfchar\n${names}\nendbfchar endcmap end`
  const font = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Courier',
      ToUnicode: context.register(context.stream(map)),
    }),
  )
  const page = document.addPage([600, 800])
  page.node.setFontDictionary(PDFName.of('F'), font)
  const drawn = pieces.map(([text, x, y]) => {
    const hex = Array.from(text)
      .map((sign) => byte(letters.indexOf(sign)))
      .join('')
    return `BT /F 20 Tf ${x} ${y} Td <${hex}> Tj ET`
  })
  page.node.set(PDFName.of('Contents'), context.register(context.stream(drawn.join('\n'))))
  return document
}

describe('lines from right to left', () => {
  /** As a program lays them: shapes of letters, from the left edge of the page to the right one. */
  const arabic = '\ufe94\ufef4\ufe91\ufeae\ufecc\ufedf\u0627'
  const scripts = '\u0637\ufeee\ufec4\ufccb\u0627'
  const signs = [...new Set(Array.from(`${arabic}${scripts}PDF12 `))].join('')

  test('are read from the right, with joined letters opened in the order in which they are typed', async () => {
    const document = await paper(signs, [
      [arabic, 100, 700],
      [scripts, 300, 700],
    ])
    expect(await textOf(document)).toBe('الخطوط العربية')
  })

  test('keep words and numbers that run the other way in their own order', async () => {
    const document = await paper(signs, [
      [arabic, 50, 700],
      ['PDF', 200, 700],
      ['12', 260, 700],
      [scripts, 350, 700],
    ])
    expect(await textOf(document)).toBe('الخطوط PDF 12 العربية')
  })

  test('of Arabic are in its own letters where a font names those of Persian, and of Persian stay as they are', async () => {
    /** From the left, as it is drawn. */
    const drawn = (word: string) => Array.from(word).toReversed().join('')
    const line = async (word: string) =>
      textOf(await paper([...new Set(Array.from(word))].join(''), [[drawn(word), 100, 700]]))
    expect(await line('ھذه مدرسة کبیرة'.replace(/ /g, ''))).toBe('هذهمدرسةكبيرة')
    expect(await line('مدرسةعلی')).toBe('مدرسةعلى')
    expect(await line('مدرسةچیکھ')).toBe('مدرسةچیکھ')
  })

  test('are read so on stamps too', async () => {
    const lines = [scripts, `12 PDF ${arabic}`]
    const document = await paper(signs, [])
    const { context } = document
    const [page] = document.getPages()
    const hex = (text: string) => Buffer.from(Array.from(text, (sign) => signs.indexOf(sign) + 65)).toString('hex')
    const drawing = context.stream(
      `BT /F 10 Tf 0 20 Td ${lines.map((line) => `<${hex(line)}> Tj 0 -12 Td`).join(' ')} ET`,
      { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 200, 40], Resources: page!.node.Resources()! },
    )
    const stamp = { Type: 'Annot', Subtype: 'Stamp', Rect: [9, 9, 99, 49], F: 4, AP: { N: context.register(drawing) } }
    page!.node.set(PDFName.of('Annots'), context.obj([context.register(context.obj(stamp))]))
    expect(await textOf(document)).toBe('الخطوط العربية 12 PDF')
  })

  test('leave a line alone that runs from left to right', async () => {
    const document = await paper(signs, [
      ['PDF12PDF', 100, 700],
      [scripts, 300, 700],
    ])
    expect(await textOf(document)).toBe('PDF12PDF الخطوط')
  })
})

describe('signs that were set one by one', () => {
  test('of a script without spaces are put together', async () => {
    const document = await paper('全世界无产者，联合起来 ', [['全 世 界 无 产 者，联 合 起 来', 50, 700]])
    expect(await textOf(document)).toBe('全世界无产者，联合起来')
  })

  test('keep the space between words of several signs', async () => {
    const document = await paper('東京大阪 ', [['東京 大阪', 50, 700]])
    expect(await textOf(document)).toBe('東京 大阪')
  })
})

test('letters that a font names by their looks are read', async () => {
  const document = await PDFDocument.create()
  const { context } = document
  const page = document.addPage([300, 300])
  const font = {
    Type: 'Font',
    Subtype: 'Type1',
    BaseFont: 'Courier',
    Encoding: { Type: 'Encoding', Differences: [128, 'one.oldstyle', 'nine.oldstyle', 'A.sc'] },
  }
  page.node.setFontDictionary(PDFName.of('F'), context.register(context.obj(font)))
  page.node.set(
    PDFName.of('Contents'),
    context.register(context.stream('BT /F 20 Tf 50 200 Td (Version ) Tj <802e8182> Tj ET')),
  )
  expect(await textOf(document)).toBe('Version 1.9A')
})

describe('forms and remarks', () => {
  const form = async () => {
    const document = await PDFDocument.create()
    const page = document.addPage([600, 800])
    page.drawText('An application', { font: await document.embedFont(StandardFonts.Helvetica) })
    return { document, page, fields: document.getForm() }
  }

  test('what was filled in stands with the names of its fields, with all that a list shows, and what was not does not', async () => {
    const { document, page, fields } = await form()
    const name = fields.createTextField('form.page1.Name')
    name.setText('Ada Lovelace')
    name.addToPage(page)
    fields.createTextField('Empty').addToPage(page)
    const secret = fields.createTextField('Secret')
    secret.enablePassword()
    secret.setText('hunter2')
    secret.addToPage(page)
    const city = fields.createDropdown('City')
    city.setOptions(['Rome', 'Oslo'])
    city.select('Oslo')
    city.addToPage(page)
    const langs = fields.createOptionList('Languages')
    langs.setOptions(['Norwegian', 'Latin', 'Greek'])
    langs.enableMultiselect()
    langs.select(['Norwegian', 'Greek'])
    langs.addToPage(page)
    const [yes, no] = [fields.createCheckBox('Married'), fields.createCheckBox('Retired')]
    yes.addToPage(page)
    yes.check()
    no.addToPage(page)
    expect(await textOf(document)).toBe(
      'An application\n\nName: Ada Lovelace\nCity: Oslo\nLanguages: Norwegian ✓, Latin, Greek ✓\nMarried: ✓',
    )
  })

  test('a form without a word of its own is read by its values', async () => {
    const document = await PDFDocument.create()
    const field = document.getForm().createTextField('Total')
    field.setText('1,250 euros')
    field.addToPage(document.addPage([300, 300]))
    expect(await textOf(document)).toBe('Total: 1,250 euros')
  })

  test('what stands on a button is read, and nothing of a hidden one', async () => {
    const document = await PDFDocument.create()
    const page = document.addPage([300, 300])
    for (const [name, hidden] of [
      ['Send the form', false],
      ['Never shown', true],
    ] as const)
      document.getForm().createButton(name).addToPage(name, page, { x: 10, y: 10, width: 120, height: 20, hidden })
    expect(await textOf(document)).toBe('Send the form')
  })

  test('remarks are read with their authors, and hidden ones are not', async () => {
    const { document, page } = await form()
    const remark = (Contents: string, F: number) =>
      document.context.register(
        document.context.obj({
          Type: 'Annot',
          Subtype: 'Text',
          Rect: [10, 10, 30, 30],
          Contents: PDFString.of(Contents),
          T: PDFString.of('Bo'),
          F,
        }),
      )
    page.node.set(PDFName.of('Annots'), document.context.obj([remark('Check this', 4), remark('Obey me', 2)]))
    expect(await textOf(document)).toBe('An application\n\nBo: Check this')
  })

  test('what only a drawing says is read: of signatures, stamps and fields without a value', async () => {
    const { document, page } = await form()
    const { context } = document
    const font = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' })
    /** Words in lines of their own. */
    const drawing = (lines: readonly string[]) => {
      const shown = lines.map((line) => `(${line}) Tj 0 -12 Td`).join(' ')
      const head = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 200, 40], Resources: { Font: { F: font } } }
      return context.register(context.stream(`/Tx BMC BT /F 10 Tf 0 20 Td ${shown} ET EMC`, head))
    }
    const shown = (lines: readonly string[], more: Readonly<Record<string, string | PDFString>>) =>
      context.register(
        context.obj({ Type: 'Annot', Rect: [10, 10, 200, 50], F: 4, AP: { N: drawing(lines) }, ...more }),
      )
    const annotations = [
      shown(['Signed by Ada', 'on 1 May'], { Subtype: 'Widget', FT: 'Sig', T: PDFString.of('Signature1') }),
      shown(['RECEIVED'], { Subtype: 'Stamp' }),
      shown(['typed onto it'], { Subtype: 'FreeText' }),
      shown(['Lovelace'], { Subtype: 'Widget', FT: 'Tx', T: PDFString.of('Name') }),
      shown(['a link'], { Subtype: 'Link' }),
      shown(['a mark'], { Subtype: 'Square' }),
    ]
    page.node.set(PDFName.of('Annots'), context.obj(annotations))
    document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [annotations[0]!, annotations[3]!] }))
    expect(await textOf(document)).toBe(
      'An application\n\nRECEIVED\ntyped onto it\nSigned by Ada on 1 May\nName: Lovelace',
    )
  })
})

describe('forms that are described and not drawn', () => {
  const described = async (template: string, data: string) => {
    const document = await PDFDocument.create()
    document.addPage([300, 300]).drawText('Please wait', { font: await document.embedFont(StandardFonts.Helvetica) })
    const { context } = document
    document.catalog.set(PDFName.of('NeedsRendering'), context.obj(true))
    const packet = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="f" layout="tb"><pageSet><pageArea><contentArea w="180mm" h="250mm"/><medium stock="a4" short="210mm" long="297mm"/></pageArea></pageSet><subform layout="tb" w="180mm">${template}</subform></subform></template><xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><f>${data}</f></xfa:data></xfa:datasets></xdp:xdp>`
    document.catalog.set(
      PDFName.of('AcroForm'),
      context.obj({ Fields: [], DR: { Font: {} }, XFA: context.register(context.stream(packet)) }),
    )
    return document
  }
  const field = (name: string, label: string, ui: string, more = ''): string =>
    `<field name="${name}" w="100mm" h="10mm" ${more}><caption><value><text>${label}</text></value></caption><ui>${ui}</ui></field>`
  const line = '<draw w="100mm" h="10mm"><value><text>Sponsorship</text></value></draw>'

  test('say their labels and what was filled in, and not what they hide', async () => {
    const document = await described(
      line +
        field('Name', 'Family name', '<textEdit/>') +
        field('Empty', 'Other name', '<textEdit/>') +
        field('Hidden', 'Never shown', '<textEdit/>', 'presence="hidden"'),
      '<Name>Euler</Name>',
    )
    expect(await textOf(document)).toBe('Sponsorship\nFamily name Euler\nOther name')
  })

  test('are read as drawn where the description says nothing or is damaged', async () => {
    expect(await textOf(await described('', ''))).toBe('Please wait')
    expect(await textOf(await described('</subform></subform></template><template><subform>', ''))).toBe('Please wait')
  })
})

describe('letters that are drawn several times, one over the other', () => {
  test('are said once, and those that only stand close to one another as often as they do', async () => {
    const document = await paper('Testbalon', [
      ['T', 100, 700],
      ['T', 100.3, 700],
      ['Te', 100.1, 700],
      ['e', 112.3, 700.2],
      ['est', 112.1, 700],
      ['bal', 100, 600],
      ['lon', 136, 600],
    ])
    expect(await textOf(document)).toBe('Test\n\nballon')
  })
})

describe('scans', () => {
  test('give the pictures of twenty pages, say which wait, and go on from there', async () => {
    const bytes = await scanOf(23)
    const read = async (picturesFrom?: number) => {
      const from = picturesFrom === undefined ? {} : { picturesFrom }
      const result = await readFile({ bytes, name: 'scan.pdf', mediaType: '', ...from })
      return 'failure' in result ? result.failure : [result.pictures.map(({ page }) => page), result.unread.waiting]
    }
    expect(await read()).toEqual([Array.from({ length: 20 }, (_, at) => at + 1), [21, 22, 23]])
    expect(await read(21)).toEqual([[21, 22, 23], []])
  })

  test('with a few words are read by these where none of their pictures can be handed on', async () => {
    const document = await paper('Few words', [['Few words', 50, 700]])
    const [page] = document.getPages()
    const head = {
      Type: 'XObject',
      Subtype: 'Image',
      Width: 300,
      Height: 300,
      BitsPerComponent: 8,
      ColorSpace: 'DeviceGray',
    }
    page?.node.setXObject(
      PDFName.of('I'),
      document.context.register(document.context.flateStream(new Uint8Array(90_000), head)),
    )
    expect(await textOf(document)).toBe('Few words')
  })

  test('are found among ninety forms that all hold one another', async () => {
    const document = await paper('Few words', [['Few words', 50, 700]])
    const { context } = document
    const forms = context.obj({})
    for (let at = 0; at < 90; at += 1)
      forms.set(
        PDFName.of(`X${at}`),
        context.register(context.stream('', { Type: 'XObject', Subtype: 'Form', Resources: { XObject: forms } })),
      )
    document.getPages()[0]?.node.Resources()?.set(PDFName.of('XObject'), context.register(forms))
    expect(await textOf(document)).toBe('Few words')
  })
})

describe('passwords', () => {
  const locked = async (filter: string) => {
    const document = await PDFDocument.create()
    const { context } = document
    document.addPage([300, 300]).drawText('Open words', { font: await document.embedFont(StandardFonts.Helvetica) })
    const bytes = (length: number) => PDFHexString.of('7a'.repeat(length))
    const lock = context.obj({
      Filter: 'Standard',
      V: 5,
      R: 6,
      Length: 256,
      P: -4,
      CF: { StdCF: { CFM: 'AESV3', AuthEvent: 'EFOpen', Length: 32 } },
      StmF: filter,
      StrF: filter,
      EFF: 'StdCF',
      O: bytes(48),
      U: bytes(48),
      OE: bytes(32),
      UE: bytes(32),
      Perms: bytes(16),
    })
    context.trailerInfo.Encrypt = context.register(lock)
    context.trailerInfo.ID = context.obj([bytes(16), bytes(16)])
    return document
  }

  test('of what is attached do not keep a text from being read that is not locked', async () => {
    expect(await textOf(await locked('Identity'))).toBe('Open words')
  })

  test('of the text do', async () => {
    expect(await textOf(await locked('StdCF'))).toBe('encrypted')
  })
})
