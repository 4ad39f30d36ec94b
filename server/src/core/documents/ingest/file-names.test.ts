import { expect, test } from 'vitest'
import { cleanName } from './file-names.ts'

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ann\\notes.txt', 'notes.txt'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['/absolute/path.md', 'path.md'],
  ['nul\0byte.pdf\0.exe', 'nulbyte.pdf.exe'],
  ['line\r\nbreak\t.txt', 'linebreak.txt'],
  ['\u202egnp.exe', 'gnp.exe'],
  ['in\u2066vis\u200bible\ufeff.txt', 'invisible.txt'],
  ['  two   words .txt ', 'two words .txt'],
  ['.env', '.env'],
  ['..', 'document'],
  ['.', 'document'],
  ['', 'document'],
  ['/', 'document'],
  ['a/..', 'document'],
  ['half \ud800.txt', 'half .txt'],
  ['u\u0308.txt', '\u00fc.txt'],
  ['تقرير.pdf', 'تقرير.pdf'],
])('%j is shown as %j', (name, shown) => {
  expect(cleanName(name)).toBe(shown)
})

test('a name of 4 KB is cut, and keeps its extension', () => {
  const cut = cleanName(`${'x'.repeat(4096)}.docx`)
  expect(cut).toHaveLength(255)
  expect(cut.endsWith('x.docx')).toBe(true)
  expect(cleanName(`${'x'.repeat(300)}.${'y'.repeat(300)}`)).toHaveLength(255)
  expect(cleanName(`${'😀'.repeat(300)}.md`).isWellFormed()).toBe(true)
})
