/** On a phone: fingers, a narrow window, a list that slides in. */
import { chatRoutes } from '@atrium/contract/chat'
import { makeChat, openTestApp, password } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { answered, composer, lastMessage } from '../harness/talk.ts'
import { expect, phone, test } from '../harness/test.ts'
import type { Page } from '@playwright/test'

const testApp = openTestApp({ models: ['echo', 'markdown', 'thinker'] })

/** Nothing is wider than the window. */
async function expectToFit(page: Page): Promise<void> {
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width, page.url()).toBeLessThanOrEqual(390)
  const boxes = await page.locator('main :is(h1, h2, p, button, input, textarea, a)').evaluateAll((all) =>
    all
      .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      // What scrolls in a box of its own may be wider.
      .filter(
        (one) => !one.closest('pre, table, .katex, [role="region"], [class*="overflow-x"], [class*="overflow-auto"]'),
      )
      .map((one) => ({ text: one.textContent?.slice(0, 40), box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && (box.right > 390.5 || box.left < -0.5))
      .map(({ text }) => text),
  )
  expect(boxes, `wider than the window at ${page.url()}`).toEqual([])
}

test('one signs in, asks and reads on a phone', async ({ visit }) => {
  const page = await visit(testApp, null, phone)
  await page.goto('/sign-in')
  await page.getByLabel('User name').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).tap()
  await expect(composer(page)).toBeVisible()
  await expectToFit(page)
  // Smaller type would make the phone zoom in.
  await expect(composer(page)).toHaveCSS('font-size', '16px')

  await page.getByRole('button', { name: /^Model: |^Choose a model/ }).tap()
  const sheet = page.getByRole('dialog', { name: 'Choose a model' })
  await expect(sheet.getByRole('row')).not.toHaveCount(0)
  expect((await sheet.boundingBox())?.width).toBe(390)
  await sheet.getByRole('row').filter({ hasText: 'markdown' }).getByRole('button').first().tap()
  await expect(page.getByRole('button', { name: /^Model: markdown/ })).toBeVisible()

  await composer(page).tap()
  await page.keyboard.type('First line')
  await page.keyboard.press('Enter')
  await page.keyboard.type('second line')
  await expect(composer(page)).toHaveValue('First line\nsecond line')
  await page.getByRole('button', { name: 'Send' }).tap()
  await answered(page)
  await expect(lastMessage(page).getByRole('heading', { name: 'A tour of Markdown' })).toBeAttached()
  await expectToFit(page)
  await expect(lastMessage(page).getByRole('button', { name: 'Regenerate' })).toBeVisible()
})

test('the list slides in, and a chat is opened, found and managed from it', async ({ visit }) => {
  await makeChat(testApp.admin, { title: 'Opened by a finger', messages: ['Tap', 'Tapped.'] })
  const id = await makeChat(testApp.admin, { title: 'Another', messages: ['Tap', 'Tapped.'] })
  const quote = { messageId: 'left-since', author: null }
  const quotes = ['Tapped.', 'A sentence that is wider than the window. '.repeat(40)].map((text, at) => ({
    ...quote,
    id: `quote-0${at}`,
    text,
  }))
  await testApp.admin.api.call(chatRoutes.saveDraft, { params: { sessionId: id }, body: { content: '', quotes } })
  const page = await visit(testApp, testApp.admin, phone)
  await page.goto('/')
  const bar = page.getByRole('navigation', { name: 'Main navigation' })
  await bar.getByRole('button', { name: 'Chats' }).tap()
  const drawer = page.getByRole('dialog', { name: 'Chats' })
  await drawer.getByRole('link', { name: 'Opened by a finger' }).tap()
  await expect(drawer).toHaveCount(0)
  await expect(lastMessage(page)).toContainText('Tapped.')

  await bar.getByRole('button', { name: 'Chats' }).tap()
  await drawer.getByRole('button', { name: 'Menu for Opened by a finger' }).tap()
  await page.getByRole('menuitem', { name: 'Rename' }).tap()
  await page.getByRole('textbox', { name: 'Rename' }).fill('Renamed by a finger')
  await page.keyboard.press('Enter')
  await expect(drawer.getByRole('link', { name: 'Renamed by a finger' })).toBeVisible()
  await page.goBack()
  await bar.getByRole('button', { name: 'Search' }).tap()
  await page.getByRole('dialog', { name: 'Search and commands' }).getByRole('combobox').fill('another')
  await page.getByRole('option', { name: 'Another', exact: true }).tap()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Another')

  // What was quoted elsewhere stands above the box, is read whole, and goes.
  const chips = page.getByRole('list', { name: 'Quotes' }).getByRole('listitem')
  await expect(chips).toHaveCount(2)
  await chips.nth(1).getByRole('button').first().tap()
  const whole = page.getByRole('dialog', { name: 'From your message' })
  await expect(whole.getByRole('blockquote')).toContainText('wider than the window')
  await expectToFit(page)
  await look(page, 'phone-quotes')
  await page.keyboard.press('Escape')
  await chips.first().getByRole('button', { name: 'Remove quote: Tapped.' }).tap()
  await expect(chips).toHaveCount(1)
})

test('every page fits into the window of a phone', async ({ visit }) => {
  const title = 'A-title-without-any-space-that-goes-on-and-on-for-much-longer-than-any-window-of-a-phone'
  const long = `${'x'.repeat(300)} https://example.com/${'path/'.repeat(40)}\n\n\`${'code'.repeat(60)}\`\n\n| ${'cell | '.repeat(20)}\n|${'-|'.repeat(20)}\n`
  const id = await makeChat(testApp.admin, { title, messages: [long, long] })
  const page = await visit(testApp, testApp.admin, phone)
  const sections = [
    'profile',
    'appearance',
    'chat',
    'shortcuts',
    'connections',
    'security',
    'people',
    'tokens',
    'models',
    'audit',
    'doctor',
    'data',
    'instance',
    'about',
  ]
  for (const path of ['/', `/chats/${id}`, '/archive', '/tags', '/trash', '/nowhere']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectToFit(page)
  }
  const { id: project } = await testApp.admin.api.call(chatRoutes.createFolder, { body: { name: title } })
  const person = `/settings/people/${testApp.admin.user.id}`
  for (const path of [`/projects/${project}`, '/documents', '/shared', '/usage', person, '/settings']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await expectToFit(page)
  }
  for (const section of sections) {
    await page.locator(`a[href="/settings/${section}"]`).tap()
    await expect(page.locator('header:has(h1) ~ *').first()).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await expectToFit(page)
    await page.getByRole('button', { name: 'Back to all settings' }).tap()
    await expect(page).toHaveURL('/settings')
  }
})

test('one signs out where the settings are', async ({ visit }) => {
  const page = await visit(testApp, await testApp.account('ben'), phone)
  await page.goto('/')
  await page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: 'Account', exact: true })
    .tap()
  await page.getByRole('button', { name: 'Sign out' }).tap()
  await expect(page).toHaveURL('/sign-in')
})

test('at 320 pixels, which is a common window at 400 % zoom, nothing is lost', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Narrow', messages: ['Is there room?', 'There is.'] })
  const page = await visit(testApp, testApp.admin, { viewport: { width: 320, height: 640 } })
  for (const path of [`/chats/${id}`, '/', '/settings/connections', '/settings/appearance']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(320)
  }
})
