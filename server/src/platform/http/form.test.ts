import { describe, expect, test } from 'vitest'
import { createFormReader, type Form } from './form.ts'

/** Gives a form piece by piece, as a connection does. */
const readForm = async (body: Uint8Array, contentType: string, pieceBytes = 7): Promise<Form> => {
  const reader = createFormReader(contentType)
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes))
  return await reader.end()
}

const encode = async (form: FormData) => {
  const response = new Response(form)
  return { type: response.headers.get('content-type') ?? '', bytes: new Uint8Array(await response.arrayBuffer()) }
}

describe('a form', () => {
  test('gives its fields and files as a browser wrote them', async () => {
    const form = new FormData()
    const content = new Uint8Array(3000).map((_, at) => (at * 31) % 256)
    form.set('sessionId', 'a chat, ünïcode\r\nand lines')
    form.set('document', new File([content], 'ü "quoted".pdf', { type: 'application/pdf' }))
    form.set('empty', new File([], 'empty.txt', { type: 'text/plain' }))
    const { type, bytes } = await encode(form)
    const { fields, files } = await readForm(bytes, type)
    expect(fields.get('sessionId')).toBe('a chat, ünïcode\r\nand lines')
    expect(files.map(({ field, name, mediaType }) => [field, name, mediaType])).toEqual([
      ['document', 'ü "quoted".pdf', 'application/pdf'],
      ['empty', 'empty.txt', 'text/plain'],
    ])
    expect(Buffer.compare(files[0]?.bytes ?? Buffer.alloc(0), content)).toBe(0)
    expect(files[1]?.bytes).toHaveLength(0)
  })

  test('may have a border in quotes, words around it, and names without quotes', async () => {
    const text =
      'before\r\n--a b\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; filename="C:\\\\x.txt"; name=document\r\n\r\n--a\r\n--a b--\r\nafter'
    const { files } = await readForm(Buffer.from(text), 'multipart/form-data; charset=utf-8; boundary="a b"')
    expect(files).toMatchObject([{ field: 'document', name: 'C:\\x.txt', mediaType: 'text/plain' }])
    expect(Buffer.from(files[0]?.bytes ?? []).toString()).toBe('--a')
  })

  test.each([1, 3, 64 * 1024])('is the same in pieces of %s bytes', async (pieceBytes) => {
    const form = new FormData()
    form.set('empty', new File([], 'empty.txt'))
    form.set('a', 'b')
    form.set('document', new File(['\r\n--\r\n\r\n-'.repeat(9)], 'lines.txt'))
    const { type, bytes } = await encode(form)
    const { fields, files } = await readForm(bytes, type, pieceBytes)
    expect([...fields]).toEqual([['a', 'b']])
    expect(files.map(({ bytes: content }) => Buffer.from(content).toString())).toEqual([
      '',
      '\r\n--\r\n\r\n-'.repeat(9),
    ])
  })

  test.each([
    ['nothing', ''],
    ['no end', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\ntext'],
    ['an end too early', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\ntext\r\n--b'],
    ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\ntext\r\n--b--'],
    ['a part without a head', '--b\r\n\r\ntext\r\n--b--'],
    ['a head without an end', `--b\r\n${'x'.repeat(20_000)}\r\n\r\n\r\n--b--`],
    ['too many parts', `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(60)}--b--`],
  ])('with %s is refused', async (_, text) => {
    await expect(readForm(Buffer.from(text), 'multipart/form-data; boundary=b')).rejects.toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    )
  })

  test.each(['', 'text/plain', 'multipart/form-data', 'multipart/mixed; boundary=b'])('is not %s', async (type) => {
    await expect(readForm(Buffer.from('--b--'), type)).rejects.toThrow(
      expect.objectContaining({ code: 'unsupported_media_type' }),
    )
  })

  test('a boundary has at most 70 characters', async () => {
    const read = async (length: number) => {
      const boundary = 'b'.repeat(length)
      const head = 'Content-Disposition: form-data; name="a"'
      const text = `--${boundary}\r\n${head}\r\n\r\n1\r\n--${boundary}--`
      return (await readForm(Buffer.from(text), `multipart/form-data; boundary=${boundary}`)).fields.get('a')
    }
    expect(await read(70)).toBe('1')
    for (const length of [71, 300]) await expect(read(length)).rejects.toThrow('at most 70 characters')
  })
})
