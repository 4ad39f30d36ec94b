/** The inbox: told live, opened at the very thing, put away and brought back, by mouse and by keys. */
import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { documentsRoutes } from '@atrium/contract/documents'
import { mailRoutes } from '@atrium/contract/mail'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { startSmtpServer } from '../../server/src/testing/smtp.ts'
import { look } from '../harness/look.ts'
import { notice } from '../harness/notices.ts'
import { saved } from '../harness/talk.ts'
import { type Account, openTestApp } from '../harness/test-app.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })

const shareWith = async ({ user }: Account, name: string) => {
  const { id } = await testApp.admin.api.call(documentsRoutes.createCollection, { body: { name } })
  const whom = { principalType: 'account', principalId: user.id } as const
  await testApp.admin.api.call(accessRoutes.grant, { body: { resourceType: 'collection', resourceId: id, ...whom } })
  return id
}

test('what is shared is told at once, opens the very thing, and is done by mouse and by keys', async ({ visit }) => {
  const ben = await testApp.account('ben')
  const share = (name: string) => shareWith(ben, name)
  const page = await visit(testApp, ben)
  await page.goto('/notifications')
  await expect(page.getByText('You’re all caught up')).toBeVisible()
  const undo = (words: string) => notice(page, words).getByRole('button', { name: 'Undo' }).click()
  const bell = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Notifications' })

  const reports = await share('Reports')
  await share('Maps')
  await share('Recipes')
  await expect(page).toHaveTitle(/^\(3\) Notifications/)
  await expect(bell).toContainText('3')
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: `“${name}” with you` })
  await expect(row('Recipes').getByRole('link')).toHaveAccessibleName(/^Unread: /)
  await look(page, 'notifications')

  await row('Reports').getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`collection=${reports}`))
  await page.goBack()
  await expect(page).toHaveTitle(/^\(2\) /)

  await row('Maps').getByRole('link').focus()
  await page.keyboard.press('e')
  await expect(row('Maps')).toHaveCount(0)
  await expect(row('Reports').getByRole('link')).toBeFocused()
  await undo('Notification done.')
  await expect(row('Maps')).toHaveCount(1)

  await row('Maps')
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Snooze' }).click()
  await page.getByRole('menuitem', { name: 'For an hour' }).click()
  await expect(row('Maps')).toHaveCount(0)
  await page.getByRole('button', { name: 'Mark all as done' }).click()
  await expect(page.getByText('You’re all caught up')).toBeVisible()
  await expect(page).toHaveTitle(/^Notifications/)
  // That of the one before may still be there, and this one come after the list.
  await undo('notifications done.')
  await expect(row('Recipes')).toHaveCount(1)

  // The address changes first, and the choice follows it.
  const choose = async (name: string) => {
    await page.getByRole('radio', { name }).click()
    await expect(page.getByRole('radio', { name })).toBeChecked()
  }
  await choose('Snoozed')
  await expect(row('Maps')).toContainText('Until')
  await choose('Inbox')
  await page.getByRole('searchbox', { name: 'Search notifications' }).fill('recip')
  await expect(row('Reports')).toHaveCount(0)
  await expect(row('Recipes')).toHaveCount(1)

  // Elsewhere the bell opens the newest unread ones, live, and each can be put away there.
  await page.goto('/settings')
  await share('Songs')
  await bell.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  const inPanel = (name: string) => panel.getByRole('listitem').filter({ hasText: `“${name}” with you` })
  await expect(panel.getByText('2 unread notifications')).toBeVisible()
  await share('Walks')
  await expect(inPanel('Walks').getByRole('link')).toHaveAccessibleName(/^Unread: /)
  await look(page, 'notification-panel', { themes: ['light', 'dark'] })
  await inPanel('Walks').getByRole('link').focus()
  await page.keyboard.press('u')
  await expect(inPanel('Walks')).toHaveCount(0)
  await expect(inPanel('Songs').getByRole('link')).toBeFocused()
  await undo('marked as read')
  await inPanel('Walks').getByRole('button', { name: /^Done/ }).click()
  await expect(panel.getByText('2 unread notifications')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(bell).toBeFocused()

  const small = await visit(testApp, ben, phone)
  await small.goto('/')
  await small.getByRole('link', { name: /Inbox/ }).click()
  await expect(small.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')).toHaveCount(2)
  await look(small, 'notification-panel-phone')
  await small.getByRole('link', { name: 'All notifications' }).click()
  await expect(small.getByRole('heading', { name: 'Today' })).toBeVisible()
  await look(small, 'notifications-phone')
  await small.goto('/notifications/nothing')
  await expect(small.getByRole('heading', { name: 'This notification is gone' })).toBeVisible()

  await page.goto('/settings/notifications')
  await page.getByRole('checkbox', { name: 'Shared with me: In app' }).uncheck()
  await expect(page.getByRole('checkbox', { name: 'Security: In app' })).toBeDisabled()
  await page.getByRole('checkbox', { name: 'Monday' }).check()
  await page.getByLabel('Monday: from').fill('21:30')
  const kept = saved(page, notificationsRoutes.updatePreferences.path)
  await page.getByLabel('Monday: to').focus()
  await kept
  await look(page, 'notification-settings')
  await page.reload()
  await expect(page.getByLabel('Monday: from')).toHaveValue('21:30')
  await share('Silence')
  await page.goto('/notifications')
  await expect(row('Recipes')).toHaveCount(1)
  await expect(row('Silence')).toHaveCount(0)
})

