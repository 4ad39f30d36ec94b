/** Every example of RFC 5545, 3.8.5.3. Times are of New York. */
import { describe, expect, test } from 'vitest'
import { createSeries } from './series.ts'
import { formatWall, parseWall } from './local.ts'
import { placeWall, wallAt } from './zones.ts'

const zone = 'America/New_York'
const wall = (text: string): number => parseWall(text) ?? Number.NaN
const at = (text: string): number => placeWall(zone, wall(text))

/** `1997-09-02T09 11` are the first days of September 1997; `|` begins another month. */
const days = (months: string, time = '09:00'): string[] =>
  months.split('|').flatMap((month) => {
    const [name = '', ...numbers] = month.trim().split(/[\s,]+/)
    return numbers.flatMap((number) => {
      const [from = 0, to = from] = number.split('-').map(Number)
      return Array.from({ length: to - from + 1 }, (_, n) => `${name}-${String(from + n).padStart(2, '0')}T${time}:00`)
    })
  })

/** Name, rule, start, the first ones, and whether there are no more. */
const examples: readonly (readonly [string, string, string, readonly string[], 'all'?])[] = [
  ['daily for 10 occurrences', 'FREQ=DAILY;COUNT=10', '1997-09-02T09:00', days('1997-09 2-11'), 'all'],
  [
    'daily until December 24, 1997',
    'FREQ=DAILY;UNTIL=19971224T000000Z',
    '1997-09-02T09:00',
    days('1997-09 2-30 | 1997-10 1-31 | 1997-11 1-30 | 1997-12 1-23'),
    'all',
  ],
  [
    'every other day',
    'FREQ=DAILY;INTERVAL=2',
    '1997-09-02T09:00',
    days('1997-09 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 | 1997-10 2 4'),
  ],
  [
    'every 10 days, 5 occurrences',
    'FREQ=DAILY;INTERVAL=10;COUNT=5',
    '1997-09-02T09:00',
    days('1997-09 2 12 22 | 1997-10 2 12'),
    'all',
  ],
  [
    'every day in January, for 3 years, yearly',
    'FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA',
    '1998-01-01T09:00',
    days('1998-01 1-31 | 1999-01 1-31 | 2000-01 1-31'),
    'all',
  ],
  [
    'every day in January, for 3 years, daily',
    'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1',
    '1998-01-01T09:00',
    days('1998-01 1-31 | 1999-01 1-31 | 2000-01 1-31'),
    'all',
  ],
  [
    'weekly for 10 occurrences',
    'FREQ=WEEKLY;COUNT=10',
    '1997-09-02T09:00',
    days('1997-09 2 9 16 23 30 | 1997-10 7 14 21 28 | 1997-11 4'),
    'all',
  ],
  [
    'weekly until December 24, 1997',
    'FREQ=WEEKLY;UNTIL=19971224T000000Z',
    '1997-09-02T09:00',
    days('1997-09 2 9 16 23 30 | 1997-10 7 14 21 28 | 1997-11 4 11 18 25 | 1997-12 2 9 16 23'),
    'all',
  ],
  [
    'every other week',
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU',
    '1997-09-02T09:00',
    days('1997-09 2 16 30 | 1997-10 14 28 | 1997-11 11 25 | 1997-12 9 23 | 1998-01 6 20 | 1998-02 3 17'),
  ],
  [
    'weekly on Tuesday and Thursday for five weeks, until',
    'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
    '1997-09-02T09:00',
    days('1997-09 2 4 9 11 16 18 23 25 30 | 1997-10 2'),
    'all',
  ],
  [
    'weekly on Tuesday and Thursday for five weeks, counted',
    'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH',
    '1997-09-02T09:00',
    days('1997-09 2 4 9 11 16 18 23 25 30 | 1997-10 2'),
    'all',
  ],
  [
    'every other week on Monday, Wednesday and Friday until December 24, 1997',
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    '1997-09-01T09:00',
    days('1997-09 1 3 5 15 17 19 29 | 1997-10 1 3 13 15 17 27 29 31 | 1997-11 10 12 14 24 26 28 | 1997-12 8 10 12 22'),
    'all',
  ],
  [
    'every other week on Tuesday and Thursday, for 8 occurrences',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
    '1997-09-02T09:00',
    days('1997-09 2 4 16 18 30 | 1997-10 2 14 16'),
    'all',
  ],
  [
    'monthly on the first Friday for 10 occurrences',
    'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
    '1997-09-05T09:00',
    days(
      '1997-09 5 | 1997-10 3 | 1997-11 7 | 1997-12 5 | 1998-01 2 | 1998-02 6 | 1998-03 6 | 1998-04 3 | 1998-05 1 | 1998-06 5',
    ),
    'all',
  ],
  [
    'monthly on the first Friday until December 24, 1997',
    'FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR',
    '1997-09-05T09:00',
    days('1997-09 5 | 1997-10 3 | 1997-11 7 | 1997-12 5'),
    'all',
  ],
  [
    'every other month on the first and last Sunday for 10 occurrences',
    'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
    '1997-09-07T09:00',
    days('1997-09 7 28 | 1997-11 2 30 | 1998-01 4 25 | 1998-03 1 29 | 1998-05 3 31'),
    'all',
  ],
  [
    'monthly on the second-to-last Monday for 6 months',
    'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
    '1997-09-22T09:00',
    days('1997-09 22 | 1997-10 20 | 1997-11 17 | 1997-12 22 | 1998-01 19 | 1998-02 16'),
    'all',
  ],
  [
    'monthly on the third-to-the-last day of the month',
    'FREQ=MONTHLY;BYMONTHDAY=-3',
    '1997-09-28T09:00',
    days('1997-09 28 | 1997-10 29 | 1997-11 28 | 1997-12 29 | 1998-01 29 | 1998-02 26'),
  ],
  [
    'monthly on the 2nd and 15th for 10 occurrences',
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
    '1997-09-02T09:00',
    days('1997-09 2 15 | 1997-10 2 15 | 1997-11 2 15 | 1997-12 2 15 | 1998-01 2 15'),
    'all',
  ],
  [
    'monthly on the first and last day for 10 occurrences',
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
    '1997-09-30T09:00',
    days('1997-09 30 | 1997-10 1 31 | 1997-11 1 30 | 1997-12 1 31 | 1998-01 1 31 | 1998-02 1'),
    'all',
  ],
  [
    'every 18 months on the 10th through the 15th for 10 occurrences',
    'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
    '1997-09-10T09:00',
    days('1997-09 10-15 | 1999-03 10-13'),
    'all',
  ],
  [
    'every Tuesday, every other month',
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
    '1997-09-02T09:00',
    days('1997-09 2 9 16 23 30 | 1997-11 4 11 18 25 | 1998-01 6 13 20 27 | 1998-03 3 10 17 24 31'),
  ],
  [
    'yearly in June and July for 10 occurrences',
    'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
    '1997-06-10T09:00',
    days(
      '1997-06 10 | 1997-07 10 | 1998-06 10 | 1998-07 10 | 1999-06 10 | 1999-07 10 | 2000-06 10 | 2000-07 10 | 2001-06 10 | 2001-07 10',
    ),
    'all',
  ],
  [
    'every other year in January, February and March for 10 occurrences',
    'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
    '1997-03-10T09:00',
    days(
      '1997-03 10 | 1999-01 10 | 1999-02 10 | 1999-03 10 | 2001-01 10 | 2001-02 10 | 2001-03 10 | 2003-01 10 | 2003-02 10 | 2003-03 10',
    ),
    'all',
  ],
  [
    'every third year on the 1st, 100th and 200th day for 10 occurrences',
    'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    '1997-01-01T09:00',
    days(
      '1997-01 1 | 1997-04 10 | 1997-07 19 | 2000-01 1 | 2000-04 9 | 2000-07 18 | 2003-01 1 | 2003-04 10 | 2003-07 19 | 2006-01 1',
    ),
    'all',
  ],
  [
    'every 20th Monday of the year',
    'FREQ=YEARLY;BYDAY=20MO',
    '1997-05-19T09:00',
    days('1997-05 19 | 1998-05 18 | 1999-05 17'),
  ],
  [
    'Monday of week number 20',
    'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
    '1997-05-12T09:00',
    days('1997-05 12 | 1998-05 11 | 1999-05 17'),
  ],
  [
    'every Thursday in March',
    'FREQ=YEARLY;BYMONTH=3;BYDAY=TH',
    '1997-03-13T09:00',
    days('1997-03 13 20 27 | 1998-03 5 12 19 26 | 1999-03 4 11 18 25'),
  ],
  [
    'every Thursday, but only during June, July and August',
    'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
    '1997-06-05T09:00',
    days('1997-06 5 12 19 26 | 1997-07 3 10 17 24 31 | 1997-08 7 14 21 28 | 1998-06 4 11 18 25 | 1998-07 2 9 16 23 30'),
  ],
  [
    'the first Saturday that follows the first Sunday of the month',
    'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
    '1997-09-13T09:00',
    days('1997-09 13 | 1997-10 11 | 1997-11 8 | 1997-12 13 | 1998-01 10 | 1998-02 7 | 1998-03 7 | 1998-04 11'),
  ],
  [
    'every 4 years, the first Tuesday after a Monday in November',
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    '1996-11-05T09:00',
    days('1996-11 5 | 2000-11 7 | 2004-11 2'),
  ],
  [
    'the third instance of Tuesday, Wednesday or Thursday, for the next 3 months',
    'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3',
    '1997-09-04T09:00',
    days('1997-09 4 | 1997-10 7 | 1997-11 6'),
    'all',
  ],
  [
    'the second-to-last weekday of the month',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
    '1997-09-29T09:00',
    days('1997-09 29 | 1997-10 30 | 1997-11 27 | 1997-12 30 | 1998-01 29 | 1998-02 26 | 1998-03 30'),
  ],
  [
    'every 3 hours on a specific day',
    'FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z',
    '1997-09-02T09:00',
    ['1997-09-02T09:00:00', '1997-09-02T12:00:00', '1997-09-02T15:00:00'],
    'all',
  ],
  [
    'every 15 minutes for 6 occurrences',
    'FREQ=MINUTELY;INTERVAL=15;COUNT=6',
    '1997-09-02T09:00',
    ['09:00', '09:15', '09:30', '09:45', '10:00', '10:15'].map((time) => `1997-09-02T${time}:00`),
    'all',
  ],
  [
    'every hour and a half for 4 occurrences',
    'FREQ=MINUTELY;INTERVAL=90;COUNT=4',
    '1997-09-02T09:00',
    ['09:00', '10:30', '12:00', '13:30'].map((time) => `1997-09-02T${time}:00`),
    'all',
  ],
  [
    'every 20 minutes from 9:00 to 16:40 every day, daily',
    'FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40',
    '1997-09-02T09:00',
    twentyMinutes(),
  ],
  [
    'every 20 minutes from 9:00 to 16:40 every day, minutely',
    'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16',
    '1997-09-02T09:00',
    twentyMinutes(),
  ],
  [
    'weeks that start on Monday',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
    '1997-08-05T09:00',
    days('1997-08 5 10 19 24'),
    'all',
  ],
  [
    'weeks that start on Sunday',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
    '1997-08-05T09:00',
    days('1997-08 5 17 19 31'),
    'all',
  ],
  [
    'a day that some months do not have',
    'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5',
    '2007-01-15T09:00',
    days('2007-01 15 30 | 2007-02 15 | 2007-03 15 30'),
    'all',
  ],
]

