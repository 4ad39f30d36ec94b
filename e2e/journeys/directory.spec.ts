/** Directories: people sign in with one, and one keeps accounts here. */
import { ldapBase, ldapPerson, ldapService, startLdap, type TestLdap } from '../../server/src/testing/ldap-server.ts'
import { createDirectory } from '../../server/src/testing/scim.ts'
import { openTestApp, password } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp()
let server: TestLdap
test.beforeAll(async () => {
  server = await startLdap({ entries: [ldapPerson('dora')] })
})
test.afterAll(() => server.close())

test('a directory is set up and tried, and somebody of it signs in', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/sign-in#ldap')
  await page.getByRole('button', { name: 'Set up' }).click()
  const form = page.getByRole('dialog', { name: 'Directory (LDAP)' })
  await form.getByRole('checkbox', { name: 'Allow directory sign-in' }).check()
  await form.getByRole('textbox', { name: 'Server URL' }).fill(server.url)
  await form.getByRole('textbox', { name: 'CA certificate' }).fill(server.ca)
  await form.getByRole('textbox', { name: 'Bind DN' }).fill(ldapService.dn)
  await form.getByRole('textbox', { name: 'Bind password' }).fill(ldapService.password)
  await form.getByRole('textbox', { name: 'Base DN', exact: true }).fill(ldapBase)
  await form.getByRole('combobox', { name: 'People without an account' }).selectOption('active')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()

  await page.getByRole('button', { name: 'Test directory' }).click()
  const trial = page.getByRole('dialog', { name: 'Test the directory' })
  await trial.getByRole('textbox', { name: 'Directory user name' }).fill('dora')
  await trial.getByRole('textbox', { name: 'Directory password' }).fill('dora secret')
  await trial.getByRole('button', { name: 'Run test' }).click()
  await expect(trial.getByText('Creates an account.')).toBeVisible()
  await expect(trial.getByText('dora of Example').first()).toBeVisible()

  const guest = await visit(testApp, null)
  await guest.goto('/')
  await guest.getByLabel('User name').fill('dora')
  await guest.getByLabel('Password', { exact: true }).fill('dora secret')
  await guest.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(guest.getByRole('textbox', { name: 'Message' })).toBeVisible()
})

test('an account is linked with the directory by its owner and taken off it, and by an administrator', async ({
  visit,
}) => {
  server.entries = [ldapPerson('dora'), ldapPerson('emil')]
  const emil = await testApp.account('emil')
  const page = await visit(testApp, emil)
  await page.goto('/settings/security#identities')
  await page.getByRole('button', { name: 'Link directory' }).click()
  const form = page.getByRole('dialog', { name: 'Link directory' })
  await form.getByRole('textbox', { name: 'Password here' }).fill(password)
  await expect(form.getByRole('textbox', { name: 'User name in the directory' })).toHaveValue('emil')
  await form.getByRole('textbox', { name: 'Password in the directory' }).fill('not the secret')
  await form.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(form.getByText('The directory doesn’t recognize this user name and password.')).toBeVisible()
  await look(page, 'directory-link')
  await form.getByRole('textbox', { name: 'Password in the directory' }).fill('emil secret')
  await form.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(form).toBeHidden()
  await expect(page.getByText('You can sign in with your directory password.')).toBeVisible()
  await page.getByRole('heading', { name: 'Linked accounts' }).scrollIntoViewIfNeeded()
  await look(page, 'directory-linked')
  await page.getByRole('button', { name: 'Unlink Directory' }).click()
  await expect(page.getByRole('button', { name: 'Link directory' })).toBeVisible()

  const admin = await visit(testApp, testApp.admin)
  await admin.goto(`/settings/people/${emil.user.id}`)
  await admin.getByRole('button', { name: 'Link to directory' }).click()
  const link = admin.getByRole('dialog', { name: 'Link emil to the directory' })
  await link.getByRole('textbox', { name: 'User name in the directory' }).fill('nobody')
  await link.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(link.getByRole('alert')).toBeVisible()
  await link.getByRole('textbox', { name: 'User name in the directory' }).fill('emil')
  await link.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(link).toBeHidden()
  await expect(admin.getByRole('list', { name: 'Signs in with' })).toContainText('Directory')
  await look(admin, 'directory-person')

  // Somebody else with the name of an account that came from the directory is told the way.
  server.entries = [ldapPerson('dora', { attributes: { entryUUID: 'somebody else' } })]
  const guest = await visit(testApp, null)
  await guest.goto('/')
  await guest.getByLabel('User name').fill('dora')
  await guest.getByLabel('Password', { exact: true }).fill('dora secret')
  await guest.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(guest.getByText('link it in Settings › Security')).toBeVisible()

  await admin.getByRole('button', { name: 'Unlink from directory' }).click()
  await admin.getByRole('button', { name: 'Unlink', exact: true }).click()
  await expect(admin.getByRole('list', { name: 'Signs in with' })).not.toContainText('Directory')
})

test('a token for provisioning is shown once, works, and is revoked', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/sign-in#scim')
  await page.getByRole('button', { name: 'Create token' }).click()
  const form = page.getByRole('dialog', { name: 'New directory token' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Entra')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  const shown = page.getByRole('dialog', { name: 'Token “Entra”' })
  const token = (await shown.getByText(/^atd_/).textContent()) ?? ''
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByText(token)).toHaveCount(0)
  const directory = createDirectory(testApp.url, token)
  expect((await directory.post('/Users', { userName: 'made-elsewhere', active: true })).status).toBe(201)

  await page.getByRole('button', { name: 'Revoke token: Entra' }).click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('No tokens yet.')).toBeVisible()
  expect((await directory.get('/Users')).status).toBe(401)
})
