import { describe, expect, it } from 'vitest'
import { chooseDraft, parseLocal, pastedName } from './draft-rules.ts'

const server = { content: 'from the server', attachments: [] }

describe('a draft', () => {
  it('that was typed here and not saved wins over the one of the server', () => {
    expect(chooseDraft({ content: 'typed', attachments: [], saved: false }, server).content).toBe('typed')
    expect(chooseDraft({ content: '', attachments: [], saved: false }, server).content).toBe('')
  })
  it('that was saved gives way to a newer one from another device', () => {
    expect(chooseDraft({ content: 'old', attachments: [], saved: true }, server).content).toBe('from the server')
  })
  it('stands alone while the server is out of reach', () => {
    expect(chooseDraft({ content: 'kept', attachments: [], saved: true }, null).content).toBe('kept')
    expect(chooseDraft(null, null)).toEqual({ content: '', attachments: [] })
  })
  it('survives a half-written note', () => {
    expect(parseLocal('{"content":"x')).toBeNull()
    expect(parseLocal('{"content":1}')).toBeNull()
    expect(parseLocal('{"content":"x","attachments":[]}')).toEqual({ content: 'x', attachments: [], saved: false })
  })
  it('gives pasted texts names of their own', () => {
    expect(pastedName(['pasted-text-1.txt'], 'txt')).toBe('pasted-text-2.txt')
  })
})
