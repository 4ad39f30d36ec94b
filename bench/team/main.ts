/**
 * `npm run bench:team`: what channels, calendars and automations carry. `npm run bench:team -- channels` measures only that
 * part. The figures are for docs/benchmarks-team.md.
 */
import { printParts } from '../parts.ts'
import { measureAutomations } from './automations.ts'
import { measureCalendar } from './calendar.ts'
import { measureChannels } from './channels.ts'
import { measureHistory } from './history.ts'
import { ms, type Row, times } from '../row.ts'

const automations = Number(process.env['TEAM_AUTOMATIONS'] ?? 10_000)

const automationRows = async (): Promise<Row[]> => {
  const { count, ...figures } = await measureAutomations(automations, automations / 10).then((all) => ({
    ...all,
    count: all.automations.toLocaleString('en'),
  }))
  const { idle, busy } = figures.pages
  const { withModel } = figures
  return [
    [
      `${count} automations, idle: of a core, each of three processes`,
      figures.idleCores.map((share) => `${(share * 100).toFixed(1)} %`).join(', '),
      '≤ 2 %',
    ],
    [`all due in one second, one process killed: runs, effects`, `${figures.runs}, ${figures.effects}`, 'as many'],
    ['… all rows and next times after', ms(figures.rowsMs), '≤ 10 s'],
    ['… all effects after', ms(figures.effectsMs), '≤ 90 s'],
    [
      '… pages of others: before / meanwhile, medians',
      `${ms(idle.p50)} / ${ms(busy.p50)} = ${times(busy.p50 / idle.p50)}`,
      '≤ 2×',
    ],
    [`${withModel.automations} that ask a model at once: all effects after`, ms(withModel.effectsMs), '≤ 60 s'],
  ]
}

/** Each gives the rows of its table. */
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  automations: automationRows,
  calendar: measureCalendar,
  channels: measureChannels,
  history: measureHistory,
}

await printParts(parts)
