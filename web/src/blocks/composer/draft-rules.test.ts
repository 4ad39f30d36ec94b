import { describe, expect, it } from 'vitest'
import { chooseDraft, destinationOf, isReadable, parseLocal, pastedName } from './draft-rules.ts'

const server = { content: 'from the server', quotes: [], attachments: [] }

describe('a draft', () => {
  it('that was typed here and not saved wins over the one of the server', () => {
    expect(
      chooseDraft({ content: 'typed', quotes: [], attachments: [], documents: [], saved: false }, server).content,
    ).toBe('typed')
    const quotes = [{ id: 'quote-01', messageId: 'message-01', author: 'Echo', text: 'Words' }]
    expect(chooseDraft({ content: '', quotes, attachments: [], documents: [], saved: false }, server).quotes).toEqual(
      quotes,
    )
    expect(chooseDraft({ content: '', quotes: [], attachments: [], documents: [], saved: false }, server).content).toBe(
      '',
    )
  })
  it('that was saved gives way to a newer one from another device', () => {
    expect(
      chooseDraft({ content: 'old', quotes: [], attachments: [], documents: [], saved: true }, server).content,
    ).toBe('from the server')
  })
  it('stands alone while the server is out of reach', () => {
    expect(
      chooseDraft({ content: 'kept', quotes: [], attachments: [], documents: [], saved: true }, null).content,
    ).toBe('kept')
    expect(chooseDraft(null, null)).toEqual({ content: '', quotes: [], attachments: [] })
  })
  it('survives a half-written note', () => {
    expect(parseLocal('{"content":"x')).toBeNull()
    expect(parseLocal('{"content":1}')).toBeNull()
    expect(parseLocal('{"content":"x","attachments":[]}')).toEqual({
      content: 'x',
      quotes: [],
      attachments: [],
      documents: [],
      saved: false,
    })
  })
  it('gives pasted texts names of their own', () => {
    expect(pastedName(['pasted-text-1.txt'], 'txt')).toBe('pasted-text-2.txt')
  })
})

describe('a file', () => {
  const file = (name: string, size = 100, type = '') => ({ name, size, type })
  it('that is an image or a short text travels with the message', () => {
    expect(destinationOf(file('cat.png', 3_000_000, 'image/png'))).toBe('attachment')
    expect(destinationOf(file('notes.md', 20_000, 'text/markdown'))).toBe('attachment')
    expect(destinationOf(file('main.rs', 20_000))).toBe('attachment')
  })
  it('that is anything else becomes a document of the chat', () => {
    expect(destinationOf(file('notes.md', 20_001))).toBe('document')
    expect(destinationOf(file('small.pdf', 100, 'application/pdf'))).toBe('document')
    expect(destinationOf(file('letter.eml', 100, 'message/rfc822'))).toBe('document')
    expect(destinationOf(file('form.rtf', 100, 'text/rtf'))).toBe('document')
    expect(destinationOf(file('nobody-knows', 100))).toBe('document')
  })
  it('is worth a try when its name says something that can be read', () => {
    expect(isReadable(file('report.PDF'))).toBe(true)
    expect(isReadable(file('README', 10, 'text/plain'))).toBe(true)
    expect(isReadable(file('film.mp4', 10, 'video/mp4'))).toBe(false)
  })
})
