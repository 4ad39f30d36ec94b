/** Tools that models use: who may, what runs without a question, what an answer did, and what a person decides. */
import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import { toolsRoutes } from '@atrium/contract/tools'
import { echoTool, startMcpServer } from '../../server/src/testing/mcp-server.ts'
import type { Page } from '@playwright/test'
import { look } from '../harness/look.ts'
import { watchFor } from '../harness/notices.ts'
import { saved } from '../harness/talk.ts'
import { makeChat, openTestApp } from '../harness/test-app.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp()

test('an administrator chooses who has tools, and which of them ask', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/tool-access')
  const policy = page.getByRole('combobox', { name: 'Search documents' })
  await expect(policy).toHaveValue('allow')
  const told = await watchFor(page, 'Saved')
  await policy.selectOption({ label: 'Ask first' })
  await told()
  await look(page, 'tools-access', { themes: ['light', 'dark'] })
  await page.reload()
  await expect(policy).toHaveValue('ask')
  await page.getByText('Nobody', { exact: true }).click()
  await expect(page.getByText('Tools are off. Turn them on to see the list.')).toBeVisible()
  await page.getByText('Everyone', { exact: true }).click()
  await expect(policy).toHaveValue('ask')

  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  await page.setViewportSize(phone.viewport)
  await expect(page.getByText('الأدوات المدمجة')).toBeVisible()
  await look(page, 'tools-access-phone-arabic', { themes: ['light'] })
  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'en' } })
})

const lunch = { title: 'Lunch with Ada', start: '2026-12-01T12:00', end: '2026-12-01T13:00' }
const ask = (page: Page, text: string) => {
  const box = page.getByRole('textbox', { name: 'Message' })
  return box.fill(text).then(() => box.press('Enter'))
}

test('a call waits where it stands and on every page, is changed, allowed and denied', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const chatId = await makeChat(testApp.admin, { title: 'Plans', model: 'caller' })
  await page.goto(`/chats/${chatId}`)
  await ask(page, `<<calculate {"expression": "6 * 7"}>> then <<create_calendar_event ${JSON.stringify(lunch)}>>`)
  const card = page.getByRole('group', { name: 'Allow this? Add a calendar event' })
  await expect(card).toContainText('Lunch with Ada')
  await expect(card).toContainText(/December 1, 2026.*12:00/)
  await expect(card).toContainText('It changes or costs something.')
  await look(page, 'tools-approval', { themes: ['light', 'dark', 'contrast'] })
  await page.setViewportSize(phone.viewport)
  await look(page, 'tools-approval-phone', { themes: ['light'] })
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.goto('/settings/tools')
  await page.getByRole('button', { name: 'Review' }).click()
  const mirrored = page.getByRole('dialog').getByRole('group', { name: 'Allow this? Add a calendar event' })
  await expect(mirrored).toContainText('Lunch with Ada')
  await look(page, 'tools-needs-you', { themes: ['light', 'dark'] })
  await page.getByRole('dialog').getByRole('link', { name: 'Open chat' }).click()
  await card.getByRole('button', { name: 'Edit input' }).click()
  const input = card.getByRole('textbox', { name: 'Input, as JSON' })
  await input.fill('{ "title": ')
  await expect(card.getByRole('button', { name: 'Allow once as edited' })).toBeDisabled()
  await input.fill(JSON.stringify({ ...lunch, title: 'Tea with Ada' }))
  await card.getByRole('button', { name: 'Allow once as edited' }).click()
  await expect(card).toHaveCount(0)
  await page.getByRole('button', { name: /^Calculated · Added a calendar event/ }).click()
  const activity = page.getByRole('list', { name: 'What the tools did' })
  await activity.getByRole('button', { name: /^Add a calendar event/ }).click()
  await expect(activity).toContainText('Tea with Ada')
  await look(page, 'tools-activity', { themes: ['light', 'dark'] })

  await ask(page, `<<create_calendar_event ${JSON.stringify(lunch)}>>`)
  await card.getByRole('button', { name: 'Deny' }).focus()
  await page.keyboard.press('d')
  await expect(page.getByText('1 denied')).toBeVisible()
  await expect(card).toHaveCount(0)

  const questions = [
    { text: 'Which day?', kind: 'choice', options: ['Monday', 'Tuesday'] },
    { text: 'How many people?', kind: 'number' },
    { text: 'Who is invited?', kind: 'file' },
  ]
  await ask(page, `<<ask_user ${JSON.stringify({ questions })}>>`)
  const asked = page.getByRole('region', { name: 'The model has a question for you' })
  await asked.getByRole('button', { name: 'Send answers' }).click()
  await expect(asked.getByText('Answer this question.')).toHaveCount(2)
  await expect(asked.getByText('Choose a file.')).toBeVisible()
  const files = asked.locator('input[type=file]')
  await files.setInputFiles({ name: 'list.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from([0, 1, 2]) })
  await expect(asked.getByText('This file type isn’t supported.')).toBeVisible()
  await look(page, 'tools-question', { themes: ['light', 'dark'] })
  await asked.getByRole('radio', { name: 'Tuesday' }).check()
  await asked.getByRole('textbox', { name: 'How many people?' }).fill('7')
  await files.setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from('Ada;Grace') })
  await expect(asked.getByRole('button', { name: 'Remove guests.csv' })).toBeVisible()
  // Until it is uploaded nothing is sent.
  await expect(asked.getByLabel('Uploading guests.csv')).toHaveCount(0)
  await asked.getByRole('button', { name: 'Send answers' }).click()
  await expect(asked).toHaveCount(0)
  await expect(page.getByText('Which day? Tuesday')).toBeVisible()
  await expect(page.getByText('Ada;Grace')).toBeVisible()

  await ask(page, `<<create_calendar_event ${JSON.stringify(lunch)}>>`)
  await card.getByRole('button', { name: 'Allow for this chat' }).click()
  await expect(card).toHaveCount(0)
  await page.goto('/settings/tools')
  await page.getByRole('button', { name: 'Revoke the approval for Add a calendar event' }).click()
  await expect(page.getByText('You haven’t allowed any tool for more than one call.')).toBeVisible()
  const history = page.getByRole('list', { name: 'Tool history' })
  await expect(history.getByRole('listitem')).toHaveCount(5)
  await page.getByRole('combobox', { name: 'State' }).selectOption({ label: 'Denied' })
  await expect(history.getByRole('listitem')).toHaveCount(1)
  await page.getByText('Built-in tools (').click()
  const own = page.getByRole('combobox', { name: 'Calculate' })
  const kept = saved(page, toolsRoutes.savePolicy.path)
  await own.selectOption({ label: 'Ask first' })
  await kept
  await page.reload()
  await page.getByText('Built-in tools (').click()
  await expect(own).toHaveValue('ask')
  await look(page, 'tools-settings', { themes: ['light', 'dark'] })
  await own.selectOption({ label: 'Default: Run without asking' })
})

