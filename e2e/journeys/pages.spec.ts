/** Every page and every important state, looked at in each theme: no rule of accessibility is broken. */
import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import type { Page } from '@playwright/test'
import { local, makeChat, openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { answered, ask, composer, lastMessage } from '../harness/talk.ts'
import { expect, phone, test } from '../harness/test.ts'

/** The others are looked at by the journeys through them. */
const sections = ['chat', 'shortcuts', 'instance', 'about']
/** Goes on to another section, as people do: the app is not loaded anew. */
const toSection = async (page: Page, section: string) => {
  await page.locator(`nav a[href="/settings/${section}"]`).click()
  await expect(page).toHaveURL(`/settings/${section}`)
  await sectionShown(page)
}
/** What stands below the heading of a section of the settings, or the lines in its place, and no such lines. */
const sectionShown = async (page: Page) => {
  await expect(page.locator('header:has(h2) ~ *').first()).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
}

const testApp = openTestApp({ models: ['echo', 'markdown', 'thinker', 'long-400'] })

test('a chat, from the empty page on', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await expect(composer(page)).toBeVisible()
  await look(page, 'new-chat')

  const { id } = await testApp.admin.api.call(chatRoutes.create, {
    body: { title: 'A tour', selection: local('markdown') },
  })
  await page.goto(`/chats/${id}`)
  await ask(page, 'Show me what you can do, please')
  await answered(page)
  await expect(page.getByRole('img', { name: /^Diagram/ })).toBeVisible()
  await look(page, 'chat', { themes: ['light', 'dark', 'contrast'] })
  await lastMessage(page).getByRole('table').scrollIntoViewIfNeeded()
  await look(page, 'chat-table', { themes: ['dark'] })

  await page.getByRole('button', { name: 'Open the side pane' }).click()
  await expect(page.getByRole('textbox', { name: 'System message' })).toBeVisible()
  await look(page, 'chat-pane', { themes: ['light'] })
  await page.getByRole('button', { name: 'Close the side pane' }).first().click()

  const question = page.getByRole('article', { name: /^You/ })
  await question.scrollIntoViewIfNeeded()
  await question.hover()
  await question.getByRole('button', { name: 'Edit' }).click()
  await look(page, 'chat-edit', { themes: ['light'] })
})

test('what opens over a chat', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Layers', messages: ['What opens?', 'This and that.'] })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${id}`)
  await expect(lastMessage(page)).toContainText('This and that.')
  await page.keyboard.press('Control+Shift+M')
  await expect(page.getByRole('grid').getByRole('row').first()).toBeVisible()
  await look(page, 'model-picker')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+K')
  await expect(page.getByRole('option', { name: 'Layers' })).toBeVisible()
  await look(page, 'palette')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+/')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await look(page, 'shortcuts')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Chat menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  await look(page, 'chat-menu')
  await page.keyboard.press('Escape')
  await lastMessage(page).getByRole('button', { name: 'About this answer' }).click()
  await expect(page.getByRole('dialog', { name: 'About this answer' })).toBeVisible()
  await look(page, 'about-answer', { themes: ['light'] })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Context: / }).click()
  await expect(page.getByRole('heading', { name: 'Context' })).toBeVisible()
  await expect(page.getByText('2 earlier messages are sent with the next one.')).toBeVisible()
  await look(page, 'gauge')
  await page.keyboard.press('Escape')
  // What the server never does cannot be on for a chat.
  await page.keyboard.press('Control+Alt+B')
  const summaries = page.getByRole('switch', { name: 'Summarise when it gets long' })
  await expect(summaries).toHaveAccessibleDescription(/^Off on this server\./)
  await expect(summaries).toBeDisabled()
  await expect(summaries).not.toBeChecked()
  await page.getByRole('link', { name: 'Change in Settings' }).click()
  await expect(page).toHaveURL('/settings/instance#compaction')
})

test('an answer that is written, that waits in a queue, that failed', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const { id } = await testApp.admin.api.call(chatRoutes.create, { body: { selection: local('long-400') } })
  await page.goto(`/chats/${id}`)
  testApp.provider.control({ holdAfter: 8 })
  await ask(page, 'Tell me a long story')
  await expect(lastMessage(page)).toContainText('word5 ')
  await composer(page).fill('And then?')
  await page.getByRole('button', { name: 'Send after this answer' }).click()
  await expect(page.getByRole('region', { name: 'Queued' })).toBeVisible()
  await look(page, 'chat-streaming')
  await page.getByRole('region', { name: 'Queued' }).getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Stop the answer', exact: true }).click()
  await expect(lastMessage(page)).toContainText('Stopped by you')
  await look(page, 'chat-stopped')

  testApp.provider.control({ fault: 'status-503', holdAfter: null })
  await ask(page, 'Are you well?')
  await expect(lastMessage(page).getByRole('alert')).toBeVisible()
  await look(page, 'chat-failed')
  testApp.provider.control({ fault: null })
})

