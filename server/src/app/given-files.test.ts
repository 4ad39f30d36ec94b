/** Files that people give to the questions of a model, in the real app: through a restart, and as what they are to the chat. */
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import { settingsRoutes } from '@atrium/contract/settings'
import { toolsRoutes } from '@atrium/contract/tools'
import { trashRoutes } from '@atrium/contract/trash'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../testing/app.ts'
import { newChat } from '../testing/chats.ts'
import type { Client } from '../testing/client.ts'

const questions = [{ text: 'Which list?', kind: 'file' }]
const asks = (rest = '') => `<<ask_user ${JSON.stringify({ questions })}>>${rest}`

describe('a model that asks for a file', () => {
  let provider: Provider
  let app: TestApp
  let ann: Client
  let bob: Client
  beforeAll(async () => {
    provider = await startProvider()
    app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url } })
    ann = await app.signUpAdmin()
    bob = await app.signUpUser('bob')
    await ann.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
  })

  const pending = async () => (await ann.call(toolsRoutes.approvals, {})).pending
  const ask = async (message: string) => {
    const { id } = await newChat(ann)
    ann.call(chatRoutes.generate, { params: { sessionId: id }, body: { message } }).catch(() => undefined)
    await expect.poll(async () => (await pending()).length).toBe(1)
    const [question] = await pending()
    const params = { approvalId: question?.id ?? '' }
    const bodyOf = (q1: unknown) => ({ params, body: { decision: 'allow_once' as const, answers: { q1 } } })
    return {
      id,
      question,
      give: (q1: unknown) => ann.call(toolsRoutes.decideApproval, bodyOf(q1)),
      refusal: (q1: unknown) => ann.refusal(toolsRoutes.decideApproval, bodyOf(q1)),
    }
  }
  const attach = async (client: Client, text: string) =>
    (await client.call(chatRoutes.attach, { query: { name: 'list.csv' }, file: new Blob([text]) })).id
  const upload = async (sessionId: string, text: string) => {
    const form = new FormData()
    form.append('sessionId', sessionId)
    form.append('document', new Blob([text], { type: 'text/plain' }), 'report.txt')
    const answer = await ann.raw('/api/documents/upload', { method: 'POST', body: form })
    return ((await answer.json()) as { id: string }).id
  }
  const answerOf = async (sessionId: string) =>
    (await ann.call(chatRoutes.messages, { params: { sessionId }, query: {} })).items.at(-1)
  const told = () => JSON.stringify(provider.requests.findLast(({ path }) => path === '/api/chat')?.body)

  test('gets it after a restart too, fenced as a quotation, and the file stays with the chat', async () => {
    const { id, question, give, refusal } = await ask(asks())
    expect(question?.approval.questions).toMatchObject([{ kind: 'file', text: 'Which list?' }])
    await app.restart()
    const attachmentId = await attach(ann, 'plums;7')
    const foreign = { attachmentId: await attach(bob, 'secret of bob') }
    for (const wrong of ['plums', { attachmentId, documentId: 'd' }, {}, foreign, { attachmentId: 'none' }])
      expect(await refusal(wrong)).toMatchObject({ code: 'validation_failed' })
    await give({ attachmentId })
    await expect.poll(async () => (await answerOf(id))?.status).toBe('complete')
    const [call] = (await answerOf(id))?.toolCalls ?? []
    expect(call).toMatchObject({ status: 'succeeded', result: { text: expect.stringContaining('plums;7') } })
    expect(told()).toMatch(/quoted-[^]*list\.csv[^]*plums;7/)
    expect(told()).not.toContain('secret of bob')
    const params = { attachmentId }
    expect(await ann.refusal(chatRoutes.removeAttachment, { params })).toMatchObject({ code: 'conflict' })
    await ann.call(chatRoutes.remove, { params: { sessionId: id } })
    await ann.call(trashRoutes.empty, {})
    // Nothing holds it any more: it went with the chat.
    expect(await ann.refusal(chatRoutes.attachmentContent, { params })).toMatchObject({ code: 'attachment_not_found' })
  })

  test('gets what a document says, which has to be one of the chat, and what leaves the server is asked about then', async () => {
    const fetches = ` then <<fetch_page ${JSON.stringify({ url: 'https://example.org/list' })}>>`
    const { id, give, refusal } = await ask(asks(fetches))
    const { id: other } = await newChat(ann)
    expect(await refusal({ documentId: await upload(other, 'Elsewhere.') })).toMatchObject({
      code: 'validation_failed',
    })
    const documentId = await upload(id, 'The plums are ripe in September.')
    await give({ documentId })
    await expect.poll(async () => (await pending())[0]?.toolName).toBe('fetch_page')
    expect(told()).toContain('ripe in September')
    const [wanted] = await pending()
    expect(wanted?.approval.reasons).toContain('private_and_foreign')
    await ann.call(toolsRoutes.decideApproval, { params: { approvalId: wanted?.id ?? '' }, body: { decision: 'deny' } })
    await expect.poll(async () => (await answerOf(id))?.status).toBe('complete')
    const [call] = (await answerOf(id))?.toolCalls ?? []
    expect(call?.result?.links).toEqual([{ kind: 'document', id: documentId, title: 'report.txt' }])
  })

  test('a document that came with a question is there for whoever has a link with files, while the chat has it', async () => {
    await ann.call(settingsRoutes.updateInstance, { body: { chatLinks: true } })
    const { id } = await newChat(ann)
    const params = { sessionId: id }
    const [documentId, left] = [await upload(id, 'The plums are ripe.'), await upload(id, 'Not asked with.')]
    const body = { message: 'Which month?', documentIds: [documentId] }
    await ann.call(chatRoutes.generate, { params, body })
    const visitor = app.client()
    const enter = async (withFiles: boolean) => {
      const { url } = await ann.call(chatRoutes.addLink, { params, body: { withFiles } })
      const opened = await visitor.call(chatRoutes.openLink, { body: { secret: url.split('#')[1] ?? '' } })
      return opened.state === 'open' ? opened.visit : ''
    }
    const [visit, bare] = [await enter(true), await enter(false)]
    const read = async (of: string) => {
      const page = await visitor.call(chatRoutes.linkedMessages, { body: { visit: of } })
      return page.items.find(({ role }) => role === 'user')
    }
    const message = await read(visit)
    const messageId = message?.id ?? ''
    expect(message?.documents).toEqual([{ id: documentId, name: 'report.txt', sizeBytes: 19 }])
    expect((await read(bare))?.documents).toEqual([])
    const bytes = await visitor.call(chatRoutes.linkedDocument, { body: { visit, messageId, documentId } })
    expect(await bytes.text()).toBe('The plums are ripe.')
    const refusal = async (asked: { visit: string; messageId: string; documentId: string }) =>
      (await visitor.refusal(chatRoutes.linkedDocument, { body: asked })).code
    expect(await refusal({ visit: bare, messageId, documentId })).toBe('attachment_not_found')
    expect(await refusal({ visit, messageId, documentId: left })).toBe('attachment_not_found')
    expect(await refusal({ visit, messageId: 'other', documentId })).toBe('attachment_not_found')
    expect(await refusal({ visit: 'made up', messageId, documentId })).toBe('chat_link_not_found')
    await ann.call(documentsRoutes.remove, { params: { documentId } })
    expect(await refusal({ visit, messageId, documentId })).toBe('attachment_not_found')
    expect((await read(visit))?.documents).toEqual([{ id: null, name: 'report.txt', sizeBytes: 19 }])
  })
})
