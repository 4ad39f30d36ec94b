/** Sign-in with an account elsewhere: set up, tried, used, linked and unlinked; the other side is a real OpenID provider. */
import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import type { Page } from '@playwright/test'
import { type OpenidProvider, startOpenidProvider } from '../../server/src/testing/openid-provider.ts'
import { openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp()
let openid: OpenidProvider
test.beforeAll(async () => {
  openid = await startOpenidProvider({
    people: [
      { sub: 'bob', preferred_username: 'bob', email: 'bob@example.org', email_verified: true },
      { sub: 'cleo', preferred_username: 'cleo-there' },
    ],
  })
})
test.afterAll(() => openid?.close())
test.describe.configure({ mode: 'serial' })

/** The page of the provider, where one says who one is. */
const chooseThere = (page: Page, who: string) => page.getByRole('link', { name: `Sign in as ${who}` }).click()

test('an administrator adds a provider, is told of what is wrong, and tries it', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin, { elsewhere: openid.issuer })
  await page.goto('/settings/sign-in')
  await expect(page.getByText('None yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Add a provider' }).click()
  const form = page.getByRole('dialog', { name: 'Add a provider' })
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(form.getByText('Required.')).toHaveCount(3)
  await form.getByLabel('Name', { exact: true }).fill('Corp')
  await form.getByLabel('Issuer URL').fill(openid.issuer)
  await form.getByLabel('Client ID').fill(openid.clientId)
  await form.getByLabel('Client secret').fill(openid.clientSecret)
  await form.getByLabel('People without an account').selectOption({ label: 'Create an account' })
  await expect(form.getByText(`${testApp.url}/api/auth/oauth/corp/callback`)).toBeVisible()
  openid.register([`${testApp.url}/api/auth/oauth/corp/callback`], { logoutUrls: [`${testApp.url}/sign-in`] })
  await look(page, 'external-form')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(form.getByRole('alert')).toContainText('private network')
  await form.getByRole('checkbox', { name: 'Allow requests to this private address' }).check()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(form).toBeHidden()
  await expect(page.getByRole('listitem').filter({ hasText: 'Corp' })).toContainText('0 linked accounts')
  await look(page, 'external-list')

  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Test Corp' }).click()
  const trial = await opened
  await chooseThere(trial, 'bob')
  await expect(trial.getByText('Sign-in with Corp works and would create an account')).toBeVisible()
  await expect(trial.getByText('New: bob')).toBeVisible()
  await expect(trial.getByText('bob@example.org (verified)')).toBeVisible()
  await look(trial, 'external-trial')
  await trial.setViewportSize({ width: 390, height: 800 })
  await look(trial, 'external-trial-phone', { themes: ['light'] })
  await trial.close()
})

test('somebody comes in with it, keeps a draft when the session ends, and is led out again', async ({ visit }) => {
  const page = await visit(testApp, null, { elsewhere: openid.issuer })
  await page.goto('/settings/security')
  await expect(page).toHaveURL(/\/sign-in\?next=/)
  await expect(page.getByRole('link', { name: 'Continue with Corp' })).toBeVisible()
  await look(page, 'external-door')
  await page.getByRole('link', { name: 'Continue with Corp' }).click()
  await chooseThere(page, 'bob')
  await expect(page).toHaveURL('/settings/security')
  await expect(page.getByText('You sign in another way and have no password yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Unlink Corp' }).click()
  await expect(page.getByText('This is the only way to sign in to the account.')).toBeVisible()

  await page.goto('/')
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('A question that took long to write')
  const { items } = await testApp.admin.api.call(signInProvidersRoutes.identityProviders, {})
  expect(items[0]?.accounts).toBe(1)
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'atrium_session')
  await fetch(new URL('/api/auth/logout', testApp.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${cookie?.value}` },
  })
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await expect(dialog).toBeVisible()
  const opened = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: 'Continue with Corp' }).click()
  await opened
  // The provider knows this browser still, so nobody is asked there.
  await expect(dialog).toBeHidden()
  await expect(box).toHaveValue('A question that took long to write')

  await page.getByRole('button', { name: 'Account: bob' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(new RegExp(`^${openid.issuer}/session/end`))
  await page.getByRole('button', { name: 'Sign out there' }).click()
  await expect(page).toHaveURL('/sign-in')

  // An address that no click of ours led to, as another site could open it.
  await page.goto('/api/auth/oauth/corp')
  await chooseThere(page, 'bob')
  await expect(page.getByText('This sign-in wasn’t started on this page.')).toBeVisible()
  await look(page, 'external-meant')
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('atrium_session')
  await page.getByRole('button', { name: 'Continue as bob' }).click()
  await expect(box).toBeVisible()
})

test('a sign-in elsewhere is linked with an account that is there, and unlinked', async ({ visit }) => {
  const cleo = await testApp.account('cleo')
  const page = await visit(testApp, cleo, { elsewhere: openid.issuer })
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Link Corp' }).click()
  await chooseThere(page, 'cleo')
  await expect(page.getByText('Corp is linked. You can now sign in with it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Unlink Corp' })).toBeVisible()
  await look(page, 'external-linked')
  await page.getByRole('button', { name: 'Unlink Corp' }).click()
  await expect(page.getByRole('button', { name: 'Unlink Corp' })).toHaveCount(0)
})
