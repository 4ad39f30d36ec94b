/** One-time links with mail that really travels: invitations, a forgotten password, an address to confirm. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { mailRoutes } from '@atrium/contract/mail'
import type { Page } from '@playwright/test'
import { type SmtpServer, startSmtpServer } from '../../server/src/testing/smtp.ts'
import { openTestApp, password } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, onlyInAll, phone, test } from '../harness/test.ts'

const testApp = openTestApp()
const newPassword = 'another long password'
let smtp: SmtpServer

test.beforeAll(async () => {
  smtp = await startSmtpServer({ security: 'starttls', user: 'atrium', password: 'sesame open' })
})
test.afterAll(() => smtp.close())

/** Page and secret of the link in the newest of so many mails to somebody. */
const linkIn = async (to: string, count = 1): Promise<string> => {
  const mails = await smtp.waitFor(to, count)
  const link = /https?:\/\/\S+#atl_[\w-]{43}/.exec(mails.at(-1)?.mail.text ?? '')?.[0]
  if (!link) throw new Error('the mail holds no link')
  const url = new URL(link)
  expect(url.origin).toBe(testApp.url)
  return url.pathname + url.hash
}
const switchMail = (enabled: boolean) =>
  testApp.admin.api.call(mailRoutes.updateSettings, {
    body: {
      enabled,
      host: 'localhost',
      port: smtp.port,
      security: 'starttls',
      rejectUnauthorized: false,
      username: 'atrium',
      password: 'sesame open',
      from: 'Atrium <atrium@example.org>',
      appUrl: testApp.url,
    },
  })
const open = async (page: Page, link: string) => {
  await page.goto('about:blank')
  await page.goto(link)
}

