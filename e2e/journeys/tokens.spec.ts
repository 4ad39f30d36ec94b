/** API tokens: made in the settings, used by a program, changed, revoked; by hand, by keyboard, on a phone, in Arabic. */
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { settingsRoutes } from '@atrium/contract/settings'
import type { Page } from '@playwright/test'
import { openTestApp, password } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, onlyInAll, phone, test } from '../harness/test.ts'

const testApp = openTestApp()
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
/** As a program does it: no browser, no cookie. */
const ask = (path: string, token: string) =>
  fetch(new URL(path, testApp.url), { headers: { authorization: `Bearer ${token}` } })

/** The next change at this path is answered as it would be ten minutes later. */
async function signedInLongAgo(page: Page, path: string): Promise<void> {
  let answered = false
  await page.route(`**${path}`, async (route) => {
    if (answered || route.request().method() === 'GET') return await route.fallback()
    answered = true
    const problem = { code: 'fresh_proof_needed', status: 403, detail: 'The sign-in was long ago.' }
    await route.fulfill({ status: 403, contentType: 'application/problem+json', json: problem })
  })
}

test('a token is made, shown once, used by a program, limited and revoked', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/tokens')
  await expect(page.getByRole('heading', { name: 'No API tokens yet' })).toBeVisible()
  await look(page, 'tokens-none')
  await page.getByRole('button', { name: 'New token' }).click()
  const form = page.getByRole('dialog', { name: 'New API token' })
  await form.getByRole('button', { name: 'Create token' }).click()
  await expect(form.getByText('Enter a name.')).toBeVisible()
  await form.getByLabel('Name').fill('My editor')
  await expect(form.getByRole('radio', { name: 'Use models from other programs (/v1)' })).toBeChecked()
  await form.getByRole('radio', { name: 'Custom' }).check()
  await look(page, 'tokens-form', { themes: ['light', 'dark', 'contrast'] })
  await form.getByRole('checkbox', { name: 'Read: Connections and models' }).check()
  await form.getByRole('combobox', { name: 'Expires after' }).selectOption({ label: '30 days' })
  await signedInLongAgo(page, '/api/auth/tokens')
  await form.getByRole('button', { name: 'Create token' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(proof).toBeVisible()
  await look(page, 'tokens-proof')
  await proof.getByLabel('Password', { exact: true }).fill('not the right one')
  await page.keyboard.press('Enter')
  await expect(proof.getByText('The password is wrong.')).toBeVisible()
  await proof.getByLabel('Password', { exact: true }).fill(password)
  await proof.getByRole('button', { name: 'Continue', exact: true }).click()

  const shown = page.getByRole('dialog', { name: '“My editor” is ready' })
  await shown.getByRole('button', { name: 'Copy token' }).click()
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  await expect.poll(copied).toMatch(/^atr_[\w-]{43}$/)
  const token = await copied()
  await expect(shown).toContainText(token)
  await look(page, 'tokens-shown')
  await shown.getByRole('tab', { name: 'OpenAI clients' }).click()
  await expect(shown.getByText(`OPENAI_BASE_URL="${testApp.url}/v1"`)).toBeVisible()
  await shown.getByRole('tab', { name: 'Anthropic clients' }).click()
  await expect(shown.getByText(`ANTHROPIC_BASE_URL="${testApp.url}"`)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(shown).toBeVisible()
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByText(token)).toHaveCount(0)

  const models = await ask('/api/models', token)
  expect(models.status).toBe(200)
  expect(JSON.stringify(await models.json())).toContain('echo')
  const inference = await ask('/v1/models', token)
  expect(inference.status).toBe(200)
  expect(JSON.stringify(await inference.json())).toContain('"local/echo')
  const refused = await ask('/api/chat/sessions', token)
  expect(refused.status).toBe(403)
  expect(await refused.json()).toMatchObject({ code: 'token_scope' })
  await page.reload()
  await expect(row(page, 'My editor')).toContainText(`${token.slice(0, 12)}…`)
  await expect(row(page, 'My editor')).toContainText('Last used now')
  await expect(page.getByText(token)).toHaveCount(0)

  await row(page, 'My editor').getByRole('button', { name: 'Edit My editor' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit “My editor”' })
  await edit.getByLabel('Name').fill('My other editor')
  await edit.getByRole('radio', { name: 'Only these' }).check()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByText('Add a model, or allow all.')).toBeVisible()
  await edit.getByRole('combobox', { name: 'Add a model' }).fill('local/echo:latest')
  await edit.getByRole('combobox', { name: 'Add a model' }).press('Enter')
  await expect(edit.getByRole('listitem')).toContainText('local/echo:latest')
  await edit.getByRole('combobox', { name: 'Add a model' }).fill('local/thinker:latest')
  await edit.getByLabel('Requests per minute').fill('2')
  await edit.getByLabel('Spending limit').fill('nothing')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByText('Enter an amount such as 12.50, or leave it empty.')).toBeVisible()
  await edit.getByLabel('Spending limit').fill('12.50')
  await edit.getByRole('combobox', { name: 'Resets' }).selectOption('weekly')
  await edit.getByLabel('Spending limit').scrollIntoViewIfNeeded()
  await look(page, 'tokens-edit')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(row(page, 'My other editor')).toContainText('Up to $12.50 per week')
  await expect(row(page, 'My other editor')).toContainText('2 models')
  await expect(row(page, 'My other editor')).toContainText('2 requests per minute')
  await ask('/api/models', token)
  await ask('/api/models', token)
  // Once more where the minute in which they are counted ended just now.
  let late = await ask('/api/models', token)
  for (let more = 0; late.status !== 429 && more < 2; more++) late = await ask('/api/models', token)
  expect(late.status).toBe(429)
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)

  await row(page, 'My other editor').getByRole('button', { name: 'Revoke My other editor' }).click()
  const sure = page.getByRole('dialog', { name: 'Revoke “My other editor”?' })
  await expect(sure).toContainText('You can’t undo this.')
  await look(page, 'tokens-revoke')
  await sure.getByRole('button', { name: 'Cancel' }).click()
  await expect(sure).toHaveCount(0)
  await row(page, 'My other editor').getByRole('button', { name: 'Revoke My other editor' }).click()
  await sure.getByRole('button', { name: 'Revoke' }).click()
  await expect(row(page, 'My other editor')).toContainText('Revoked')
  expect((await ask('/api/models', token)).status).toBe(401)
})