test('tools are chosen for a chat, switched off, and forced for one message', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const chatId = await makeChat(testApp.admin, { title: 'Choice', model: 'caller' })
  await page.goto(`/chats/${chatId}`)
  await page.getByRole('button', { name: /^Tools: / }).click()
  const panel = page.getByRole('dialog', { name: 'Tools' })
  await panel.getByRole('checkbox', { name: 'Calculate' }).click()
  await expect(panel.getByRole('checkbox', { name: 'Calculate' })).not.toBeChecked()
  const asksFirst = panel.getByRole('button', { name: 'Ask before using Check the time in this chat' })
  await asksFirst.click()
  await expect(asksFirst).toHaveAttribute('aria-pressed', 'true')
  await look(page, 'tools-choice', { themes: ['light', 'dark'] })
  await panel.getByText('Must use', { exact: true }).click()
  await page.keyboard.press('Escape')
  const read = () => testApp.admin.api.call(chatRoutes.read, { params: { sessionId: chatId } })
  await expect.poll(async () => (await read()).settings.tools?.askFirst).toHaveLength(1)
  await page.reload()
  await page.getByRole('button', { name: /^Tools: / }).click()
  await expect(panel.getByRole('checkbox', { name: 'Calculate' })).not.toBeChecked()
  await panel.getByText('Off', { exact: true }).click()
  await expect(panel.getByText('The model answers without tools in this chat.')).toBeVisible()
  await page.keyboard.press('Escape')
  await ask(page, '<<current_time {}>>')
  await expect(page.getByText('You said: <<current_time')).toBeVisible()
  await page.setViewportSize(phone.viewport)
  await page.getByRole('button', { name: 'Tools: off' }).click()
  await panel.getByText('If needed', { exact: true }).click()
  await look(page, 'tools-choice-phone', { themes: ['light'] })
})

