import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { typeOf } from './type.ts'

const kindOf = (bytes: Uint8Array | string, name: string, mediaType = ''): string => {
  const type = typeOf({ bytes: typeof bytes === 'string' ? strToU8(bytes, true) : bytes, name, mediaType })
  return 'failure' in type ? `! ${type.failure}` : `${type.fileType} ${type.mediaType}`
}
const word = zipSync({ '[Content_Types].xml': strToU8('<Types/>'), 'word/document.xml': strToU8('<w/>') })
const exe = 'MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0'
const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'

describe('what a file is', () => {
  test.each([
    ['%PDF-1.7\n', 'a.pdf', 'pdf application/pdf'],
    ['junk before\n%PDF-1.4\n', 'a.pdf', 'pdf application/pdf'],
    ['%\xe2\xe3\xcf\xd3\n1 0 obj\n<<\n/Pages 2 0 R', 'no-head.pdf', 'pdf application/pdf'],
    ['<HTML><p>\x01\x02\x03\x04', 'a.html', 'html text/html'],
    ['# Title', 'a.md', 'md text/markdown'],
    ['# Title', 'Notes.MDX', 'md text/markdown'],
    ['a\tb', 'a.tsv', 'csv text/csv'],
    ['line', 'server.log', 'txt text/plain'],
    ['{"a":1}\n', 'a.jsonl', 'json application/json'],
    ['let x', 'a.ts', 'code text/plain'],
    ['<svg/>', 'a.svg', 'code text/plain'],
    ['all:', 'Makefile', 'code text/plain'],
    ['words', 'README', 'txt text/plain'],
    ['words', 'no-ending', 'txt text/plain'],
    ['{\\rtf1 x}', 'a.rtf', 'rtf application/rtf'],
    ['Subject: x\n\n', 'a.eml', 'eml message/rfc822'],
    ['BEGIN:VCALENDAR', 'a.ics', 'ics text/calendar'],
    [png, 'a.png', 'image image/png'],
    ['\xff\xd8\xff\xe0', 'a.jpg', 'image image/jpeg'],
    ['GIF89a\x01\0', 'a.gif', 'image image/gif'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'a.webp', 'image image/webp'],
    ['RIFF\x10\0\0\0WAVEfmt ', 'a.wav', 'audio audio/wav'],
    ['\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm', 'a.webm', 'audio audio/webm'],
    ['ID3\x03\0\0\0\0\0\x21', 'a.mp3', 'audio audio/mpeg'],
    ['\xff\xfb\x90\x64\0', 'a.mp3', 'audio audio/mpeg'],
    ['\0\0\0\x1cftypM4A \0\0', 'a.m4a', 'audio audio/mp4'],
    ['\0\0\0\x18ftypmp42\0\0', 'memo.m4a', 'audio audio/mp4'],
    ['fLaC\0\0\0\x22', 'a.flac', 'audio audio/flac'],
    ['OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead', 'a.opus', 'audio audio/ogg'],
    ['\xff\xfea\0b\0', 'a.txt', 'txt text/plain'],
  ])('%j as %s is %s', (bytes, name, expected) => {
    expect(kindOf(bytes, name)).toBe(expected)
  })

  test.each([
    ['words', 'a.unknown', 'text/x-anything', 'txt text/plain'],
    ['words', 'a.unknown', 'text/html; charset=utf-8', 'html text/html'],
    ['words', 'a.unknown', '', '! unsupported'],
    ['words', 'a.unknown', 'application/octet-stream', '! unsupported'],
    ['words', 'blob', 'application/json', 'json application/json'],
    [exe, 'tool.exe', 'application/x-msdownload', '! unsupported'],
    ['', 'a.pdf', 'application/pdf', '! empty'],
  ])('the name speaks before the declared type: %j, %s, %s', (bytes, name, mediaType, expected) => {
    expect(kindOf(bytes, name, mediaType)).toBe(expected)
  })

  test.each([
    ['%PDF-1.7\n', 'letter.docx', 'pdf application/pdf'],
    ['%PDF-1.7\n', 'letter.txt', 'pdf application/pdf'],
    [png, 'photo.jpg', 'image image/png'],
    ['<!DOCTYPE html><html>', 'report.pdf', 'html text/html'],
    ['{\\rtf1 x}', 'letter.docx', 'rtf application/rtf'],
  ])('content that we read wins over a wrong name: %j as %s', (bytes, name, expected) => {
    expect(kindOf(bytes, name)).toBe(expected)
  })

  test.each([
    [exe, 'report.pdf'],
    [exe, 'notes.txt'],
    ['\x7fELF\x02\x01\x01\0\0\0\0\0', 'table.csv'],
    ['just words', 'report.pdf'],
    ['just words', 'photo.png'],
    ['just words', 'letter.docx'],
    ['\0\0\0\x18ftypmp42\0\0\0\0', 'talk.webm'],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old', 'letter.docx'],
  ])('content that is plainly something else is refused: %j as %s', (bytes, name) => {
    expect(kindOf(bytes, name)).toBe('! mismatch')
  })

  test('archives go by what they hold', () => {
    const docx = 'docx application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    expect(kindOf(word, 'letter.docx')).toBe(docx)
    expect(kindOf(word, 'letter')).toBe(docx)
    expect(kindOf(word, 'letter.txt')).toBe(docx)
    expect(kindOf(zipSync({ 'a.txt': strToU8('a') }), 'things.zip')).toBe('zip application/zip')
    expect(kindOf(zipSync({ mimetype: [strToU8('application/epub+zip'), { level: 0 }] }), 'book')).toBe(
      'epub application/epub+zip',
    )
  })

  test('an office file with a password says so', () => {
    const sealed = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ])
    expect(kindOf(sealed, 'letter.docx')).toBe('! encrypted')
  })

  test('text in UTF-16 is text, with and without a mark', () => {
    expect(kindOf(Buffer.from('\ufeffwords', 'utf16le'), 'a.txt')).toBe('txt text/plain')
    expect(kindOf(Buffer.from('plain words without a mark', 'utf16le'), 'a.txt')).toBe('txt text/plain')
  })
})