test('all of it works by keyboard alone, and the palette finds it', onlyInAll, async ({ visit }) => {
  const ben = await testApp.account('ben')
  const page = await visit(testApp, ben)
  await page.goto('/settings')
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('sdk')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/settings/tokens#create')
  await expect(page.getByRole('button', { name: 'New token' })).toBeFocused()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'New API token' })
  await expect(form.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Tab')
  await expect(form.getByRole('radio', { name: 'Use models from other programs (/v1)' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(form.getByRole('radio', { name: 'Read everything' })).toBeChecked()
  await page.keyboard.press('ArrowDown')
  // What is for administrators is not offered to others.
  await expect(form.getByRole('row', { name: /Chats/ })).toBeVisible()
  await expect(form.getByRole('row', { name: /People/ })).toHaveCount(0)
  await page.keyboard.press('ArrowUp')
  await form.getByLabel('Name').focus()
  await page.keyboard.press('Enter')
  const shown = page.getByRole('dialog', { name: '“By keyboard” is ready' })
  await expect(shown.getByRole('button', { name: 'Copy token' })).toBeFocused()
  await shown.getByRole('button', { name: 'I have copied it' }).press('Enter')
  await expect(row(page, 'By keyboard')).toContainText('Read everything')
  const { items } = await ben.api.call(apiTokensRoutes.tokens, {})
  expect(items).toMatchObject([{ name: 'By keyboard' }])
  expect(items[0]?.scopes).toContain('chat:read')
  expect(items[0]?.scopes.some((scope) => /write|admin/.test(scope))).toBe(false)
})

test('it fits on a phone, and reads from right to left', onlyInAll, async ({ visit }) => {
  const layla = await testApp.account('layla')
  for (const [name, scopes] of [
    ['محرر النصوص', ['inference']],
    [
      'A nightly backup with a rather long name that has to wrap somewhere',
      ['chat:read', 'system:read', 'usage:read', 'durable-jobs:read', 'inference'],
    ],
  ] as const)
    await layla.api.call(apiTokensRoutes.createToken, { body: { name, scopes: [...scopes], expiresInDays: 5 } })
  const page = await visit(testApp, layla, phone)
  await page.goto('/settings/tokens')
  await expect(row(page, 'A nightly backup')).toBeVisible()
  await look(page, 'phone-tokens')
  const wide = () => page.evaluate('document.documentElement.scrollWidth > innerWidth')
  expect(await wide()).toBe(false)
  await page.getByRole('button', { name: 'New token' }).tap()
  await page.getByRole('radio', { name: 'Custom' }).check()
  await look(page, 'phone-tokens-form', { themes: ['light'] })
  expect(await wide()).toBe(false)

  await layla.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(row(page, 'محرر النصوص')).toBeVisible()
  await look(page, 'arabic-tokens', { themes: ['light'] })
  await page.getByRole('button', { name: 'رمز جديد' }).tap()
  await page.getByLabel('الاسم').fill('جهاز البيت')
  await page.getByRole('button', { name: 'إنشاء الرمز' }).tap()
  await expect(page.getByRole('dialog', { name: '«جهاز البيت» جاهز' })).toBeVisible()
  await look(page, 'arabic-tokens-shown', { themes: ['light'] })
  expect(await wide()).toBe(false)
})
