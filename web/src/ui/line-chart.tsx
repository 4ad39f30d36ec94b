import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { type ChartLine, lineColours } from './chart-lines.ts'

/** Lines over time on a canvas, in the colours of the theme; drawn again when theme or width change. */
export function LineChart({
  times,
  lines,
  showTime,
  show,
}: {
  /** Milliseconds since 1970. */
  times: readonly number[]
  lines: readonly ChartLine[]
  showTime: (time: number) => string
  show: (value: number) => string
}) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef({ showTime, show })
  shown.current = { showTime, show }
  useEffect(() => {
    const element = box.current
    if (!element) return
    let plot: uPlot | null = null
    const draw = () => {
      plot?.destroy()
      plot = new uPlot(optionsFor(element, lines, shown), dataOf(times, lines), element)
    }
    const resized = new ResizeObserver(() => {
      if (plot && plot.width !== element.clientWidth) plot.setSize({ width: element.clientWidth, height })
    })
    const themed = new MutationObserver(draw)
    draw()
    resized.observe(element)
    themed.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-theme', 'data-accent', 'class'],
    })
    return () => {
      resized.disconnect()
      themed.disconnect()
      plot?.destroy()
    }
  }, [times, lines])
  return <div ref={box} aria-hidden className="w-full" style={{ height }} />
}

const height = 132

const dataOf = (times: readonly number[], lines: readonly ChartLine[]): uPlot.AlignedData => [
  times.map((time) => time / 1000),
  ...lines.map(({ values }) => [...values]),
]

function optionsFor(
  element: HTMLElement,
  lines: readonly ChartLine[],
  shown: { readonly current: { showTime: (time: number) => string; show: (value: number) => string } },
): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const font = `12px ${getComputedStyle(element).fontFamily}`
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: true }, y: { range: (_, __, max) => [0, max > 0 ? max * 1.15 : 1] } },
    axes: [
      {
        stroke: colour('muted'),
        font,
        size: 28,
        space: 72,
        grid: { show: false },
        ticks: { show: false },
        values: (_, splits) => splits.map((time) => shown.current.showTime(time * 1000)),
      },
      {
        stroke: colour('muted'),
        font,
        size: 64,
        space: 36,
        grid: { stroke: colour('line'), width: 1 },
        ticks: { show: false },
        values: (_, splits) => splits.map((value) => shown.current.show(value)),
      },
    ],
    series: [
      {},
      ...lines.map((_, index) => ({
        stroke: colour(lineColours[index % lineColours.length] ?? 'accent'),
        width: 1.5,
        points: { show: false },
        spanGaps: false,
      })),
    ],
  }
}