test('without a mail server an administrator invites by a link, and the guest comes in with a password of their own', async ({
  visit,
}) => {
  const admin = await visit(testApp, testApp.admin)
  await admin.goto('/settings/people')
  await admin.getByRole('button', { name: 'Invite', exact: true }).click()
  const form = admin.getByRole('dialog', { name: 'Invite someone' })
  await expect(form.getByText('No mail server is set up, so')).toBeVisible()
  await look(admin, 'links-invite-form')
  await form.getByLabel('E-mail address (optional)').fill('ben@example.org')
  await form.getByRole('button', { name: 'Create link' }).click()
  const shown = admin.getByRole('dialog', { name: 'Invitation link' })
  await shown.getByRole('button', { name: 'Copy link' }).click()
  const copied = () => admin.evaluate<string>('navigator.clipboard.readText()')
  await expect.poll(copied).toMatch(/\/invite#atl_[\w-]{43}$/)
  const link = await copied()
  await look(admin, 'links-invite-shown', { themes: ['light'] })
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  const row = admin.getByRole('listitem').filter({ hasText: 'ben@example.org' })
  await expect(row).toContainText('by ann')
  await row.scrollIntoViewIfNeeded()
  await look(admin, 'links-invitations', { themes: ['dark'] })

  const asked: string[] = []
  const guest = await visit(testApp, null, phone)
  guest.on('request', (request) => asked.push(request.url()))
  await open(guest, link)
  await expect(guest.getByText('Your e-mail address will be ben@example.org.')).toBeVisible()
  await look(guest, 'links-invite-phone')
  await guest.getByLabel('User name').fill('ann')
  await guest.getByLabel('Password', { exact: true }).fill(newPassword)
  await guest.getByRole('button', { name: 'Create account' }).click()
  await expect(guest.getByText('This user name is taken.')).toBeVisible()
  await guest.getByLabel('User name').fill('ben')
  await guest.keyboard.press('Enter')
  await expect(guest.getByRole('textbox', { name: 'Message' })).toBeVisible()
  // The secret was in no address that any server saw.
  expect(asked.filter((url) => url.includes('atl_') && !new URL(url).hash.includes('atl_'))).toEqual([])

  const late = await visit(testApp, null)
  await open(late, link)
  await expect(late.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
  await look(late, 'links-invalid')
})

test('an invitation is taken back, and its link is over', async ({ visit }) => {
  const admin = await visit(testApp, testApp.admin)
  await admin.goto('/settings/people')
  await admin.getByRole('button', { name: 'Invite', exact: true }).click()
  await admin.getByRole('button', { name: 'Create link' }).click()
  const shown = admin.getByRole('dialog', { name: 'Invitation link' })
  const link = (await shown.getByText('/invite#atl_').textContent()) ?? ''
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await admin.getByRole('button', { name: 'Revoke the invitation for Anyone with the link' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(admin.getByText('No open invitations.')).toBeVisible()
  const guest = await visit(testApp, null)
  await open(guest, link)
  await expect(guest.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
})

test('an administrator sets up mail, sees each step of a trial, and what fails', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/email')
  await expect(page.getByRole('switch', { name: 'Send e-mail' })).toBeDisabled()
  const fill = async (name: string, value: string) => {
    await page.getByRole('textbox', { name, exact: true }).fill(value)
    await page.getByRole('textbox', { name, exact: true }).press('Enter')
  }
  await fill('Server', 'localhost')
  await fill('Port', String(smtp.port))
  await fill('Sender', 'Atrium <atrium@example.org>')
  await page.getByRole('textbox', { name: 'User name' }).fill('atrium')
  await page.getByLabel('Password', { exact: true }).fill('sesame open')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Signs in as atrium.')).toBeVisible()
  await page.getByRole('switch', { name: 'Send e-mail' }).click()
  await expect(page.getByRole('textbox', { name: 'Address of this app' })).toHaveValue(testApp.url)

  await page.getByLabel('Recipient').fill('trial@example.org')
  await page.getByRole('button', { name: 'Run test' }).click()
  await expect(page.getByText('Failed at “Encrypt the connection”.')).toBeVisible()
  await expect(page.getByText('This machine doesn’t trust the issuer')).toBeVisible()
  await look(page, 'email-failed', { themes: ['light'] })
  await page.getByRole('switch', { name: 'Verify certificate' }).click()
  await page.getByRole('button', { name: 'Run test' }).click()
  await expect(page.getByText('E-mail sent to trial@example.org.')).toBeVisible()
  await smtp.waitFor('trial@example.org')
  await look(page, 'email-works')
  const small = await visit(testApp, testApp.admin, phone)
  await small.goto('/settings/email')
  await expect(small.getByText('Signs in as atrium.')).toBeVisible()
  await look(small, 'email-phone')
})

test('a new address waits until its link is opened on a phone', async ({ visit }) => {
  await switchMail(true)
  const cleo = await testApp.account('cleo')
  const inside = await visit(testApp, cleo)
  await inside.goto('/settings/profile')
  await inside.getByRole('textbox', { name: 'E-mail' }).fill('cleo@example.org')
  await inside.getByRole('textbox', { name: 'E-mail' }).press('Enter')
  await expect(inside.getByText('cleo@example.org becomes your address once you open the link')).toBeVisible()
  await look(inside, 'profile-pending')
  const reader = await visit(testApp, null, phone)
  await open(reader, await linkIn('cleo@example.org'))
  await look(reader, 'links-verify-phone')
  await reader.getByRole('button', { name: 'Confirm address' }).click()
  await expect(reader.getByRole('heading', { name: 'Address confirmed' })).toBeVisible()
  await inside.reload()
  await expect(inside.getByText('Confirmed', { exact: true })).toBeVisible()
  await look(inside, 'profile-confirmed', { themes: ['light'] })
})

test('whoever forgot the password asks by keyboard, finds the mail, sets a new one and signs in', async ({ visit }) => {
  await switchMail(true)
  const emil = await testApp.account('emil')
  await emil.api.call(accountsRoutes.updateMe, { body: { email: 'emil@example.org' } })
  const inside = await visit(testApp, emil)
  await inside.goto('/')
  const page = await visit(testApp, null)
  await open(page, await linkIn('emil@example.org'))
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await expect(page.getByRole('heading', { name: 'Address confirmed' })).toBeVisible()
  await page.goto('/sign-in')
  const toForgot = page.getByRole('link', { name: 'Forgot your password?' })
  await expect(toForgot).toBeVisible()
  await page.getByLabel('User name').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await toForgot.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await look(page, 'links-forgot')
  await expect(page.getByLabel('User name or e-mail address')).toBeFocused()
  await page.keyboard.type('emil@example.org')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible()

  await open(page, await linkIn('emil@example.org', 2))
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await look(page, 'links-reset')
  await page.keyboard.type('short')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('at least 12 characters')
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
  expect(page.url()).not.toContain('atl_')
  // Nobody is signed in by it, and who was is not any more.
  await expect(inside.getByRole('dialog', { name: 'Sign in again' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  const signIn = async (words: string) => {
    await page.getByLabel('User name').fill('emil')
    await page.getByLabel('Password', { exact: true }).fill(words)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await signIn(password)
  await expect(page.getByRole('alert')).toContainText(/wrong/)
  await signIn(newPassword)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
})

test('an invitation goes out by mail, and its guest’s address counts as confirmed', onlyInAll, async ({ visit }) => {
  await switchMail(true)
  const admin = await visit(testApp, testApp.admin)
  await admin.goto('/settings/people')
  await admin.getByRole('button', { name: 'Invite', exact: true }).click()
  const form = admin.getByRole('dialog', { name: 'Invite someone' })
  await form.getByLabel('E-mail address (optional)').fill('dora@example.org')
  await expect(form.getByRole('checkbox', { name: /Send the link by e-mail/ })).toBeChecked()
  await form.getByRole('button', { name: 'Send invitation' }).click()
  await expect(admin.getByText('Invitation sent to dora@example.org.')).toBeVisible()
  const guest = await visit(testApp, null)
  await open(guest, await linkIn('dora@example.org'))
  await expect(guest.getByText(/invited you to/)).toBeVisible()
  await guest.getByLabel('User name').fill('dora')
  await guest.getByLabel('Password', { exact: true }).fill(newPassword)
  await guest.keyboard.press('Enter')
  await expect(guest.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await guest.goto('/settings/profile')
  await expect(guest.getByText('Confirmed', { exact: true })).toBeVisible()
})

test('where no mail is sent, the page says whom to ask', async ({ visit }) => {
  await switchMail(false)
  const page = await visit(testApp, null)
  await page.goto('/forgot')
  await expect(page.getByRole('heading', { name: 'Ask an administrator' })).toBeVisible()
  await look(page, 'links-no-mail')
})
