/** Artifacts: made, edited, looked at, restored and shared, by people and by models. */
import { artifactsRoutes } from '@atrium/contract/artifacts'
import { chatRoutes } from '@atrium/contract/chat'
import { connectionsRoutes } from '@atrium/contract/connections'
import { settingsRoutes } from '@atrium/contract/settings'
import type { Page } from '@playwright/test'
import { look } from '../harness/look.ts'
import { ask } from '../harness/talk.ts'
import { makeChat, openTestApp } from '../harness/test-app.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp()

const make = async (kind: 'html' | 'react' | 'svg' | 'chart' | 'csv' | 'markdown', title: string, content: string) =>
  (await testApp.admin.api.call(artifactsRoutes.create, { body: { kind, title, content } })).id

/** What is shown, and not what is made ready behind it while a model still writes. */
const frameOf = (page: Page) => page.frameLocator(':not([aria-hidden]) > iframe[src="/api/artifacts/sandbox"]')

test('one is made, written, shown, changed, and an earlier version restored', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/artifacts')
  await expect(page.getByText('No artifacts yet')).toBeVisible()
  await look(page, 'artifacts-empty')
  await page.getByRole('button', { name: 'New artifact' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Shop')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const code = page.getByRole('textbox', { name: 'Content of “Shop”' })
  await code.fill('<h1>Open</h1>')
  await page.getByRole('button', { name: 'Save version' }).click()
  await expect(page.getByRole('button', { name: 'Save version' })).toBeHidden()
  await page.getByText('Preview', { exact: true }).click()
  await expect(frameOf(page).getByRole('heading', { name: 'Open' })).toBeVisible()
  await look(page, 'artifact')
  await page.getByText('Code', { exact: true }).click()
  await code.fill('<h1>Closed</h1>')
  await code.press('Control+s')
  await page.getByText('Preview', { exact: true }).click()
  await expect(frameOf(page).getByRole('heading', { name: 'Closed' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Version' }).selectOption('2')
  await expect(frameOf(page).getByRole('heading', { name: 'Open' })).toBeVisible()
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveValue('4')
  await page.goto('/artifacts')
  await expect(page.getByRole('link', { name: 'Shop' })).toBeVisible()
  await look(page, 'artifacts')
  await page.setViewportSize(phone.viewport)
  await look(page, 'artifacts-phone')
})

test('what is written is saved by itself, and nothing that is written meanwhile is lost', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const id = await make('markdown', 'Letter', 'Dear')
  await page.goto(`/artifacts/${id}`)
  await page.getByText('Code', { exact: true }).click()
  const code = page.getByRole('textbox', { name: 'Content of “Letter”' })
  let goOn = () => {}
  const isHeld = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route(`**/api/artifacts/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await isHeld
    await route.continue()
  })
  const asked = page.waitForRequest((request) => request.method() === 'PATCH')
  await code.fill('Dear Ann')
  await asked
  await expect(page.getByRole('status').filter({ hasText: 'Saving…' })).toBeVisible()
  await code.fill('Dear Ann, thank you')
  goOn()
  await expect(page.getByRole('status').filter({ hasText: 'Saved automatically' })).toBeVisible()
  await look(page, 'artifact-autosaved')
  const [newest, ...earlier] = (await testApp.admin.api.call(artifactsRoutes.versions, { params: { artifactId: id } }))
    .items
  expect([newest?.number, earlier.map(({ number }) => number)]).toEqual([3, [1]])
  await page.reload()
  await page.getByText('Code', { exact: true }).click()
  await expect(code).toHaveText('Dear Ann, thank you')
  await page.getByText('Changes', { exact: true }).click()
  await expect(page.getByText('Dear Ann, thank you')).toBeVisible()
})

test('what a model makes opens beside the chat, and so does a block of an answer', async ({ visit }) => {
  // What is made has an error.
  const page = await visit(testApp, testApp.admin, { refused: true })
  const block = '```html\n<title>Menu</title><h1>Soup</h1>\n```'
  const chat = await makeChat(testApp.admin, { title: 'Tea', messages: ['Write a menu', block] })
  await page.goto(`/chats/${chat}`)
  const args = JSON.stringify({ kind: 'html', title: 'Tea house', content: '<h1>Green</h1><script>tea()</script>' })
  await ask(page, `Make a page <<create_artifact ${args}>>`)
  await expect(frameOf(page).getByRole('heading', { name: 'Green' })).toBeVisible()
  const card = page.getByRole('list', { name: 'Artifacts in this answer' }).getByRole('button', { name: /Tea house/ })
  await expect(card).toContainText('Web page · Version 1')
  await look(page, 'artifact-in-chat')
  await page.getByRole('button', { name: 'Fix this' }).click()
  await expect(page.getByText(/Fix this error in the artifact “Tea house”.*tea is not defined/s).first()).toBeVisible()
  await page.getByRole('complementary', { name: 'Side pane' }).getByRole('button', { name: 'Close' }).click()
  await expect(frameOf(page).getByRole('heading')).toHaveCount(0)
  await card.click()
  await expect(frameOf(page).getByRole('heading', { name: 'Green' })).toBeVisible()
  await page.getByRole('button', { name: 'Open as artifact' }).click()
  await expect(frameOf(page).getByRole('heading', { name: 'Soup' })).toBeVisible()
  await page.setViewportSize(phone.viewport)
  await expect(frameOf(page).getByRole('heading', { name: 'Soup' })).toBeVisible()
  await look(page, 'artifact-in-chat-phone')
})

test('what a model writes is seen while it grows, and the last good picture stays', async ({ visit }) => {
  const { api } = testApp.admin
  await api.call(connectionsRoutes.installPlugin, {
    body: {
      id: 'writer',
      name: 'Writer',
      type: 'completion',
      endpoint: `${testApp.provider.url}/v1/chat/completions`,
      auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'TEST_KEY' },
      model_map: ['echo'],
    },
  })
  await api.call(connectionsRoutes.saveKey, { params: { id: 'writer' }, body: { apiKey: 'key' } })
  await api.call(connectionsRoutes.activate, { params: { id: 'writer' } })
  const selection = { providerType: 'plugin', providerId: 'writer', model: 'echo' } as const
  const { id: chat } = await api.call(chatRoutes.create, { body: { selection } })
  // What is written has an error.
  const page = await visit(testApp, testApp.admin, { refused: true })
  const shown = frameOf(page)
  const writing = page.getByRole('complementary', { name: 'Side pane' }).getByText('Writing…')
  const order = (name: string, args: object) => `Go on <<${name} ${JSON.stringify(args)}>>`

  testApp.provider.control({ holdAfter: 3 })
  await page.goto(`/chats/${chat}`)
  const content = `<h1>Green</h1>${'<p>Tea</p>'.repeat(20)}<script>throw null</script>${'<p>More</p>'.repeat(1500)}<h2>End</h2>`
  await ask(page, order('create_artifact', { kind: 'html', title: 'Tea house', content }))
  await expect(shown.getByRole('heading', { name: 'Green' })).toBeVisible()
  await expect(writing).toBeVisible()
  await look(page, 'artifact-being-written')
  // From here on it breaks at its beginning.
  testApp.provider.control({ holdAfter: 120 })
  await expect(page.getByRole('button', { name: /Tea house Writing.* kB/ })).toBeVisible()
  await expect(shown.getByRole('heading', { name: 'Green' })).toBeVisible()
  await expect(shown.getByText('More')).toHaveCount(0)
  testApp.provider.control({ holdAfter: null })
  await expect(shown.getByRole('heading', { name: 'End' })).toBeVisible()
  await expect(writing).toHaveCount(0)

  const id = await make('html', 'Menu', '<h1>Soup</h1>')
  testApp.provider.control({ holdAfter: 5 })
  const edits = [{ old_text: 'Soup', new_text: `Cake</h1>${'<p>Tart</p>'.repeat(60)}<h1>End` }]
  await ask(page, order('update_artifact', { id, edits }))
  await expect(shown.getByRole('heading', { name: 'Cake' })).toBeVisible()
  await expect(writing).toBeVisible()
  testApp.provider.control({ holdAfter: null })
  await expect(shown.getByRole('heading', { name: 'End' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveValue('2')

  const answer = `\`\`\`html\n<title>Bread</title> <h1>Bread</h1>\n${'<p>Flour</p>\n'.repeat(200)}<h2>Bake</h2>\n\`\`\``
  testApp.provider.control({ holdAfter: 60, answers: [{ match: 'a recipe', answer }] })
  await ask(page, 'Write a recipe')
  await page.getByRole('button', { name: 'Open as artifact' }).last().click()
  await expect(shown.getByRole('heading', { name: 'Bread' })).toBeVisible()
  await expect(writing).toBeVisible()
  testApp.provider.control({ holdAfter: null, answers: [] })
  await expect(shown.getByRole('heading', { name: 'Bake' })).toBeVisible()
  await expect(writing).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveValue('1')
})

test('one is seen by its link without an account, in the same frame, and is gone when the link is revoked', async ({
  visit,
}) => {
  await testApp.admin.api.call(settingsRoutes.updateInstance, { body: { artifactLinks: true } })
  const id = await make(
    'html',
    'Poster',
    '<h1>Concert</h1><script>try { parent.document } catch { document.body.id = "apart" }</script>',
  )
  const mine = await visit(testApp, testApp.admin)
  await mine.goto(`/artifacts/${id}`)
  await mine.getByRole('button', { name: 'More actions' }).click()
  await mine.getByRole('menuitem', { name: 'Share' }).click()
  const window = mine.getByRole('dialog', { name: /^Share “/ })
  await window.getByRole('button', { name: 'Create link' }).click()
  await window.getByLabel('Password', { exact: true }).fill('correct horse')
  await window.getByRole('button', { name: 'Create link' }).click()
  const url = (await window.getByText(/#ata_/).textContent()) ?? ''
  await window.getByRole('button', { name: /^Change link created/ }).click()
  const change = window.getByRole('form', { name: 'Change link' })
  await change.getByRole('combobox', { name: 'Expires' }).selectOption({ label: 'In one week' })
  await change.getByRole('combobox', { name: 'Password' }).selectOption({ label: 'New password' })
  await change.getByRole('textbox', { name: 'New password' }).fill('battery staple')
  await look(mine, 'artifact-link-made')
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(change).toHaveCount(0)

  const theirs = await visit(testApp, null, phone)
  await theirs.goto(url)
  await theirs.getByLabel('Password', { exact: true }).fill('battery staple')
  await theirs.getByRole('button', { name: 'Open artifact' }).click()
  await expect(frameOf(theirs).getByRole('heading', { name: 'Concert' })).toBeVisible()
  await expect(frameOf(theirs).locator('#apart')).toBeVisible()
  await look(theirs, 'linked-artifact-phone')
  await testApp.admin.api.call(artifactsRoutes.update, {
    params: { artifactId: id },
    body: { content: '<h1>Concert tonight</h1>' },
  })
  await expect(frameOf(theirs).getByRole('heading', { name: 'Concert tonight' })).toBeVisible()

  await mine.goto('/shared/by-me')
  const byLinks = mine.getByRole('list', { name: 'Artifacts by link' })
  await expect(byLinks).toContainText('Newest version · password · until')
  await byLinks.getByRole('button', { name: 'Revoke link to “Poster”' }).click()
  await expect(theirs.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
  await expect(theirs.locator('iframe')).toHaveCount(0)
})
