/** A person with a page of any engine: finds by what is read, taps at places, types keys. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Language } from '@candela/protocol/language'
import { FACT_MS } from '../browser/timeouts.ts'
import { catalogs } from '../browser/web.ts'
import type { Engine } from './engine.ts'
import {
  findInPage,
  type Found,
  overflowsInPage,
  selectAll,
  textInPage,
  type Wanted,
  wasTapped,
} from './page-finder.ts'

type MessageKey = keyof typeof catalogs.tw

/** A click may come a moment after the driver has said that it tapped. */
const LOOKS_AFTER_TAP = 10

export type Phone = ReturnType<typeof phoneWith>

/** @param pictures a folder for what each step ends with; without it no picture is kept */
export function phoneWith(
  engine: Engine,
  { language = 'tw', pictures }: { language?: Language; pictures?: string } = {},
) {
  const text = (key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string =>
    catalogs[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

  async function until<Result>(what: string, look: () => Promise<Result | null>): Promise<Result> {
    const end = Date.now() + FACT_MS
    let last = ''
    for (;;) {
      const found = await look().catch((error: unknown) => {
        // A page that is just being left can be asked nothing.
        last = String(error)
        return null
      })
      if (found !== null) return found
      if (Date.now() > end)
        throw new Error(`${engine.name}: ${what} never came. ${last}\n${await engine.run(textInPage)}`)
      await new Promise((next) => setTimeout(next, 100))
    }
  }

  /** Where it is once it can be tapped and stands still. */
  async function place(wanted: Wanted): Promise<Found> {
    let before: Found | null = null
    return await until(`${JSON.stringify(wanted)} to tap`, async () => {
      const found = await engine.run(findInPage, wanted)
      const isStill = found !== null && before !== null && found.x === before.x && found.y === before.y
      before = found
      return found !== null && isStill && found.isEnabled && found.hit === null ? found : null
    })
  }

  const phone = {
    engine,
    text,
    goTo: engine.goTo,
    until,
    /** Its text, once it is there. */
    see: async (wanted: Wanted): Promise<string> =>
      (await until(JSON.stringify(wanted), () => engine.run(findInPage, wanted))).text,
    seeText: async (wanted: string): Promise<void> =>
      void (await until(`"${wanted}"`, async () => ((await engine.run(textInPage)).includes(wanted) ? true : null))),
    /** Drivers lose taps on a busy machine: one that has reached nothing is done again. */
    async tap(wanted: Wanted): Promise<void> {
      await until(`a tap on ${JSON.stringify(wanted)}`, async () => {
        const { x, y } = await place(wanted)
        await engine.tap(x, y)
        for (let looks = 0; looks < LOOKS_AFTER_TAP; looks += 1) {
          // A page that is just being left has been tapped.
          if (await engine.run(wasTapped).catch(() => true)) return true
          await new Promise((next) => setTimeout(next, 100))
        }
        return null
      })
    },
    tapButton: (key: MessageKey, values: Readonly<Record<string, string | number>> = {}): Promise<void> =>
      phone.tap({ role: 'button', name: text(key, values) }),
    /** A field by its label. */
    async fillIn(label: MessageKey, value: string): Promise<void> {
      await phone.tap({ role: 'field', name: text(label) })
      await engine.run(selectAll)
      await engine.type(value)
    },
    /** A picture of what is there now, and that nothing of it is beyond the edges. @throws with what is */
    async look(step: string): Promise<void> {
      const name = `${engine.name} ${step}`.replace(/[^a-z0-9]+/gi, '-')
      if (pictures !== undefined) {
        await mkdir(pictures, { recursive: true })
        await writeFile(path.join(pictures, `${name}.png`), await engine.picture())
      }
      const wide = await engine.run(overflowsInPage)
      if (wide.length > 0) throw new Error(`${name} overflows: ${wide.slice(0, 5).join('; ')}`)
    },
  }
  return phone
}