function twentyMinutes(): string[] {
  const hours = ['09', '10', '11', '12', '13', '14', '15', '16']
  return ['1997-09-02', '1997-09-03'].flatMap((day) =>
    hours.flatMap((hour) => ['00', '20', '40'].map((minute) => `${day}T${hour}:${minute}:00`)),
  )
}

describe('the examples of RFC 5545', () => {
  test.each(examples.map(([name, rule, start, expected, all]) => ({ name, rule, start, expected, all })))(
    '$name',
    ({ rule, start, expected, all }) => {
      const schedule = createSeries({ start: wall(start), zone, rule })
      const last = at(expected.at(-1) ?? '')
      const found = schedule.between(at(start), all ? last + 400 * 24 * 3600_000 : last + 1)
      expect(found.map((one) => formatWall(wallAt(zone, one)))).toEqual(expected)
      expect(schedule.next(at(start) - 1)).toBe(at(start))
      expect(schedule.next(last - 1)).toBe(last)
      expect(schedule.previous(last + 1)).toBe(last)
      expect(schedule.last()).toBe(all ? last : null)
    },
  )

  test('Friday the 13th, without its start, which is none', () => {
    const rule = 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'
    const start = '1997-09-02T09:00'
    const schedule = createSeries({ start: wall(start), zone, rule, exceptDates: [at(start)] })
    const found = schedule.between(at(start), at('2000-12-01T09:00'))
    expect(found.map((one) => formatWall(wallAt(zone, one)))).toEqual(
      days('1998-02 13 | 1998-03 13 | 1998-11 13 | 1999-08 13 | 2000-10 13'),
    )
    // Without the exception the start is one all the same.
    expect(createSeries({ start: wall(start), zone, rule }).next(at(start) - 1)).toBe(at(start))
  })
})
