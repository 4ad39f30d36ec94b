/** The calendar: events are drawn, moved by keys, changed as a series, deleted with the way back, taken in and given out; automation runs are read. */
import { automationsRoutes } from '@atrium/contract/automations'
import { calendarRoutes } from '@atrium/contract/calendar'
import { settingsRoutes } from '@atrium/contract/settings'
import type { Page } from '@playwright/test'
import { look } from '../harness/look.ts'
import { notice } from '../harness/notices.ts'
import { type Account, openTestApp } from '../harness/test-app.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ runtime: false })

const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000
/** The middle of a column of the week, at a time of its day. */
async function pointAt(page: Page, date: string, hour: number) {
  const column = page.locator(`[data-hours="${day(date)}"]`)
  const box = await column.boundingBox()
  if (!box) throw new Error(`no column for ${date}`)
  return { x: box.x + box.width / 2, y: box.y + (box.height / 24) * hour }
}

const scrollToSeven = (page: Page) =>
  page
    .getByRole('grid')
    .locator('[role=rowgroup]')
    .last()
    .evaluate((box) => (box.scrollTop = 7 * 48))

/** What an account has in January, by title and its own local start. */
async function january({ api }: Account): Promise<string[]> {
  const query = { from: '2027-01-01T00:00:00Z', to: '2027-02-01T00:00:00Z', timeZone: 'Europe/Berlin' }
  const { items } = await api.call(calendarRoutes.events, { query })
  return items.map((event) => `${event.title} ${event.startLocal ?? event.startDate}`)
}

/** Takes back what a notice with these words tells. */
const undo = (page: Page, words: string) => notice(page, words).getByRole('button', { name: 'Undo' }).click()

/** The address changes first, and the choice follows it. */
const showAs = async (page: Page, view: 'Month' | 'Agenda') => {
  await page.getByRole('radio', { name: view }).click()
  await expect(page.getByRole('radio', { name: view })).toBeChecked()
}

const inBerlin = ({ api }: Account) => api.call(settingsRoutes.update, { body: { timeZone: 'Europe/Berlin' } })