test('archive, trash, and pages that are not there', async ({ visit }) => {
  const put = await makeChat(testApp.admin, { title: 'Put aside', messages: ['x'] })
  await testApp.admin.api.call(chatRoutes.update, { params: { sessionId: put }, body: { archived: true } })
  const thrown = await makeChat(testApp.admin, { title: 'Thrown away', messages: ['x'] })
  await testApp.admin.api.call(chatRoutes.remove, { params: { sessionId: thrown } })
  const page = await visit(testApp, testApp.admin)
  for (const [path, name] of [
    ['/archive', 'archive'],
    ['/trash', 'trash'],
    ['/chats/nothing-here', 'chat-gone'],
    ['/nowhere', 'not-found'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await look(page, name)
  }
  // What is not there is not loaded by another try.
  for (const [path, words] of [
    ['/automations/nothing-here', 'Automation not found'],
    ['/gallery/nothing-here', 'This item isn’t in your gallery'],
    ['/settings/connections/nothing-here', 'Connection not found'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: words })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  }
})

test('the settings, section by section', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/appearance')
  await sectionShown(page)
  await look(page, 'settings-appearance')
  for (const section of sections) {
    await toSection(page, section)
    await look(page, `settings-${section}`)
  }
})

test('a phone', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'In the hand', messages: ['Does it fit?', 'It **does**.'] })
  const page = await visit(testApp, testApp.admin, phone)
  await page.goto('/')
  await expect(composer(page)).toBeVisible()
  await look(page, 'phone-new-chat')
  await page.getByRole('button', { name: 'Chats' }).tap()
  await expect(page.getByRole('dialog', { name: 'Chats' })).toBeVisible()
  await look(page, 'phone-list', { themes: ['light'] })
  await page.goto(`/chats/${id}`)
  await expect(lastMessage(page)).toContainText('It does.')
  await look(page, 'phone-chat')
  await page.getByRole('button', { name: /^Model: / }).tap()
  await expect(page.getByRole('grid').getByRole('row').first()).toBeVisible()
  await look(page, 'phone-picker', { themes: ['light'] })
  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await look(page, 'phone-settings', { themes: ['light'] })
})

test('Arabic', async ({ visit }) => {
  const layla = await testApp.account('layla')
  await layla.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  const id = await makeChat(layla, {
    title: 'حديقة البيت',
    model: 'markdown',
    messages: [
      'كيف أعتني بالورد؟ أذكر Rosa canina أيضًا.',
      'اسقِه **صباحًا**:\n\n1. قليل من الماء\n2. كثير من الضوء\n\n```js\nwater(0.5)\n```\n\n| Plant | Litres |\n|---|---|\n| Rose | 2 |',
    ],
  })
  await makeChat(layla, { title: 'The roses of the house and how they were grown' })
  const page = await visit(testApp, layla)
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.getByRole('textbox', { name: 'الرسالة' })).toBeVisible()
  await look(page, 'arabic-new-chat')
  await page.goto(`/chats/${id}`)
  await expect(lastMessage(page)).toContainText('كثير من الضوء')
  await look(page, 'arabic-chat')
  // What is English in an Arabic page runs from left to right, a title in the list as well as a table.
  await expect(page.getByRole('article').getByRole('table')).toHaveCSS('direction', 'ltr')
  await expect(page.getByRole('article').getByRole('list').first()).toHaveCSS('direction', 'rtl')
  await expect(page.getByRole('complementary').getByText('The roses of the house').first()).toHaveCSS(
    'direction',
    'ltr',
  )
  // Yet it begins where the titles around it do, and what points along the line points the other way.
  await expect(page.getByRole('complementary').getByText('The roses of the house').first()).toHaveCSS(
    'text-align',
    'right',
  )
  await expect(page.locator('.lucide-panel-right').first()).toHaveCSS('scale', '-1 1')
  await page.goto('/settings/appearance')
  await sectionShown(page)
  await look(page, 'arabic-settings-appearance', { themes: ['light'] })
  for (const section of ['chat', 'shortcuts', 'connections', 'security']) {
    await toSection(page, section)
    await look(page, `arabic-settings-${section}`, { themes: ['light'] })
  }
  const small = await visit(testApp, layla, phone)
  await small.goto(`/chats/${id}`)
  await expect(lastMessage(small)).toContainText('كثير من الضوء')
  await look(small, 'arabic-phone', { themes: ['dark'] })
})