test('e-mail is offered to a confirmed address, and stopped by the link in it without a sign-in', async ({ visit }) => {
  const smtp = await startSmtpServer()
  const cid = await testApp.account('cid')
  const page = await visit(testApp, cid)
  const box = page.getByRole('combobox', { name: 'Shared with me: E-mail' })
  await page.goto('/settings/notifications')
  await expect(page.getByText('This server sends no e-mail')).toBeVisible()
  await expect(box).toBeDisabled()

  const reach = { host: 'localhost', port: smtp.port, security: 'none', from: 'Atrium <atrium@example.org>' } as const
  const body = { enabled: true, appUrl: testApp.url, ...reach }
  await testApp.admin.api.call(mailRoutes.updateSettings, { body })
  await page.reload()
  await expect(page.getByText('To get e-mail, add your address to your profile.')).toBeVisible()
  const to = 'cid@example.org'
  await cid.api.call(accountsRoutes.updateMe, { body: { email: to } })
  const [sent] = await smtp.waitFor(to)
  const [, token = ''] = /#(atl_[\w-]{43})/.exec(sent?.mail.text ?? '') ?? []
  await cid.api.call(accountsRoutes.verifyEmail, { body: { token } })
  await page.reload()
  const kept = saved(page, notificationsRoutes.updatePreferences.path)
  await box.selectOption('At once')
  await expect(page.getByText('security notices are always sent by e-mail')).toBeVisible()
  await kept

  // What was saved counts for what happens from then on.
  await page.reload()
  await expect(box).toHaveValue('now')
  await shareWith(cid, 'Plans')
  const letter = (await smtp.waitFor(to, 2))[1]?.mail
  const [link = ''] = /\S+\/unsubscribe#\S+/.exec(letter?.text ?? '') ?? []
  const small = await visit(testApp, cid, phone)
  await small.goto('/settings/notifications')
  await expect(small.getByRole('combobox', { name: 'Shared with me: E-mail' })).toHaveValue('now')
  await look(small, 'notification-settings-phone')
  const stranger = await visit(testApp, null, phone)
  await stranger.goto(link)
  await expect(stranger.getByRole('heading', { name: 'Stop these e-mails?' })).toBeVisible()
  await look(stranger, 'notifications-unsubscribe-phone')
  await stranger.getByRole('button', { name: 'Stop e-mail' }).click()
  await expect(stranger.getByRole('heading', { name: 'E-mail turned off' })).toBeVisible()
  await expect(box).toHaveValue('off')

  // Why it came by mail, and by no other way, is said of each.
  await page.goto('/notifications')
  await page.getByRole('button', { name: /Actions for .*Plans/ }).click()
  await page.getByRole('menuitem', { name: 'Why it reached me' }).click()
  const why = page.getByRole('dialog', { name: 'How this notification was delivered' })
  await expect(why.getByText('You haven’t turned on push in any browser.')).toBeVisible()
  await expect(why.getByText(/^Sent on/)).toHaveCount(2)
  await look(page, 'notification-why')
  await stranger.goto('about:blank')
  await stranger.goto(`${link}0`)
  await stranger.getByRole('button', { name: 'Stop e-mail' }).click()
  await expect(stranger.getByText('This link doesn’t work.')).toBeVisible()
  await smtp.close()
})
