/** Support access: an administrator reads with a reason, and the person is told and sees what was opened. */
import { makeChat, openTestApp, password } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp()

test('an administrator reads with a reason and a proof; the person is told and sees what was opened', async ({
  visit,
}) => {
  // Two people, and five looks in two themes.
  test.slow()
  const ben = await testApp.account('ben')
  await makeChat(ben, { title: 'Trip to Ghent', messages: ['Where to?', 'Ghent.'] })
  const [mine, theirs] = [await visit(testApp, testApp.admin), await visit(testApp, ben)]
  await theirs.goto('/')
  await expect(theirs.getByRole('textbox', { name: 'Message' })).toBeVisible()

  await mine.goto(`/settings/people/${ben.user.id}`)
  await mine.getByRole('button', { name: 'Start support access…' }).click()
  const asked = mine.getByRole('dialog', { name: 'Read the data of ben?' })
  await asked.getByRole('button', { name: 'Continue' }).click()
  await asked.getByRole('textbox', { name: 'Reason' }).fill('The export of ticket 4711 fails')
  await look(mine, 'support-access-start')
  await asked.getByRole('button', { name: 'Continue' }).click()
  const proof = mine.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.locator('input[name=password]').fill(password)
  await proof.getByRole('button', { name: 'Start' }).click()
  const chatLink = mine.getByRole('link', { name: 'Trip to Ghent' })
  await expect(chatLink).toBeVisible()
  await look(mine, 'support-access-things')
  await chatLink.click()
  await expect(mine.getByText('Where to?')).toBeVisible()

  const notice = theirs.getByRole('dialog', { name: 'An administrator can read your data' })
  await expect(notice).toContainText('The export of ticket 4711 fails')
  await look(theirs, 'support-access-notice')
  // It stays until it is said that it was read.
  await theirs.reload()
  await notice.getByRole('button', { name: 'See what was opened' }).click()
  await expect(theirs).toHaveURL(/\/settings\/security/)
  const section = theirs.locator('#supportAccess')
  await section.getByRole('button', { name: 'Show what was opened' }).click()
  await expect(section).toContainText('Trip to Ghent')
  await look(theirs, 'support-access-security')
  await theirs.reload()
  await expect(section).toContainText('1 item opened')
  await expect(notice).toHaveCount(0)

  await mine.goto(`/settings/people/${ben.user.id}`)
  await mine.getByRole('button', { name: 'End now' }).click()
  await expect(mine.getByRole('link', { name: 'Trip to Ghent' })).toHaveCount(0)
  await expect(section).toContainText('Ended')
  const small = await visit(testApp, ben, phone)
  await small.goto('/settings/security#supportAccess')
  await expect(small.locator('#supportAccess')).toContainText('ann had access')
  await look(small, 'support-access-phone', { themes: ['light'] })
})
