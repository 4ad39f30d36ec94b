/** Files of every kind that is read, made of the same made-up sentences. */
import { strToU8, zipSync } from 'fflate'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { createSource } from './texts.ts'

export interface Sample {
  readonly name: string
  readonly bytes: Uint8Array
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Paragraphs of about a hundred words. */
const paragraphs = (count: number, seed: number): string[] => {
  const source = createSource(seed)
  return Array.from({ length: count }, () =>
    [0, 1, 2, 3]
      .map((part) =>
        sentence(
          source
            .text()
            .split(' ')
            .slice(part * 25, part * 25 + 25)
            .join(' '),
        ),
      )
      .join(' '),
  )
}

export async function makeSamples(): Promise<Sample[]> {
  const all = paragraphs(3000, 3)
  const some = all.slice(0, 1500)
  const file = (name: string, text: string): Sample => ({ name, bytes: strToU8(text) })
  return [
    file('text.txt', all.join('\n\n')),
    file('notes.md', all.map((text, at) => (at % 10 ? text : `## Part ${at}\n\n${text}`)).join('\n\n')),
    file('page.html', `<html><body>${all.map((text) => `<p>${text}</p>`).join('\n')}</body></html>`),
    file('rows.csv', `number,text\n${all.map((text, at) => `${at},"${text}"`).join('\n')}`),
    file('rows.jsonl', all.map((text, at) => JSON.stringify({ at, text })).join('\n')),
    file('letter.rtf', `{\\rtf1\\ansi ${all.join('\\par\n')}}`),
    file(
      'mail.eml',
      `From: a@example.org\r\nSubject: Words\r\nContent-Type: text/plain\r\n\r\n${all.join('\r\n\r\n')}`,
    ),
    file('code.ts', all.map((text, at) => `/** ${text} */\nexport const value${at} = ${at}`).join('\n')),
    {
      name: 'report.docx',
      bytes: zipSync({
        '[Content_Types].xml': strToU8(
          `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
        ),
        '_rels/.rels': strToU8(
          `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
        ),
        'word/document.xml': strToU8(
          `${head}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${some.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')}</w:body></w:document>`,
        ),
      }),
    },
    { name: 'report.pdf', bytes: await makePdf(100) },
    { name: 'both.zip', bytes: zipSync({ 'a.txt': strToU8(all.join('\n\n')), 'b.md': strToU8(some.join('\n\n')) }) },
  ]
}

/** Pages of about four hundred words of text, each with a word of its own. */
export async function makePdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.TimesRoman)
  const texts = paragraphs(pages * 4, 17)
  for (let number = 0; number < pages; number++) {
    const page = pdf.addPage([595, 842])
    const words = `Page word pageword${number}. ${texts.slice(number * 4, number * 4 + 4).join(' ')}`.split(' ')
    for (let line = 0; line * 11 < words.length; line++)
      page.drawText(words.slice(line * 11, line * 11 + 11).join(' '), { x: 40, y: 800 - line * 14, size: 10, font })
  }
  return pdf.save()
}