test('a tool server is registered, what changed at it is accepted, and it may die', async ({ visit }) => {
  const mcp = await startMcpServer({ token: 'letmein' })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/tool-servers')
  await expect(page.getByText('No tool servers yet')).toBeVisible()
  await look(page, 'tool-servers-none', { themes: ['light'] })
  await page.getByRole('button', { name: 'Register server' }).click()
  const window = page.getByRole('dialog')
  await window.getByRole('button', { name: 'GitHub' }).click()
  await look(page, 'tool-servers-register', { themes: ['light', 'dark'] })
  await window.getByRole('textbox', { name: 'Name' }).fill('Weather')
  await window.getByRole('textbox', { name: 'Address' }).fill(mcp.url)
  await window.getByRole('button', { name: 'Register server' }).click()
  await window.getByRole('button', { name: `Allow ${mcp.host} and register` }).click()
  await expect(page.getByRole('heading', { name: 'Weather' })).toBeVisible()
  await page.getByLabel('Token', { exact: true }).fill('letmein')
  await page.getByRole('button', { name: 'Save secret' }).click()
  await expect(page.getByText('A secret is saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Load tools' }).click()
  const offer = page.getByRole('switch', { name: 'Offer echo' })
  await expect(offer).toBeChecked()
  await page.getByRole('button', { name: 'Test server' }).click()
  await expect(page.getByRole('list', { name: 'Test' })).toContainText('List tools passed')
  await look(page, 'tool-servers-test', { themes: ['light'] })
  mcp.set({ token: 'letmein', tools: [{ ...echoTool, description: 'Says it again, louder.' }] })
  await page.getByRole('button', { name: 'Load tools' }).click()
  await expect(page.getByRole('heading', { name: 'Changes to review' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Difference' })).toContainText('louder')
  await look(page, 'tool-servers-changes', { themes: ['light', 'dark'] })
  await page.getByRole('button', { name: 'Accept 1 change' }).click()
  await expect(page.getByRole('heading', { name: 'Changes to review' })).toHaveCount(0)

  await mcp.close()
  await page.getByRole('button', { name: 'Load tools' }).click()
  await expect(page.getByText('Couldn’t load the tools')).toBeVisible()
  await page.setViewportSize(phone.viewport)
  await look(page, 'tool-servers-dead-phone', { themes: ['light'] })
  await page.goto('/settings/tool-servers')
  await expect(page.getByText('Failing')).toBeVisible()
  await look(page, 'tool-servers-list-phone', { themes: ['light'] })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/settings/tools')
  await page.getByText('Weather').click()
  await expect(page.getByRole('button', { name: 'Delete secret' })).toBeVisible()
  await look(page, 'tools-own-servers', { themes: ['light'] })
})

test('a service is registered by its OpenAPI document, and waits with what differs in a new one', async ({ visit }) => {
  const document = (summary: string) => {
    const outside = { operationId: 'send', requestBody: { $ref: 'https://example.org/mail.json' } }
    const paths = { '/pets': { get: { operationId: 'list_pets', summary }, post: outside } }
    return {
      name: 'pets.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ openapi: '3.1.0', paths })),
    }
  }
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/tool-servers')
  await page.getByRole('button', { name: 'Register server' }).click()
  const window = page.getByRole('dialog')
  await window.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'OpenAPI service' })
  await window.getByRole('textbox', { name: 'Name' }).fill('Pets')
  await window.getByRole('combobox', { name: 'OpenAPI document' }).selectOption({ label: 'From a file' })
  await window.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/v1')
  await window.getByRole('combobox', { name: 'Authentication' }).selectOption({ label: 'User name and password' })
  await window.getByRole('button', { name: 'Register server' }).click()
  await expect(window.getByText('Choose a file.')).toBeVisible()
  await window.locator('input[type=file]').setInputFiles(document('Lists pets'))
  await expect(window.getByText('pets.json')).toBeVisible()
  await look(page, 'tool-servers-openapi', { themes: ['light'] })
  await window.getByRole('button', { name: 'Register server' }).click()
  await window.getByRole('button', { name: 'Allow 127.0.0.1:9 and register' }).click()
  await expect(page.getByRole('switch', { name: 'Offer list_pets' })).toBeChecked()
  await expect(page.getByText('it refers to something outside the document')).toBeVisible()
  await page.locator('input[type=file]').setInputFiles(document('Lists pets, and tells everybody'))
  await expect(page.getByRole('heading', { name: 'Changes to review' })).toBeVisible()
})
