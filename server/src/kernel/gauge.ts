import { WHOLE_UNIT } from '@candela/protocol/units'

/** Figures that are read when Prometheus asks, by their name and help text. NaN where there is none. */
export type GaugeSource = { name: string; help: string; read: () => number | Promise<number> }

/** A gauge, by its name without the prefix of the service. */
export const gauge = (name: string, help: string, read: GaugeSource['read']): GaugeSource => ({
  name: `candela_${name}`,
  help,
  read,
})

/** Whole units for a gauge. It is rounded, so nothing may be computed from it. */
export const inUnits = (amount: bigint): number => Number(amount) / Number(WHOLE_UNIT)

/** Seconds for a gauge; NaN before the first time. */
export const ageInSeconds = (since: Date | null, now: Date): number =>
  since === null ? Number.NaN : Math.max(0, (now.getTime() - since.getTime()) / 1000)
