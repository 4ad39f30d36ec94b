/** What tool servers have besides tools: resources, prompts, and results with more than words. */
import { settingsRoutes } from '@atrium/contract/settings'
import { toolServersRoutes } from '@atrium/contract/tool-servers'
import type { Page } from '@playwright/test'
import { echoTool, startMcpServer } from '../../server/src/testing/mcp-server.ts'
import { look } from '../harness/look.ts'
import { watchFor } from '../harness/notices.ts'
import { makeChat, openTestApp } from '../harness/test-app.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp()

const ask = (page: Page, text: string) => {
  const box = page.getByRole('textbox', { name: 'Message' })
  return box.fill(text).then(() => box.press('Enter'))
}

test('resources and prompts of a server are put into a question by hand', async ({ visit }) => {
  const cached = { ttlMs: 0, cacheScope: 'private' }
  const answers: Record<string, object> = {
    'server/discover': {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      ...cached,
    },
    'resources/list': {
      resources: [{ uri: 'notes://plan.md', name: 'Plan for May', mimeType: 'text/markdown' }],
      ...cached,
    },
    'resources/templates/list': {
      resourceTemplates: [{ uriTemplate: 'notes://{year}', name: 'Notes of a year' }],
      ...cached,
    },
    'resources/read': { contents: [{ uri: 'notes://plan.md', mimeType: 'text/markdown', text: '# May' }], ...cached },
    'completion/complete': { completion: { values: ['2025', '2026'] } },
    'prompts/list': {
      prompts: [
        {
          name: 'review',
          title: 'Review a plan',
          description: 'Asks what is missing.',
          arguments: [{ name: 'plan', required: true }],
        },
      ],
      ...cached,
    },
    'prompts/get': {
      messages: [{ role: 'user', content: { type: 'text', text: 'What is missing in the plan for May?' } }],
    },
  }
  const mcp = await startMcpServer({
    onRequest({ message, answer }) {
      const given = answers[message.method]
      if (given) answer(given)
      return given !== undefined
    },
    onCall: () => ({
      content: [
        { type: 'text', text: 'Everything about May.' },
        { type: 'resource_link', uri: 'notes://plan.md', name: 'Plan for May', mimeType: 'text/markdown' },
        {
          type: 'resource',
          resource: { uri: 'notes://old.txt', mimeType: 'text/plain', text: 'As it was last year.' },
        },
      ],
      structuredContent: { degrees: 21, rain: false },
    }),
  })
  const { privateAddresses } = await testApp.admin.api.call(settingsRoutes.instance, {})
  const allowed = [...privateAddresses.value, mcp.host]
  await testApp.admin.api.call(settingsRoutes.updateInstance, { body: { privateAddresses: allowed } })
  const body = { name: 'Notebook', kind: 'mcp', baseUrl: mcp.url } as const
  await testApp.admin.api.call(toolServersRoutes.addServer, { body })
  const page = await visit(testApp, testApp.admin)
  const chatId = await makeChat(testApp.admin, { title: 'May', model: 'caller' })
  await page.goto(`/chats/${chatId}`)
  const box = page.getByRole('textbox', { name: 'Message' })
  const attachments = page.getByRole('list', { name: 'Attachments' })
  await box.pressSequentially('#may')
  const resource = page.getByRole('option', { name: /Plan for May/ })
  await expect(resource).toContainText('Notebook')
  await look(page, 'tools-resources', { themes: ['light', 'dark'] })
  await resource.click()
  await expect(attachments).toContainText('Plan for May.md')
  await box.pressSequentially('#year')
  await page.getByRole('option', { name: /Notes of a year/ }).click()
  const window = page.getByRole('dialog', { name: 'Notes of a year' })
  await window.getByRole('button', { name: 'Attach' }).click()
  await expect(window.getByText('Fill this in.')).toBeVisible()
  await window.getByRole('combobox', { name: 'year' }).fill('2026')
  await page.keyboard.press('Enter')
  await expect(attachments).toContainText('Notes of a year (2026).md')
  await box.pressSequentially('/review')
  await page.getByRole('option', { name: /Review a plan/ }).click()
  const form = page.getByRole('dialog', { name: 'Review a plan' })
  await expect(form.getByText('Asks what is missing.')).toBeVisible()
  await page.setViewportSize(phone.viewport)
  await look(page, 'tools-prompt-phone', { themes: ['light'] })
  await form.getByRole('combobox', { name: 'plan' }).fill('May')
  await form.getByRole('button', { name: 'Insert' }).click()
  await expect(box).toHaveValue('What is missing in the plan for May?')
  await expect(box).toBeFocused()

  await page.setViewportSize({ width: 1280, height: 800 })
  await ask(page, '<<Notebook__echo {"text": "all"}>>')
  await page
    .getByRole('group', { name: /^Allow this\?/ })
    .getByRole('button', { name: 'Allow once' })
    .click()
  await page.getByRole('button', { name: /^Used/ }).click()
  const activity = page.getByRole('list', { name: 'What the tools did' })
  await activity.getByRole('button', { name: /echo/i }).click()
  const resources = activity.getByRole('region', { name: 'Resources' })
  await expect(resources.getByRole('listitem')).toHaveCount(2)
  await expect(resources).toContainText('notes://plan.md')
  await expect(resources.getByRole('link')).toHaveCount(0)
  await expect(activity.getByRole('region', { name: 'Structured result' })).toContainText('21')
  await look(page, 'tools-result-parts', { themes: ['light', 'dark'] })
  await mcp.close()
})

