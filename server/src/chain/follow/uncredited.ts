import type { Database } from '../../db/open.ts'

/**
 * Events `e` that are recorded and not credited, by their rows `u` of the table that has these alone. The offset has Postgres look up each by
 * its key: how many rows a queue has is often estimated wrongly, and a plan for many would read all events.
 */
export const uncreditedEvents = (db: Database) =>
  db
    .selectFrom('chain_uncredited as u')
    .innerJoinLateral(
      (of) => of.selectFrom('chain_event').selectAll().whereRef('chain_event.id', '=', 'u.id').offset(0).as('e'),
      (join) => join.onTrue(),
    )
    .selectAll('e')
