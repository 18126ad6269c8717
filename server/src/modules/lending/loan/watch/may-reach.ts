import { PPM, WHOLE_UNIT } from '@candela/protocol/units'
import { type RawBuilder, sql } from 'kysely'

/**
 * `reaches` for many loans at once, with the column of the line: true for each that is at the line at this price, with its interest up to today, and for those
 * with a late amount, whose charges are computed one by one. The index on `watch_price` finds candidates; this leaves out those that
 * are not at the line yet.
 */
export const mayReach = (line: RawBuilder<unknown>, price: bigint, today: string) => sql<boolean>`
  (next_due_on < ${today}::date
    or (principal + interest_charged - interest_paid + late_charged - late_paid
        + div(principal * rate_ppm + ${365n * PPM - 1n}::numeric, ${365n * PPM}::numeric)
          * greatest(0, ${today}::date - interest_through)) * ${PPM * WHOLE_UNIT}::numeric
      >= ${line} * collateral * ${price}::numeric)`