test('a person adds a tool server of their own once an administrator allows it', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/tool-servers')
  const allowed = page.getByRole('switch', { name: 'Allow personal tool servers' })
  await expect(allowed).not.toBeChecked()
  const told = await watchFor(page, 'Saved')
  await allowed.click()
  await told()
  await look(page, 'tool-servers-personal-policy', { themes: ['light', 'dark'] })
  await page.goto('/settings/tools')
  await page.getByRole('button', { name: 'Add server' }).click()
  const window = page.getByRole('dialog')
  await window.getByRole('textbox', { name: 'Name' }).fill('My notes')
  await window.getByRole('textbox', { name: 'Address' }).fill('http://93.184.215.14/mcp')
  await window.getByRole('combobox', { name: 'Authentication' }).selectOption({ label: 'Bearer token' })
  await window.getByRole('button', { name: 'Add server' }).click()
  await expect(window.getByText('Enter an address that begins with https://.')).toBeVisible()
  await look(page, 'tool-servers-personal-add', { themes: ['light'] })
  await window.getByRole('textbox', { name: 'Address' }).fill('https://93.184.215.14/mcp')
  await window.getByRole('button', { name: 'Add server' }).click()
  await expect(page.getByRole('heading', { name: 'My notes' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Who can use it' })).toHaveCount(0)
  await look(page, 'tool-servers-personal', { themes: ['light'] })
  await page.goto('/settings/tools')
  await page.getByText('My notes').click()
  await page.setViewportSize(phone.viewport)
  await look(page, 'tool-servers-personal-phone', { themes: ['light', 'dark'] })
  await page.getByRole('link', { name: 'Manage server' }).click()
  await page.getByRole('button', { name: 'Delete server' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete server' }).click()
  await expect(page.getByRole('heading', { name: 'Tool history' })).toBeVisible()
  await expect(page.getByText('My notes')).toHaveCount(0)
})

test('a page of a tool server is shown apart, and all that it wants asks', async ({ visit }) => {
  const html = `<p id="said">nothing</p><button id="more">More</button>
  <button id="read">Read</button><button id="tell">Tell</button><script>
    let next = 1
    const asked = new Map()
    const ask = (method, params) => new Promise((done) => {
      asked.set(next, done)
      parent.postMessage({ jsonrpc: '2.0', id: next++, method, params }, '*')
    })
    const say = ({ content }) => { document.getElementById('said').textContent = content[0].text }
    addEventListener('message', ({ data }) => {
      if (data.jsonrpc !== '2.0') return
      if (data.method === 'ui/notifications/tool-result') say(data.params)
      else if (asked.has(data.id)) asked.get(data.id)(data.result ?? { content: [{ text: 'refused' }] })
    })
    const on = (name, work) => { document.getElementById(name).onclick = work }
    on('more', async () => say(await ask('tools/call', { name: 'more', arguments: {} })))
    on('read', async () => say({ content: (await ask('resources/read', { uri: 'data://list' })).contents }))
    on('tell', () => ask('ui/message', { role: 'user', content: [{ type: 'text', text: 'Show me the second place' }] }))
    ask('ui/initialize', { protocolVersion: '2026-01-26' }).then(({ hostContext }) => {
      document.body.dataset.theme = hostContext.theme + ' ' + hostContext.locale
      parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized' }, '*')
    })
  </script>`
  const type = 'text/html;profile=mcp-app'
  const cached = { ttlMs: 0, cacheScope: 'private' }
  const mcp = await startMcpServer({
    tools: [
      { ...echoTool, name: 'show', _meta: { ui: { resourceUri: 'ui://map' } } },
      {
        name: 'more',
        description: 'More.',
        inputSchema: { type: 'object' },
        _meta: { ui: { resourceUri: 'ui://map', visibility: ['app'] } },
      },
    ],
    onCall: (name) => ({ content: [{ type: 'text', text: name === 'more' ? 'Twelve places' : 'Three places' }] }),
    onRequest({ message, answer }) {
      const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: [type] } }
      const capabilities = { tools: {}, resources: {}, extensions }
      if (message.method === 'server/discover') answer({ supportedVersions: ['2026-07-28'], capabilities, ...cached })
      else if (message.method === 'resources/read')
        answer({
          contents: [
            message.params?.uri === 'ui://map'
              ? { uri: 'ui://map', mimeType: type, text: html }
              : { uri: 'data://list', mimeType: 'text/plain', text: 'Oslo and Bern' },
          ],
          ...cached,
        })
      else return false
      return true
    },
  })
  const { privateAddresses } = await testApp.admin.api.call(settingsRoutes.instance, {})
  const allowed = [...privateAddresses.value, mcp.host]
  await testApp.admin.api.call(settingsRoutes.updateInstance, { body: { privateAddresses: allowed } })
  await testApp.admin.api.call(toolServersRoutes.addServer, { body: { name: 'Places', kind: 'mcp', baseUrl: mcp.url } })
  const page = await visit(testApp, testApp.admin)
  const chatId = await makeChat(testApp.admin, { title: 'Map', model: 'caller' })
  await page.goto(`/chats/${chatId}`)
  await ask(page, '<<Places__show {"text": "all"}>>')
  await page
    .getByRole('group', { name: /^Allow this\?/ })
    .getByRole('button', { name: 'Allow once' })
    .click()
  await page.getByRole('button', { name: /^Used/ }).click()
  const activity = page.getByRole('list', { name: 'What the tools did' })
  await activity.getByRole('button', { name: /show/i }).click()
  await expect(page.locator('iframe')).toHaveCount(0)
  await activity.getByRole('button', { name: 'Show the server’s page' }).click()
  const shown = page.frameLocator('iframe')
  await expect(shown.getByText('Three places')).toBeVisible()
  await shown.getByRole('button', { name: 'More' }).click()
  const card = activity.getByRole('group', { name: /^Allow this\?/ })
  await expect(card).toBeVisible()
  await look(page, 'tools-app', { themes: ['light', 'dark'] })
  await card.getByRole('button', { name: 'Allow once' }).click()
  await expect(shown.getByText('Twelve places')).toBeVisible()
  await shown.getByRole('button', { name: 'More' }).click()
  await card.getByRole('button', { name: 'Deny' }).click()
  await expect(card).toHaveCount(0)
  await expect(shown.getByText('Twelve places')).toHaveCount(0)

  await expect(shown.locator('body[data-theme="light en"]')).toBeVisible()
  await shown.getByRole('button', { name: 'Read' }).click()
  const asks = activity.getByRole('region', { name: /^The page wants to/ })
  await expect(asks).toContainText('data://list')
  await asks.getByRole('button', { name: 'Allow' }).click()
  await expect(shown.getByText('Oslo and Bern')).toBeVisible()
  await shown.getByRole('button', { name: 'Tell' }).click()
  await expect(asks).toContainText('Show me the second place')
  await look(page, 'tools-app-message', { themes: ['light', 'dark'] })
  await asks.getByRole('button', { name: 'Add to message' }).click()
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue('Show me the second place')
  await mcp.close()
})
