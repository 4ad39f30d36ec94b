/**
 * `npm run metrics-docs`: writes `docs/metrics.md`, what `/metrics` tells. `--check` writes nothing and fails where the
 * page is not what the code says.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { listMetrics, metricPrefix, mostSeries } from '../server/src/app/metrics.ts'
import type { LabelValues } from '../server/src/platform/metrics/definition.ts'

const file = new URL('../docs/metrics.md', import.meta.url)

const head = `# Metrics

<!-- written by \`npm run metrics-docs\` from the list in the code -->

With \`METRICS_TOKEN\` set, \`GET /metrics\` gives these figures in Prometheus' text form to whoever sends the token as a
bearer token; without it nothing is counted. Each process tells its own figures: scrape all of them. What is told of the
instance as a whole (jobs, documents, letters, the database) is the same in all, so take its \`max\`, not its \`sum\`.

\`\`\`yaml
scrape_configs:
  - job_name: atrium
    authorization: { credentials: the value of METRICS_TOKEN }
    static_configs: [{ targets: ['atrium.example:3001'] }]
\`\`\`

A dashboard for Grafana is in \`deploy/grafana/atrium.json\` (import the file, and choose the data source), rules for alerts
in \`deploy/prometheus/alerts.yml\`. Both expect that the job of the scrape is called \`atrium\` or is chosen there.

Times are in seconds and sizes in bytes. Labels have closed lists of values and hold no id, no name and nothing that a
user wrote; what is not in the list is counted as \`other\`. All together are at most ${mostSeries.toLocaleString('en')} series for each process.

| Metric | Kind | Unit | What it tells | Labels |
|---|---|---|---|---|
`

const textOf = ({ about, values }: LabelValues): string => {
  return about ?? values.map((value) => `\`${value}\``).join(', ')
}

const write = (): string => {
  const all = Object.entries(listMetrics()).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const rows = all.map(([name, { kind, unit, help, labels }]) => {
    const told = Object.entries<LabelValues>(labels).map(([label, set]) => `\`${label}\`: ${textOf(set)}`)
    return `| \`${metricPrefix}${name}\` | ${kind} | ${unit} | ${help} | ${told.join('; ')} |\n`
  })
  return head + rows.join('')
}

if (!process.argv.includes('--check')) writeFileSync(file, write())
else if (readFileSync(file, 'utf8') !== write()) {
  console.error('docs/metrics.md is not what the code says. Run `npm run metrics-docs` and commit it.')
  process.exitCode = 1
}
