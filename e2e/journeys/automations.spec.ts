/** Automations: made from a template, scheduled, run, called from elsewhere, paused and deleted on their pages. */
import { automationsRoutes } from '@atrium/contract/automations'
import { channelsRoutes } from '@atrium/contract/channels'
import { settingsRoutes } from '@atrium/contract/settings'
import { look } from '../harness/look.ts'
import { local, openTestApp } from '../harness/test-app.ts'
import { expect, onlyInAll, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })

test('an automation is made from a template, scheduled, run, called by webhook, paused and deleted', async ({
  visit,
}) => {
  const { api } = testApp.admin
  const { id: channelId } = await api.call(channelsRoutes.create, { body: { type: 'private', name: 'Weekly plans' } })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/automations')
  await expect(page.getByRole('heading', { name: 'Nothing runs by itself yet' })).toBeVisible()
  await look(page, 'automations-empty')

  await page.getByRole('link', { name: 'Plan for the week' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Plan for the week')
  const schedule = page.getByRole('group', { name: 'Trigger 1' })
  await schedule.getByRole('combobox', { name: 'Day' }).selectOption({ label: 'Friday' })
  await schedule.getByLabel('Time', { exact: true }).fill('17:45')
  await expect(page.getByText(/^Every Friday at 5:45/)).toBeVisible()
  await expect(page.getByText(/^Next: /)).toBeVisible()

  await page.getByRole('button', { name: 'Add a trigger' }).click()
  const second = page.getByRole('group', { name: 'Trigger 2' })
  await second.getByRole('combobox', { name: 'Starts' }).selectOption({ label: 'Cron expression' })
  const cron = second.getByRole('textbox', { name: 'Cron expression' })
  await cron.fill('0 0 30 2 *')
  await expect(page.getByRole('alert')).toContainText(/never/i)
  await look(page, 'automation-refused')
  await cron.fill('*/20 9-17 * * MON-FRI')
  await expect(page.getByRole('alert')).toHaveCount(0)

  // A number can be taken away and typed anew.
  await page.getByRole('button', { name: 'Add a trigger' }).click()
  const third = page.getByRole('group', { name: 'Trigger 3' })
  await third.getByRole('combobox', { name: 'Starts' }).selectOption({ label: 'At an interval' })
  const minutes = third.getByRole('spinbutton', { name: 'Minutes' })
  await minutes.press('ControlOrMeta+a')
  await minutes.press('Backspace')
  await minutes.pressSequentially('45')
  await expect(minutes).toHaveValue('45')
  await page.getByRole('combobox', { name: 'Result' }).selectOption({ label: 'A channel' })
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('Choose a channel.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: 'Weekly plans' })
  await look(page, 'automation-new')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Plan for the week' })).toBeVisible()

  await page.getByRole('button', { name: 'Run now' }).click()
  const window = page.getByRole('dialog', { name: 'Run Plan for the week now' })
  await window.getByRole('textbox', { name: 'Data (JSON)' }).fill('[1]')
  await expect(window.getByText(/^Enter a JSON object/)).toBeVisible()
  await window.getByRole('textbox', { name: 'Data (JSON)' }).fill('{"goal":"rest"}')
  await window.getByRole('button', { name: 'Try without saving' }).click()
  await expect(window.getByRole('region', { name: 'Result, not saved' })).toContainText('productive week')
  await window.getByRole('button', { name: 'Run now' }).click()
  const runs = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
  await expect(runs).toHaveCount(1)
  await expect(runs.first()).toContainText('Succeeded')
  const posted = await api.call(channelsRoutes.messages, { params: { channelId }, query: {} })
  expect(posted.items.map(({ content }) => content)).toEqual([expect.stringContaining('**Plan for the week**')])
  await look(page, 'automation')
  const mark = page.getByText('1 new run')
  await expect(mark).toBeAttached()
  await runs.first().getByRole('link', { name: 'Open chat' }).click()
  await expect(page).toHaveURL(/\/chats\//)
  await expect(page.getByRole('log').or(page.getByRole('main')).first()).toContainText('productive week')

  await page.goto('/automations/runs')
  await expect(page.getByText('Last 30 days: 1 succeeded, 0 failed')).toBeVisible()
  await look(page, 'automation-runs')
  await expect(mark).toHaveCount(0)

  await page.getByRole('link', { name: 'Plan for the week' }).click()
  await page.getByRole('button', { name: 'Create a secret' }).click()
  const shown = page.getByRole('dialog', { name: 'Your webhook secret' })
  const secret = (await shown.getByText(/^whsec_/).textContent()) ?? ''
  await look(page, 'automation-secret', { themes: ['light'] })
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByText(secret)).toHaveCount(0)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const answer = await fetch(`${testApp.url}/api/automations/${id}/webhook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: '{"text":"Hello"}',
  })
  expect(answer.status).toBe(202)
  await expect(runs).toHaveCount(2)
  await expect(runs.first()).toContainText('By webhook')
  await expect(runs.first()).toContainText('Succeeded')

  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Paused', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByText('Paused', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing runs by itself yet' })).toBeVisible()
})

test('long names, every kind of schedule and Arabic fit on a phone', onlyInAll, async ({ visit }) => {
  const owner = await testApp.account('mona')
  const zone = 'America/Argentina/ComodRivadavia'
  const { id } = await owner.api.call(automationsRoutes.create, {
    body: {
      name: 'The weekly look at what everybody in the northern offices wrote about the harbour and its cranes',
      instructions: 'Say good morning.',
      selection: local('echo'),
      triggers: [
        { kind: 'hourly', minute: 15, startHour: 8, endHour: 18, timeZone: zone },
        { kind: 'weekly', dayOfWeek: 3, hour: 9, minute: 0, timeZone: zone },
        { kind: 'yearly', month: 9, dayOfMonth: 30, hour: 9, minute: 0, timeZone: zone },
        { kind: 'rule', rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH', startLocal: '2026-11-26T09:30:00', timeZone: zone },
        { kind: 'once', at: '2030-01-01T09:00:00Z' },
      ],
    },
  })
  await owner.api.call(automationsRoutes.run, { params: { automationId: id }, body: {} })
  await expect
    .poll(async () => (await owner.api.call(automationsRoutes.runs, { query: {} })).items[0]?.state)
    .toBe('succeeded')
  const page = await visit(testApp, owner, phone)
  await page.goto('/automations')
  await expect(page.getByRole('link', { name: /^The weekly look/ })).toBeVisible()
  await look(page, 'automations-phone')
  await page.goto(`/automations/${id}`)
  await expect(page.getByText(/^Next: /).last()).toBeVisible()
  await page.getByText('More options').click()
  await look(page, 'automation-phone', { themes: ['light'] })
  await page.getByRole('group', { name: 'Trigger 3' }).scrollIntoViewIfNeeded()
  await look(page, 'automation-phone-schedules', { themes: ['dark'] })
  await page.goto('/automations/runs')
  await expect(page.getByRole('link', { name: /^The weekly look/ })).toBeVisible()
  await look(page, 'automation-runs-phone', { themes: ['light'] })
  await owner.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  for (const [name, path] of [
    ['automations-arabic', '/automations'],
    ['automation-arabic', `/automations/${id}`],
    ['automation-runs-arabic', '/automations/runs'],
  ] as const) {
    await page.goto(path)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(page.getByText(/^The weekly look/).first()).toBeVisible()
    await look(page, name, { themes: ['light'] })
  }
})