test('an event is drawn, moved by keys, changed as a series, and deleted with the way back', async ({ visit }) => {
  await inBerlin(testApp.admin)
  const page = await visit(testApp, testApp.admin)
  await page.goto('/calendar?view=week&date=2027-01-13')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Jan 10.*16, 2027/)
  await scrollToSeven(page)

  const from = await pointAt(page, '2027-01-13', 9)
  await page.mouse.move(from.x, from.y + 2)
  await page.mouse.down()
  await page.mouse.move(from.x, from.y + 30)
  await page.mouse.move(from.x, from.y + 70)
  await page.mouse.up()
  const editor = page.getByRole('dialog', { name: 'New event' })
  await editor.getByRole('textbox', { name: 'Title' }).fill('Design review')
  await expect(editor.getByLabel('Start time')).toHaveValue('09:00')
  await expect(editor.getByLabel('End time')).toHaveValue('10:30')
  await editor.getByRole('combobox', { name: 'Repeats' }).selectOption({ label: 'Every week on Wednesday' })
  await editor.getByRole('combobox', { name: 'Ends' }).selectOption({ label: 'After a number of times' })
  await editor.getByRole('spinbutton', { name: 'Number of times' }).fill('3')
  await editor.getByRole('button', { name: 'Add reminder' }).click()
  await editor.getByRole('combobox', { name: 'Reminder 1' }).selectOption({ label: '1 day before' })
  await editor.getByRole('button', { name: 'Create' }).click()
  const event = page.getByRole('button', { name: /^Design review/ })
  await expect(event).toContainText('9:00 – 10:30 AM')
  await look(page, 'calendar-week')

  // Nothing is saved before Enter, and Escape takes it back.
  await event.press('ArrowDown')
  await expect(page.locator('[aria-live=assertive]').last()).toContainText('Wednesday, January 13, 2027, 9:15')
  await page.keyboard.press('Escape')
  await event.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const which = page.getByRole('dialog', { name: 'Move “Design review”' })
  await which.getByRole('radio', { name: 'This event', exact: true }).check()
  await which.getByRole('button', { name: 'Move' }).click()
  await expect(event).toContainText('9:15 – 10:45 AM')
  await undo(page, 'moved to')
  await expect(event).toContainText('9:00 – 10:30 AM')
  await event.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await which.getByRole('button', { name: 'Move' }).press('Enter')
  await expect(event).toContainText('9:15 – 10:45 AM')
  await expect
    .poll(() => january(testApp.admin))
    .toEqual(['14T09:15:00', '20T09:00:00', '27T09:00:00'].map((at) => `Design review 2027-01-${at}`))

  await showAs(page, 'Month')
  await page
    .getByRole('button', { name: /^Design review/ })
    .nth(1)
    .click()
  await expect(page.getByRole('dialog', { name: 'Design review' })).toContainText('1 day before')
  await page.getByRole('dialog', { name: 'Design review' }).getByRole('button', { name: 'Edit' }).click()
  const again = page.getByRole('dialog', { name: 'Edit event' })
  await again.getByRole('textbox', { name: 'Location' }).fill('Room 4')
  await again.getByRole('textbox', { name: 'Title' }).fill('Big review')
  await again.getByLabel('Start time').fill('11:00')
  await again.getByRole('radio', { name: 'All events' }).check()
  await again.getByRole('button', { name: 'Save' }).click()
  await expect(again).toBeHidden()
  await expect
    .poll(() => january(testApp.admin))
    .toEqual(expect.arrayContaining(['Big review 2027-01-20T11:00:00', 'Big review 2027-01-27T11:00:00']))
  const kept = await january(testApp.admin)
  expect(kept).toHaveLength(3)

  await page
    .getByRole('button', { name: /^Big review/ })
    .last()
    .click()
  await page.getByRole('dialog', { name: 'Big review' }).getByRole('button', { name: 'Delete' }).click()
  const remove = page.getByRole('dialog', { name: 'Delete “Big review”' })
  await remove.getByRole('radio', { name: 'This event', exact: true }).check()
  await remove.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => january(testApp.admin)).toEqual(kept.slice(0, 2))
  await undo(page, 'was removed from the series')
  await expect.poll(() => january(testApp.admin)).toEqual(kept)

  // By keys alone: a day of the month, and all of the series.
  await page.locator(`[data-day="${day('2027-01-21')}"]`).focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Big review' }).getByRole('button', { name: 'Delete' }).press('Enter')
  await remove.getByRole('radio', { name: 'All events' }).check()
  await remove.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect.poll(() => january(testApp.admin)).toEqual([])
  await undo(page, 'is in the trash')
  await expect.poll(() => january(testApp.admin)).toEqual(kept)
  await expect(page.getByRole('button', { name: /^Big review/ })).toHaveCount(3)
  await look(page, 'calendar-month')
})

test('who was slower is shown what stands, and who may only read changes nothing', async ({ visit }) => {
  const { api } = testApp.admin
  const { id: calendarId } = await api.call(calendarRoutes.createCalendar, { body: { name: 'Team', color: '#7b61d1' } })
  const content = { startLocal: '2027-02-03T09:00:00', endLocal: '2027-02-03T10:00:00', timeZone: 'Europe/Berlin' }
  const { id } = await api.call(calendarRoutes.createEvent, { body: { ...content, title: 'Planning', calendarId } })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/calendar?event=${id}`)
  await page.getByRole('dialog', { name: 'Planning' }).getByRole('button', { name: 'Edit' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit event' })
  await editor.getByRole('textbox', { name: 'Location' }).fill('Room 4')
  await api.call(calendarRoutes.updateEvent, { params: { eventId: id }, query: {}, body: { title: 'Long planning' } })
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor.getByRole('alert')).toContainText('Long planning')
  await look(page, 'calendar-conflict', { themes: ['light'] })
  await editor.getByRole('button', { name: 'Save my changes' }).click()
  await expect(editor).toBeHidden()
  await expect
    .poll(() => api.call(calendarRoutes.readEvent, { params: { eventId: id }, query: {} }))
    .toMatchObject({ title: 'Long planning', place: 'Room 4' })

  const ben = await testApp.account('ben')
  await page.getByRole('button', { name: 'Menu of “Team”' }).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  await page.getByRole('combobox', { name: 'Person or group' }).fill('ben')
  await page.getByRole('option', { name: /ben/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('list', { name: 'People with access' })).toContainText('ben')
  const other = await visit(testApp, ben)
  await other.goto(`/calendar?event=${id}`)
  const opened = other.getByRole('dialog', { name: 'Long planning' })
  await expect(opened).toContainText('Shared by ann, view only')
  await expect(opened.getByRole('button', { name: 'Edit' })).toHaveCount(0)
})

test('a file of another calendar is taken in with a word on what was left out, and given out again', async ({
  visit,
}) => {
  const file = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//journey//EN',
    'BEGIN:VEVENT',
    'UID:one@journey',
    'DTSTAMP:20270101T000000Z',
    'DTSTART;VALUE=DATE:20270310',
    'DTEND;VALUE=DATE:20270312',
    'SUMMARY:Trip to Lisbon',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:two@journey',
    'DTSTAMP:20270101T000000Z',
    'SUMMARY:Without a start',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
  const page = await visit(testApp, testApp.admin)
  await page.goto('/calendar?view=agenda&date=2027-03-01')
  await expect(page.getByRole('heading', { name: 'Nothing planned' })).toBeVisible()
  await look(page, 'calendar-empty', { themes: ['light'] })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Import' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'trips.ics', mimeType: 'text/calendar', buffer: Buffer.from(file) })
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  const report = page.getByRole('dialog', { name: 'Import finished' })
  await expect(report).toContainText('1 event added')
  await expect(report.getByRole('list', { name: 'Entries left out' })).toContainText('It has no start.')
  await look(page, 'calendar-import', { themes: ['light'] })
  await report.getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByRole('button', { name: /Trip to Lisbon/ })).toHaveCount(2)
  await page.getByRole('button', { name: 'More actions' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export all events' }).click(),
  ])
  const written = await (await download.createReadStream()).toArray()
  expect(Buffer.concat(written).toString()).toContain('SUMMARY:Trip to Lisbon')
})

test('a calendar is read by another program at an address that is shown once, and followed from there', async ({
  visit,
}) => {
  const ann = testApp.admin
  const { id: calendarId } = await ann.api.call(calendarRoutes.createCalendar, { body: { name: 'Home' } })
  await ann.api.call(calendarRoutes.createEvent, { body: { calendarId, title: 'Dentist', startDate: '2027-03-10' } })
  const page = await visit(testApp, ann)
  await page.goto('/calendar?view=month&date=2027-03-01')
  await page.getByRole('button', { name: 'Menu of “Home”' }).click()
  await page.getByRole('menuitem', { name: 'Show in other programs' }).click()
  const feeds = page.getByRole('dialog', { name: 'Show “Home” in other programs' })
  await feeds.getByRole('button', { name: 'Create address' }).first().click()
  const made = page.getByRole('dialog', { name: 'Calendar address' })
  const address = await made.locator('code').innerText()
  await look(page, 'calendar-address', { themes: ['light'] })
  expect(await (await fetch(address)).text()).toContain('SUMMARY:Dentist')
  await made.getByRole('button', { name: 'I have copied it' }).click()
  await expect(feeds).toContainText('Not read yet')
  await look(page, 'calendar-feeds', { themes: ['light', 'dark'] })
  await feeds.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog', { name: 'Turn off this address?' }).getByRole('button', { name: 'Turn off' }).click()
  await expect(feeds.getByRole('button', { name: 'Create address' })).toHaveCount(2)
  expect((await fetch(address)).status).toBe(404)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Subscribe to a calendar' }).click()
  const subscribe = page.getByRole('dialog', { name: 'Subscribe to a calendar' })
  await subscribe.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/team.ics')
  await subscribe.getByRole('button', { name: 'Subscribe' }).click()
  await expect(subscribe.getByRole('alert')).toContainText('didn’t respond')
  await look(page, 'calendar-subscribe', { themes: ['light'] })
  const privateAddresses = [new URL(testApp.url).host]
  await ann.api.call(settingsRoutes.updateInstance, { body: { privateAddresses } })
  const params = { calendarId, content: 'busy' as const }
  const { path } = await ann.api.call(calendarRoutes.createFeed, { params })
  await subscribe.getByRole('textbox', { name: 'Address' }).fill(`${testApp.url}${path}`)
  await subscribe.getByRole('textbox', { name: 'Name' }).fill('From elsewhere')
  await subscribe.getByRole('button', { name: 'Subscribe' }).click()
  await expect(page.getByRole('checkbox', { name: 'From elsewhere' })).toBeChecked()
  await page.getByRole('button', { name: /^Busy/ }).click()
  const event = page.getByRole('dialog', { name: 'Busy' })
  await expect(event).toContainText('can only be changed there')
  await expect(event.getByRole('button', { name: 'Edit' })).toHaveCount(0)
  await look(page, 'calendar-subscribed', { themes: ['light'] })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Menu of “From elsewhere”' }).click()
  await page.getByRole('menuitem', { name: 'Unsubscribe' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('checkbox', { name: 'From elsewhere' })).toHaveCount(0)
})

test('automation runs, past and to come, are shown without being events until they are switched off', async ({
  visit,
}) => {
  const cleo = await testApp.account('cleo')
  const { list, create, run, readRun, pause, resume } = automationsRoutes
  const weekly = { kind: 'cron', expression: '30 7 * * 1', timeZone: 'UTC' } as const
  const body = { name: 'Morning news', instructions: 'Say good morning.', triggers: [weekly], retries: 0 }
  const { id } = await cleo.api.call(create, { body })
  const { runId } = await cleo.api.call(run, { params: { automationId: id }, body: {} })
  await expect.poll(async () => (await cleo.api.call(readRun, { params: { runId } })).state).toBe('succeeded')
  const page = await visit(testApp, cleo)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/calendar?view=month')
  await expect(page.getByRole('grid').getByRole('link', { name: /Morning news.*Succeeded/ })).toBeVisible()
  const coming = page.getByRole('link', { name: /Morning news.*Upcoming/ })
  await page.goto('/calendar?view=week&date=2027-05-05')
  await expect(coming).toHaveCount(1)
  await look(page, 'calendar-runs', { themes: ['light'] })
  await showAs(page, 'Agenda')
  await expect(coming).toHaveCount(4)
  // What happens elsewhere is seen at once.
  await cleo.api.call(pause, { params: { automationId: id } })
  await expect(coming).toHaveCount(0)
  await cleo.api.call(resume, { params: { automationId: id } })
  await expect(coming).toHaveCount(4)
  await page.getByRole('checkbox', { name: 'Automations' }).uncheck()
  await expect(coming).toHaveCount(0)
  asked.length = 0
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Automations' })).not.toBeChecked()
  await expect(page.getByRole('heading', { name: 'Nothing planned' })).toBeVisible()
  expect(asked.filter((path) => path === list.path || /occurrences|automations.runs$/.test(path))).toEqual([])
  await page.getByRole('checkbox', { name: 'Automations' }).check()
  await coming.first().click()
  await expect(page).toHaveURL(new RegExp(`/automations/${id}$`))
})

test('the calendar fits a phone', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin, phone)
  await page.goto('/calendar?date=2027-03-09')
  await expect(page.getByRole('radio', { name: 'Agenda' })).toBeChecked()
  await expect(page.getByRole('button', { name: /Trip to Lisbon/ }).first()).toBeVisible()
  await look(page, 'calendar-phone-agenda', { themes: ['light'] })
  await showAs(page, 'Month')
  await page.getByRole('button', { name: /March 10, 2027/ }).tap()
  await expect(page.getByRole('heading', { name: 'Wednesday, March 10' })).toBeVisible()
  await look(page, 'calendar-phone-month', { themes: ['light'] })
  await page.getByRole('button', { name: 'New event' }).tap()
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
  await look(page, 'calendar-phone-editor', { themes: ['light'] })
})

test('a finger that stays for a moment draws and moves an event', async ({ visit }) => {
  await inBerlin(testApp.admin)
  const page = await visit(testApp, testApp.admin, phone)
  await page.goto('/calendar?view=day&date=2027-03-15')
  await scrollToSeven(page)
  const from = await pointAt(page, '2027-03-15', 9)
  const finger = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: from.x, y }] })
  await touch('touchStart', from.y + 2)
  await expect(page.getByText('9:00 – 10:00 AM')).toBeVisible()
  for (const by of [40, 70]) await touch('touchMove', from.y + by)
  await expect(page.getByText('9:00 – 10:30 AM')).toBeVisible()
  await touch('touchEnd', 0)
  await expect(page.getByLabel('End time')).toHaveValue('10:30')
  await page.getByRole('textbox', { name: 'Title' }).fill('Dentist')
  await page.getByRole('button', { name: 'Create' }).tap()
  const event = page.getByRole('button', { name: /^Dentist/ })
  await expect(event).toContainText('9:00 – 10:30 AM')
  await touch('touchStart', from.y + 20)
  await expect(event).toHaveClass(/opacity-40/)
  for (const by of [40, 20 + 48]) await touch('touchMove', from.y + by)
  await touch('touchEnd', 0)
  await expect(event).toContainText('10:00 – 11:30 AM')
})

test('an event is written in words, with guests who answer where they are told', async ({ visit }) => {
  await inBerlin(testApp.admin)
  const page = await visit(testApp, testApp.admin)
  await page.goto('/calendar?view=month&date=2027-04-01')
  const box = page.getByRole('textbox', { name: 'Quick add' })
  await box.fill('Sprint planning 2027-04-14 at 10:00 for 2 hours every full moon')
  await box.press('Enter')
  const editor = page.getByRole('dialog', { name: 'New event' })
  await expect(editor.getByRole('textbox', { name: 'Title' })).toHaveValue('Sprint planning every full moon')
  await expect(editor.getByRole('status').first()).toContainText('Not understood: “every full moon”')
  await expect(editor.getByLabel('End time')).toHaveValue('12:00')
  await editor.getByRole('textbox', { name: 'Title' }).fill('Sprint planning')
  const cyd = await testApp.account('cyd')
  await editor.getByRole('combobox', { name: 'Guests' }).fill('cyd')
  await editor.getByRole('option', { name: 'cyd' }).click()
  await editor.getByRole('button', { name: 'Find a time' }).click()
  await expect(editor.getByText('When everyone is free:')).toBeVisible()
  await look(page, 'calendar-editor-guests')
  await editor.getByRole('button', { name: /April 14, 2027, 9:00/ }).click()
  await editor.getByRole('button', { name: 'Create' }).click()
  await expect(editor).toBeHidden()

  const other = await visit(testApp, cyd)
  await other.goto('/notifications')
  const told = other.getByRole('listitem').filter({ hasText: 'ann invited you to “Sprint planning”' })
  await expect(told).toBeVisible()
  await look(other, 'calendar-invitation', { themes: ['light'] })
  await told.getByRole('button', { name: 'Maybe' }).click()
  await expect(told).toHaveCount(0)
  await other.goto('/calendar?view=month&date=2027-04-14')
  await other.getByRole('button', { name: /^Sprint planning/ }).click()
  const card = other.getByRole('dialog', { name: 'Sprint planning' })
  await expect(card).toContainText('Invited by ann')
  await expect(card.getByRole('button', { name: 'Maybe' })).toHaveAttribute('aria-pressed', 'true')
  await look(other, 'calendar-guest-card', { themes: ['light'] })
  await card.getByRole('button', { name: 'My reminders and color' }).click()
  const own = other.getByRole('dialog', { name: 'Sprint planning' })
  await own.getByRole('button', { name: 'Add reminder' }).click()
  await own.getByRole('button', { name: 'Save' }).click()
  await other.getByRole('button', { name: /^Sprint planning/ }).click()
  await expect(card).toContainText('10 minutes before')
  await card.getByRole('button', { name: 'Yes' }).click()
  await page.goto('/notifications')
  await expect(page.getByText('cyd is coming to “Sprint planning”')).toBeVisible()
})
